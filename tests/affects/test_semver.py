from __future__ import annotations

import json
import time
import unittest
from pathlib import Path

from adrkit_mcp.affects.semver import is_range

CASES = json.loads(Path(__file__).with_name("semver.json").read_text(encoding="utf-8"))
REPEATED = ("=", "v ", "= ", "1.", "1 ", "-a", ".a", "+a.", "*", "||1", "1 - ", "~> ", "9")


class RangeTest(unittest.TestCase):
    def test_ranges_are_accepted(self) -> None:
        for group in CASES["groups"]:
            for text in group["accepted"]:
                with self.subTest(group["rule"], text=text):
                    self.assertTrue(is_range(text))

    def test_other_texts_are_refused(self) -> None:
        for group in CASES["groups"]:
            for text in group["refused"]:
                with self.subTest(group["rule"], text=text):
                    self.assertFalse(is_range(text))

    def test_lengths(self) -> None:
        for case in CASES["long"]:
            with self.subTest(**case):
                text = case["start"] + case["unit"] * case["times"] + case["end"]
                self.assertEqual(is_range(text), case["accepted"])

    def test_time_is_linear_in_the_text(self) -> None:
        for unit in REPEATED:
            for start in ("", "1.2.3-", "^", "1 - 1.2.3-"):
                with self.subTest(start=start, unit=unit):
                    text = start + unit * (60_000 // len(unit)) + "!"
                    began = time.perf_counter()
                    self.assertFalse(is_range(text))
                    self.assertLess(time.perf_counter() - began, 1.0)


if __name__ == "__main__":
    unittest.main()
