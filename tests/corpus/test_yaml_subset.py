import json
import math
import time
import unittest
from pathlib import Path

from adrkit_mcp.corpus.yaml_subset import YamlError, parse

DATA = Path(__file__).with_name("yaml")
VECTORS = Path(__file__).resolve().parents[3] / "shared" / "vectors" / "yaml.json"


def documents():
    for path in sorted(DATA.glob("*.yaml")):
        expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
        yield path.name, path.read_text("utf-8"), expected


def cases(name):
    return json.loads((DATA / name).read_text("utf-8"))


def spelled(value):
    """JSON, which tells booleans from numbers, integers from floats, and one order of keys from another."""
    return json.dumps(value)


class ValueTest(unittest.TestCase):
    def test_reads_documents(self):
        for name, text, expected in documents():
            value = parse(text)
            self.assertEqual(list(value), list(expected), name)
            for key in expected:
                with self.subTest(name, key=key):
                    self.assertEqual(spelled(value[key]), spelled(expected[key]))

    def test_reads_documents_with_other_line_ends(self):
        for name, text, expected in documents():
            with self.subTest(name):
                self.assertEqual(spelled(parse(text.replace("\n", "\r\n"))), spelled(expected))

    def test_reads_documents_without_a_last_line_end(self):
        for name, text, expected in documents():
            with self.subTest(name):
                self.assertEqual(spelled(parse(text.rstrip("\n"))), spelled(expected))

    def test_reads_texts(self):
        for text, expected in cases("texts.json"):
            with self.subTest(text[:60]):
                self.assertEqual(spelled(parse(text)), spelled(expected))

    def test_keeps_integers_beyond_the_safe_range_exact(self):
        largest = (2**53 - 1) * 2**971
        for number in (2**53 + 1, -(2**53) - 1, 12345678901234567890, 10**308, largest, -largest):
            with self.subTest(number):
                self.assertEqual(
                    spelled(parse("a: %d\nb: %s" % (number, "0" * 99 + "1"))["a"]), str(number)
                )
        self.assertEqual(parse("a: 0x%x" % largest), {"a": largest})

    def test_reads_numbers_beyond_the_largest_double_as_infinite(self):
        beyond = 2**1024
        for text in (
            "1e309",
            "12e3456",
            ".inf",
            "+.INF",
            "%d" % beyond,
            "0x%x" % beyond,
            "0o%o" % beyond,
            "9" * 5000,
        ):
            with self.subTest(text):
                self.assertEqual(parse("a: " + text), {"a": math.inf})
        for text in ("-1e309", "-.Inf", "-%d" % beyond, "-" + "9" * 5000):
            with self.subTest(text):
                self.assertEqual(parse("a: " + text), {"a": -math.inf})
        for text in (".nan", ".NaN", ".NAN"):
            with self.subTest(text):
                self.assertTrue(math.isnan(parse("a: " + text)["a"]))

    def test_reads_thousands_of_leading_zeros(self):
        self.assertEqual(parse("a: " + "0" * 5000 + "12"), {"a": 12})


class RefusalTest(unittest.TestCase):
    def refusal(self, text):
        with self.assertRaises(YamlError) as caught:
            parse(text)
        return caught.exception

    def test_says_where_and_what(self):
        for text, line, column, words in cases("refused.json"):
            with self.subTest(text[:60]):
                error = self.refusal(text)
                self.assertEqual((error.line, error.column), (line, column))
                self.assertIn(words, error.problem)
                self.assertEqual(
                    str(error), "line %d, column %d: %s" % (line, column, error.problem)
                )

    def test_counts_lines_and_columns_as_given(self):
        for text, place in [
            ("a: 1\r\nb: 'x\r\n", (2, 4)),
            ("\ufeffa: 'x\n", (1, 4)),
            ("\U0001f6a2: 'x\n", (1, 4)),
            ("# \u2028\na: 'x\n", (2, 4)),
        ]:
            with self.subTest(text):
                error = self.refusal(text)
                self.assertEqual((error.line, error.column), place)

    def test_names_a_duplicate_key_and_how_far_above_it_is(self):
        error = self.refusal("a: 1\nb: 1\n\n# c\nb: 2\n")
        self.assertIn('duplicate key "b", already used 3 lines above', error.problem)
        self.assertEqual(error.line, 5)

    def test_shows_little_of_the_text(self):
        secret = "xyzzy" * 100
        for text in (
            "@%s: 1\n" % secret,
            "a: &%s\n" % secret,
            "a: [*%s]\n" % secret,
            "%s: 1\n%s: 2\n" % (secret, secret),
            "a: {%s: 1, '%s': 2}\n" % (secret, secret),
            "a: '%s\n" % secret,
            "a: %s: b\n" % secret,
            "a: [%s\n" % secret,
            "a: 1\n%s\n" % secret,
            "a: |%s\n" % secret,
            "a: '1' %s\n" % secret,
            "0x%s: 1\n" % ("f" * 500),
            "{? %s : 1}\n" % secret,
        ):
            with self.subTest(text[:20]):
                problem = self.refusal(text).problem
                self.assertLess(problem.count("xyzzy") + problem.count("f" * 5), 7)

    def test_shows_nothing_that_does_not_print(self):
        for text in (
            '"\\e[31m": 1\n"\\e[31m": 2\n',
            "\u202ea: 1\n\u202ea: 2\n",
            "a: @\u200b\u202ex\n",
        ):
            with self.subTest(text):
                self.assertTrue(self.refusal(text).problem.isprintable())

    def test_is_a_value_error(self):
        self.assertRaises(ValueError, parse, "a: 'x")


