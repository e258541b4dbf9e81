from __future__ import annotations

import json
import time
import unittest
from pathlib import Path

from adrkit_mcp.whatwg_url import is_absolute_url

CASES = json.loads(Path(__file__).with_name("whatwg_url.json").read_text(encoding="utf-8"))
STARTS = ("", "https://", "https://a:", "https://1.", "https://[::", "file://", "a://", "a://xn--")
REPEATED = ("a", "/", "@", ":", "[", "0", "1.", "%41", "\u00e9", "\u0315\u0300", "xn--a.", "\t")


class AbsoluteUrlTest(unittest.TestCase):
    def test_urls_are_accepted(self) -> None:
        for group in CASES:
            for text in group["accepted"]:
                with self.subTest(group["rule"], text=text):
                    self.assertTrue(is_absolute_url(text))

    def test_other_texts_are_refused(self) -> None:
        for group in CASES:
            for text in group["refused"]:
                with self.subTest(group["rule"], text=text):
                    self.assertFalse(is_absolute_url(text))

    def test_labels_may_be_longer_than_in_dns(self) -> None:
        self.assertTrue(is_absolute_url("https://" + "l" * 64 + ".example"))
        self.assertTrue(is_absolute_url("https://" + "label." * 1000))

    def test_domains_beyond_ascii_are_bounded(self) -> None:
        self.assertTrue(is_absolute_url("https://" + "\u00fc" * 253))
        self.assertFalse(is_absolute_url("https://" + "\u00fc" * 2000))

    def test_time_is_linear_in_the_text(self) -> None:
        for start in STARTS:
            for unit in REPEATED:
                with self.subTest(start=start, unit=unit):
                    text = start + unit * (60_000 // len(unit)) + "!"
                    began = time.perf_counter()
                    is_absolute_url(text)
                    self.assertLess(time.perf_counter() - began, 0.5)


if __name__ == "__main__":
    unittest.main()
