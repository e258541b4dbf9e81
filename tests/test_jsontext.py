import json
import math
import random
import struct
import subprocess
import sys
import unittest

from adrkit_mcp.jsontext import (
    JsonError,
    Number,
    dumps,
    dumps_sorted,
    encode,
    loads,
    loads_exact,
    number,
)

# ECMA-262 Number::toString: the value and its spelling.
NUMBERS = [
    (0, "0"),
    (-0.0, "0"),
    (3.0, "3"),
    (-7, "-7"),
    (0.1, "0.1"),
    (-1.5, "-1.5"),
    (100.0, "100"),
    (123456789.125, "123456789.125"),
    (1e20, "100000000000000000000"),
    (123456789012345680000.0, "123456789012345680000"),
    (1e21, "1e+21"),
    (1.5e21, "1.5e+21"),
    (-1e21, "-1e+21"),
    (1e-6, "0.000001"),
    (1.25e-6, "0.00000125"),
    (1e-7, "1e-7"),
    (-1.25e-7, "-1.25e-7"),
    (5e-324, "5e-324"),
    (1e-9, "1e-9"),
    (-(2**53), "-9007199254740992"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (0.30000000000000004, "0.30000000000000004"),
    (2**53, "9007199254740992"),
    (2**53 + 1, "9007199254740992"),
    (-(2**53) - 1, "-9007199254740992"),
    (10**21, "1e+21"),
    (12345678901234567890123, "1.2345678901234568e+22"),
]

REFUSED = [
    "",
    " ",
    "nul",
    "NaN",
    "Infinity",
    "-Infinity",
    "[NaN]",
    "01",
    "-01",
    "+1",
    "1.",
    ".5",
    "1e",
    "0x10",
    "-",
    "'a'",
    '"a',
    '"\\x41"',
    '"a\tb"',
    '"a\nb"',
    "[1,]",
    "[1 2]",
    "{,}",
    '{"a":1,}',
    "{'a':1}",
    '{"a" 1}',
    "{1:2}",
    "[1]]",
    "1 1",
    "{} x",
    "\ufeff{}",
    "\u00a01",
    "/* */ 1",
    "True",
]


class LoadsTest(unittest.TestCase):
    def test_reads_what_json_is(self):
        for text, value in [
            ("null", None),
            ("true", True),
            ("false", False),
            (" \t\r\n[ 1 , -2.5e3 ]\n", [1, -2500.0]),
            ('{"a":{"b":[]},"":""}', {"a": {"b": []}, "": ""}),
            ('"\\u00e9\\n\\/\\ud83d\\udea2"', "é\n/\U0001f6a2"),
            ('"\u2028\x7f"', "\u2028\x7f"),
        ]:
            with self.subTest(text):
                self.assertEqual(loads(text), value)

    def test_keeps_the_last_value_of_a_repeated_key(self):
        self.assertEqual(loads('{"a":1,"b":2,"a":3}'), {"a": 3, "b": 2})

    def test_keeps_lone_surrogates(self):
        self.assertEqual(loads('"\\ud800"'), "\ud800")

    def test_tells_integers_from_fractions(self):
        self.assertIs(type(loads("20")), int)
        self.assertIs(type(loads("20.0")), float)
        self.assertIs(type(loads("2e1")), float)

    def test_refuses_what_json_is_not(self):
        for text in REFUSED:
            with self.subTest(text):
                self.assertRaises(JsonError, loads, text)
                self.assertRaises(JsonError, loads_exact, text)

    def test_refuses_nesting_that_would_exhaust_the_stack(self):
        for text in ("[" * 200_000, "[" * 200_000 + "]" * 200_000, '{"a":' * 200_000):
            with self.subTest(text[:5]):
                self.assertRaises(JsonError, loads, text)

    def test_takes_an_integer_that_no_double_holds_for_infinite(self):
        self.assertEqual(loads("1" + "0" * 5000), math.inf)
        self.assertEqual(loads("-" + "9" * 5000), -math.inf)
        self.assertEqual(loads("1" + "0" * 308), 10**308)
        self.assertIs(type(loads("1" + "0" * 308)), int)


class LoadsExactTest(unittest.TestCase):
    def test_writes_numbers_back_as_they_were_read(self):
        text = '[1.0,1e2,-0,0.10,1E+5,123456789012345678901234567890,{"a":2.50}]'
        self.assertEqual(dumps(loads_exact(text)), text)

    def test_marks_numbers_only(self):
        one, text = loads_exact('[1,"1"]')
        self.assertIsInstance(one, Number)
        self.assertNotIsInstance(text, Number)


class NumberTest(unittest.TestCase):
    def test_spells_numbers_as_ecmascript_does(self):
        for value, text in NUMBERS:
            with self.subTest(text):
                self.assertEqual(number(value), text)

    def test_spells_every_double_so_that_it_reads_back(self):
        random_bits = random.Random(1)
        for _ in range(3000):
            value = struct.unpack("<d", random_bits.getrandbits(64).to_bytes(8, "little"))[0]
            if math.isfinite(value):
                with self.subTest(value):
                    self.assertEqual(float(number(value)), value)

    def test_refuses_what_json_has_no_number_for(self):
        for value in (math.inf, -math.inf, math.nan):
            with self.subTest(value):
                self.assertRaises(TypeError, number, value)


class DumpsTest(unittest.TestCase):
    def test_writes_compact_json_in_the_order_of_the_keys(self):
        value = {"b": [1, True, None, "x"], "a": {}, "": [], "c": (0.5, False)}
        self.assertEqual(dumps(value), '{"b":[1,true,null,"x"],"a":{},"":[],"c":[0.5,false]}')

    def test_escapes_what_json_stringify_escapes_and_nothing_else(self):
        for text, escaped in [
            ('"\\/', '\\"\\\\/'),
            ("\b\t\n\f\r", "\\b\\t\\n\\f\\r"),
            ("\0\x0b\x1f", "\\u0000\\u000b\\u001f"),
            ("\x7f\x80\u2028\ufeffé\U0001f6a2", "\x7f\x80\u2028\ufeffé\U0001f6a2"),
        ]:
            with self.subTest(escaped):
                self.assertEqual(dumps(text), '"%s"' % escaped)
                self.assertEqual(dumps({text: 1}), '{"%s":1}' % escaped)

    def test_writes_booleans_as_booleans(self):
        self.assertEqual(dumps([True, 1, False, 0]), "[true,1,false,0]")

    def test_refuses_what_json_cannot_hold(self):
        for value in (object(), {1, 2}, b"x", [math.nan]):
            with self.subTest(repr(value)):
                self.assertRaises(TypeError, dumps, value)

    def test_agrees_with_json_on_texts(self):
        value = {"a": ["é", "\u2028", 1, {"b": None}], "c": "x\n"}
        self.assertEqual(dumps(value), json.dumps(value, ensure_ascii=False, separators=(",", ":")))


class DumpsSortedTest(unittest.TestCase):
    def test_agrees_with_dumps_but_for_the_order_of_keys(self):
        value = {"b": ["é\ud800\n\x7f", 2**53, -1, None, True, []], "a": {"z": "", "c": False}}
        text = dumps_sorted(value)
        self.assertEqual(text, dumps({"a": {"c": False, "z": ""}, "b": value["b"]}))

    def test_refuses_what_json_cannot_hold(self):
        for value in (b"", float("inf"), {1}):
            with self.subTest(repr(value)), self.assertRaises((TypeError, ValueError)):
                dumps_sorted([value])


class EncodeTest(unittest.TestCase):
    def test_writes_lone_surrogates_as_lower_case_escapes(self):
        self.assertEqual(encode(dumps("\ud800é\udfff")), b'"\\ud800\xc3\xa9\\udfff"')


class FallbackTest(unittest.TestCase):
    def test_reads_and_writes_the_same_without_the_accelerator(self):
        program = (
            "import sys; sys.modules['_json'] = None\n"
            "from adrkit_mcp.jsontext import JsonError, dumps, dumps_sorted, loads, loads_exact\n"
            "assert dumps_sorted({'b': [1, None], 'a': ''}) == '{\"a\":\"\",\"b\":[1,null]}'\n"
            "assert loads('[1, 2.5, \"\\\\u00e9\", null, {}]') == [1, 2.5, '\\xe9', None, {}]\n"
            "assert dumps(loads_exact('[1.0,\"\\\\n\"]')) == '[1.0,\"\\\\n\"]'\n"
            "for text in ('NaN', '01', '[1,]', '[' * 200000):\n"
            "    try:\n"
            "        loads(text)\n"
            "    except JsonError:\n"
            "        continue\n"
            "    raise SystemExit('accepted ' + text[:9])\n"
        )
        subprocess.run([sys.executable, "-c", program], check=True)


if __name__ == "__main__":
    unittest.main()
