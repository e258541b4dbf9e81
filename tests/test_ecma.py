import unittest
from itertools import permutations

from adrkit_mcp.ecma import (
    WHITE_SPACE,
    canonical_bytes,
    canonical_json,
    normalize,
    sort_key,
    trim,
    utf16_length,
)


class Utf16LengthTest(unittest.TestCase):
    def test_counts_code_units(self):
        for text, length in [("", 0), ("abc", 3), ("é", 1), ("\u65e5", 1), ("\U0001f6a2", 2)]:
            with self.subTest(ascii(text)):
                self.assertEqual(utf16_length(text), length)

    def test_counts_a_lone_surrogate_as_one(self):
        self.assertEqual(utf16_length("a\ud83d"), 2)


class TrimTest(unittest.TestCase):
    def test_removes_white_space_and_line_ends_of_ecma_262(self):
        removed = [9, 10, 11, 12, 13, 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B)]
        removed += [0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF]
        self.assertEqual(sorted(map(ord, WHITE_SPACE)), removed)
        for code in removed:
            with self.subTest(hex(code)):
                self.assertEqual(trim(chr(code) + " x " + chr(code)), "x")

    def test_keeps_what_python_alone_calls_white_space(self):
        for code in (0x85, 0x1C, 0x1D, 0x1E, 0x1F, 0x180E, 0x200B):
            with self.subTest(hex(code)):
                self.assertEqual(trim(chr(code) + "x"), chr(code) + "x")


class NormalizeTest(unittest.TestCase):
    def test_trims_then_composes_then_lowers(self):
        for text, normal in [
            ("  PostGres \n", "postgres"),
            ("\ufeff\uff30\uff4f\uff53\uff54", "post"),
            ("\ufb01le", "file"),
            ("Mu\u0308nchen", "m\xfcnchen"),
            ("\u2460", "1"),
            ("\u0130", "i\u0307"),
            ("\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03bf\u03c2"),
            ("STRA\xdfE", "stra\xdfe"),
        ]:
            with self.subTest(ascii(text)):
                self.assertEqual(normalize(text), normal)

    def test_does_not_trim_the_space_that_composition_makes(self):
        self.assertEqual(normalize("\u00b4"), " \u0301")


class SortKeyTest(unittest.TestCase):
    def test_orders_by_utf16_units_so_that_astral_characters_precede_the_private_use_area(self):
        ordered = [
            "",
            "A",
            "B",
            "a",
            "aa",
            "b",
            "\u00e9",
            "\ud7ff",
            "\U0001f6a2",
            "\ue000",
            "\uffff",
        ]
        backwards = ordered[::-1]
        self.assertEqual(sorted(backwards, key=sort_key), ordered)

    def test_orders_lone_surrogates_as_units(self):
        ordered = ["\ud800", "\U00010000", "\udfff", "\ue000"]
        for shuffled in permutations(ordered):
            with self.subTest(ascii(shuffled)):
                self.assertEqual(sorted(shuffled, key=sort_key), ordered)


class CanonicalJsonTest(unittest.TestCase):
    def test_sorts_keys_at_every_level_by_utf16_units(self):
        value = {"b": {"z": 1, "\ue000": 2, "\U0001f6a2": 3}, "a": [], "B": {}}
        self.assertEqual(
            canonical_json(value), '{"B":{},"a":[],"b":{"z":1,"\U0001f6a2":3,"\ue000":2}}'
        )

    def test_keeps_the_order_of_lists(self):
        self.assertEqual(canonical_json(["b", "a", ("c",)]), '["b","a",["c"]]')

    def test_spells_scalars_as_json_stringify(self):
        value = [1e21, 1e-7, 1e20, -0.0, 3.0, None, True, False, '\x7f\u2028\0\t"\\']
        self.assertEqual(
            canonical_json(value),
            '[1e+21,1e-7,100000000000000000000,0,3,null,true,false,"\x7f\u2028\\u0000\\t\\"\\\\"]',
        )

    def test_escapes_lone_surrogates_in_lower_case(self):
        self.assertEqual(canonical_json({"\udc00": "\ud83d"}), '{"\\udc00":"\\ud83d"}')
        self.assertEqual(canonical_bytes("\ud83d\xe9"), b'"\\ud83d\xc3\xa9"')


if __name__ == "__main__":
    unittest.main()
