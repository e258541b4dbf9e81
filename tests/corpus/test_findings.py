import unittest
from itertools import permutations

from adrkit_mcp.corpus.findings import finding, in_order, shown


class FindingTest(unittest.TestCase):
    def test_leaves_out_what_is_none_and_keeps_what_is_empty(self):
        self.assertEqual(
            list(finding("r", "error", "m", path="p", field="", pattern=None).items()),
            [("rule", "r"), ("severity", "error"), ("message", "m"), ("path", "p"), ("field", "")],
        )
        self.assertEqual(
            list(finding("r", "warn", "m", "p", "i", "f", "x")),
            ["rule", "severity", "message", "path", "id", "field", "pattern"],
        )


class InOrderTest(unittest.TestCase):
    def test_sorts_by_rule_id_pattern_path_field_and_message(self):
        ordered = [
            finding("a", "error", "z", "z", "z", "z", "z"),
            finding("b", "error", "z", "z", None, "z", "z"),
            finding("b", "error", "z", "z", "1", "z", None),
            finding("b", "error", "z", "z", "1", "z", "1"),
            finding("b", "error", "z", "a", "2", "z", "2"),
            finding("b", "error", "z", "b", "2", None, "2"),
            finding("b", "error", "z", "b", "2", "f.1", "2"),
            finding("b", "error", "z", "b", "2", "f.10", "2"),
            finding("b", "error", "z", "b", "2", "f.2", "2"),
            finding("b", "error", "zz", "b", "2", "f.2", "2"),
        ]
        self.assertEqual(in_order(reversed(ordered)), ordered)
        self.assertEqual(in_order(ordered[5:] + ordered[:5]), ordered)

    def test_compares_utf16_units(self):
        ordered = [finding("r", "error", "m", path) for path in ("z", "\U0001f6a2", "\ue000")]
        for shuffled in permutations(ordered):
            self.assertEqual(in_order(shuffled), ordered)


class ShownTest(unittest.TestCase):
    def test_quotes_cuts_and_escapes(self):
        for text, expected in [
            ("plain", '"plain"'),
            ('a"b', '"a\\"b"'),
            ("a\nb\x1b[31m\u202e\u200b", '"a\\nb\\x1b[31m\\u202e\\u200b"'),
            ("\xe9\u65e5", '"\xe9\u65e5"'),
            ("x" * 40, '"%s"' % ("x" * 40)),
            ("x" * 41, '"%s..."' % ("x" * 40)),
        ]:
            with self.subTest(text):
                self.assertEqual(shown(text), expected)


if __name__ == "__main__":
    unittest.main()
