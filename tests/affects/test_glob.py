from __future__ import annotations

import itertools
import json
import random
import time
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

from adrkit_mcp.affects.glob import MAX_LENGTH, GlobError, compile_glob
from adrkit_mcp.ecma import utf16_length

CASES = json.loads(Path(__file__).with_name("glob.json").read_text(encoding="utf-8"))
SYNTAX = '/*?[]{}()!@+|\\".,ab'
#: Repeated to the greatest length a pattern may have.
UNITS = ("a/", "**/", "[:", "{a,b}", "(", "*(a|b)", "!(*).", "a+", '"a', "\U0001f986")


class GlobTest(unittest.TestCase):
    def test_rules(self) -> None:
        for group in CASES["groups"]:
            for case in group["cases"]:
                with self.subTest(group["rule"], pattern=case["pattern"]):
                    match = compile_glob(case["pattern"])
                    paths = case["matches"] + case["misses"]
                    self.assertEqual([path for path in paths if match(path)], case["matches"])

    def test_refusals_say_what_to_write(self) -> None:
        for group in CASES["refused"]:
            for pattern in group["patterns"]:
                with self.subTest(pattern=pattern):
                    with self.assertRaises(GlobError) as caught:
                        compile_glob(pattern)
                    self.assertEqual(caught.exception.reason, group["reason"])
                    self.assertIn(group["says"], str(caught.exception))

    def test_length_is_counted_in_utf16_units(self) -> None:
        for longest in (
            "a" * MAX_LENGTH,
            "./" + "a" * (MAX_LENGTH - 2),
            "\U0001f986" * (MAX_LENGTH // 2),
        ):
            with self.subTest(longest[:3]):
                path = longest[2:] if longest.startswith("./") else longest
                self.assertTrue(compile_glob(longest)(path))
                with self.assertRaises(GlobError):
                    compile_glob(longest + "a")

    def test_nesting(self) -> None:
        self.assertTrue(compile_glob("x/" + "(" * 60 + "a" + ")" * 60)("x/a"))
        self.assertTrue(compile_glob("x/" + "{b," * 60 + "a" + "}" * 60)("x/a"))
        with self.assertRaises(GlobError):
            compile_glob("x/" + "@(" * 1000 + "a" + ")" * 1000)


class ReferenceTest(unittest.TestCase):
    """Common segments in all combinations on all short paths, beside a matcher too plain to be wrong."""

    SEGMENTS = ("a", "*", "?", "**", "a*", "*a", ".a", "{a,aa}")

    def test_agrees_with_the_reference(self) -> None:
        paths = ["".join(path) for n in range(1, 6) for path in itertools.product("a./", repeat=n)]
        for count in (2, 3):
            for segments in itertools.product(self.SEGMENTS, repeat=count):
                match = compile_glob("/".join(segments))
                expected = [path for path in paths if reference(segments, path)]
                self.assertEqual([path for path in paths if match(path)], expected, segments)


def reference(pattern: tuple[str, ...], path: str) -> bool:
    if path.startswith("./"):
        path = path[2:]
    segments = path.split("/")
    if not path or (any(map(is_hidden, segments)) and not any(map(is_hidden, pattern))):
        return False
    if follow(pattern, segments, ""):
        return True
    return path.endswith("/") and pattern[-1] in ("*", "a*") and follow(pattern, segments[:-1], "/")


def is_hidden(segment: str) -> bool:
    return segment.startswith(".") and segment not in (".", "..")


def follow(pattern: tuple[str, ...], path: list[str], end: str) -> bool:
    """Whether the segments match; `end` stands behind the last one."""
    if not pattern or not path:
        return not path and set(pattern) <= {"**"}
    first, rest = pattern[0], pattern[1:]
    if first == "**":
        passed = not path[0].startswith(".") and follow(pattern, path[1:], end)
        return passed or follow(rest, path, end)
    behind = path[1:] or end
    if first[0] in "*?" and path[0].startswith("."):
        return False
    if first[0] == "*" and not path[0] and not behind:
        return False
    if first[-1] == "*" and set(rest) == {"**"} and not path[1:]:
        return False
    names = ("a", "aa") if first == "{a,aa}" else (first,)
    return any(fnmatchcase(path[0], name) for name in names) and follow(rest, path[1:], end)


class CostTest(unittest.TestCase):
    def test_patterns_that_hurt_backtracking(self) -> None:
        for case in CASES["slow"]:
            start, unit, end = case.get("start", ""), case["unit"], case["end"]
            for times in (20, 1000 // len(unit)):
                path = start + unit * times
                with self.subTest(pattern=case["pattern"], times=times):
                    match = compile_glob(case["pattern"])
                    began = time.process_time()
                    self.assertFalse(match(path + "q"))
                    self.assertTrue(match(path + end))
                    self.assertLess(time.process_time() - began, 0.2)

    def test_longest_patterns(self) -> None:
        for unit in UNITS:
            for before, after in (("", ""), ("+(" * 60, ")" * 60)):
                with self.subTest(unit=unit, before=before[:4]):
                    room = MAX_LENGTH - len(before) - len(after)
                    began = time.process_time()
                    self.apply(before + unit * (room // utf16_length(unit)) + after)
                    self.assertLess(time.process_time() - began, 3.0)

    def test_any_text_is_a_pattern_or_refused(self) -> None:
        numbers = random.Random(7)
        for _ in range(3000):
            self.apply("".join(numbers.choices(SYNTAX, k=numbers.randint(1, 40))))

    def apply(self, pattern: str) -> None:
        try:
            match = compile_glob(pattern)
        except GlobError:
            return
        for path in ("a", "ab/b.a/.b", "a/" * 50 + "b", "x/" + "a" * 100):
            match(path)


if __name__ == "__main__":
    unittest.main()