class LimitTest(unittest.TestCase):
    def test_limits_nesting(self):
        maps = "".join(" " * depth + "k:\n" for depth in range(64))
        lists = "- " * 64 + "x\n"
        level = "".join(" " * depth + "k:\n" + " " * depth + "-\n" for depth in range(32))
        brackets = "[" * 512 + "]" * 512
        for text in (
            maps,
            lists,
            brackets,
            maps[:-1] + " " + brackets,
            level,
            "- " * 64 + "{a: " * 512 + "1" + "}" * 512,
        ):
            with self.subTest(text[:20]):
                parse(text)
        for text in (
            maps + " " * 64 + "k:\n",
            "- " + lists,
            "[%s]" % brackets,
            level + " " * 32 + "k:\n",
            "{a: " * 513 + "}" * 513,
        ):
            with self.subTest(text[:20]):
                with self.assertRaises(YamlError) as caught:
                    parse(text)
                self.assertIn("nested deeper than", caught.exception.problem)

    def test_takes_time_linear_in_the_text(self):
        size = 65_536
        for unit, start, end in [
            ("[", "", ""),
            ("[],", "a: [", "]\n"),
            ("[]\n ,", "a: [", "]\n"),
            ("{a: 1},", "a: [", "]\n"),
            ("- ", "", ""),
            ("-\n", "", ""),
            ("- t\n", "a:\n", ""),
            ("t, ", "a: [", "]\n"),
            ("t ", "a: [", ""),
            (" ", "a: x", "y\n"),
            (" ", "a: [x", ""),
            ("a     ", "a: ", "# c\n"),
            ("a: ", "", ""),
            ('"', "a: ", ""),
            ("'", "a: ", ""),
            ("''", "a: '", ""),
            ("x ", 'a: "', ""),
            ("\\", 'a: "', ""),
            ("\\n", 'a: "', '"\n'),
            ("  x\\\n", 'a: "', '  "\n'),
            (" \\\n", 'a: "', '"\n'),
            ("  word word\n", "a: >\n", ""),
            ("  word word\n", "a: x\n", ""),
            ("\n", "a: x\n", "b: y\n"),
            ("\n", "a: x\n", "  y\n"),
            ("\n", "a: |\n", "  y\n"),
            ("      \n", "a: |\n", "  x\n"),
            ("\t\n", "a: x\n", ""),
            ("# c\n", "a: x\n", "b: y\n"),
            (" # c\n", "a: [x,\n", " y]\n"),
            ("#", "a: x", "\n"),
            (" #", "a: x", "\n"),
            (":", "a: x", "\n"),
            ("a:b", "a: ", "\n"),
            ("1", "a: ", "\n"),
            ("9", "a: 1e", "\n"),
            ("1", "a: 1.", "\n"),
            ("f", "a: 0x", "\n"),
            ("1e", "a: ", "\n"),
            ("\\ud83d\\udea2", 'a: "', '"\n'),
            ("k", "", ": v\n"),
        ]:
            text = start + unit * ((size - len(start) - len(end)) // len(unit)) + end
            with self.subTest(unit=unit, start=start, end=end):
                before = time.perf_counter()
                try:
                    parse(text)
                except YamlError:
                    pass
                self.assertLess(time.perf_counter() - before, 1.0)

    def test_takes_time_linear_in_the_number_of_keys(self):
        for text in (
            "".join("key%d: v\n" % number for number in range(6000)) + "key5999: w\n",
            "a: {%s, k5999: 1}\n" % ", ".join("k%d: 1" % number for number in range(6000)),
        ):
            before = time.perf_counter()
            self.assertRaises(YamlError, parse, text)
            self.assertLess(time.perf_counter() - before, 1.0)


class RobustnessTest(unittest.TestCase):
    def test_reads_or_refuses_whatever_becomes_of_a_text(self):
        """No part of a text and no character put into it leads to any other exception."""
        texts = [text for _, text, _ in documents()] + [text for text, _ in cases("texts.json")]
        for text in texts:
            for pos in range(0, min(len(text), 400), 3):
                for changed in (text[:pos], text[pos:], text[:pos] + text[pos + 1 :]):
                    self.read_or_refuse(changed)
                for char in "\n\t -:#'\"[{]}|\\":
                    self.read_or_refuse(text[:pos] + char + text[pos:])

    def read_or_refuse(self, text):
        try:
            parse(text)
        except YamlError as error:
            self.assertLessEqual(error.line, text.count("\n") + 2)
            self.assertGreaterEqual(error.column, 1)
        except Exception as error:
            self.fail("%r on %r" % (error, text))


@unittest.skipUnless(VECTORS.exists(), "the vectors are not in ../shared/vectors")
class VectorTest(unittest.TestCase):
    def test_gives_the_value_or_refuses(self):
        for case in json.loads(VECTORS.read_text("utf-8"))["cases"]:
            if "oracle-vs-spec" in case["tags"] or "json_special" in case:
                continue
            with self.subTest(case["name"]):
                try:
                    value = parse(case["yaml"])
                except YamlError:
                    self.assertFalse(case["must_accept"])
                    continue
                self.assertTrue(case["valid"], "accepted")
                self.assertEqual(self.normal(value), self.normal(case["json"]))

    def normal(self, value):
        """JSON without the difference between 1 and 1.0, and without the order of keys."""
        return json.dumps(json.loads(json.dumps(value), parse_int=float), sort_keys=True)


if __name__ == "__main__":
    unittest.main()
