import math
import unittest

from adrkit_mcp.schema import (
    Boolean,
    Choice,
    Form,
    Integer,
    ListOf,
    MapOf,
    Number,
    Object,
    Text,
    by_path,
    defaulted,
    dotted,
    kind,
    optional,
    required,
)

DIGITS = Form(str.isdigit, "digits")


def check(node, value):
    """(what `check` makes of a value, the rules it breaks and where)."""
    issues = []
    result = node.check(value, issues)
    return result, [(issue.rule, dotted(issue.path)) for issue in issues]


def rules(node, value):
    return [rule for rule, _ in check(node, value)[1]]


class TextTest(unittest.TestCase):
    def test_takes_strings_only(self):
        self.assertEqual(check(Text(), "x"), ("x", []))
        for value in (None, 1, 1.5, True, [], {}):
            with self.subTest(value):
                self.assertEqual(check(Text(), value), (value, [("invalid-type", "")]))

    def test_measures_in_utf16_units(self):
        node = Text(3, 4)
        self.assertEqual(rules(node, "\U0001f6a2\U0001f6a2"), [])
        self.assertEqual(rules(node, "\U0001f6a2"), ["invalid-size"])
        self.assertEqual(rules(node, "\U0001f6a2\U0001f6a2a"), ["invalid-size"])
        self.assertEqual(rules(node, "ab"), ["invalid-size"])
        self.assertEqual(rules(node, "abc"), [])
        self.assertEqual(rules(node, "abcd"), [])

    def test_measures_whatever_has_a_length_in_javascript(self):
        node = Text(3, 120)
        for value, expected in [
            ([], ["invalid-type", "invalid-size"]),
            (["a", "b", "c"], ["invalid-type"]),
            ({}, ["invalid-type"]),
            ({"length": 2}, ["invalid-type", "invalid-size"]),
            ({"length": 3}, ["invalid-type"]),
            ({"length": "2"}, ["invalid-type"]),
            ({"length": True}, ["invalid-type"]),
            (5, ["invalid-type"]),
        ]:
            with self.subTest(value):
                self.assertEqual(rules(node, value), expected)
        self.assertEqual(rules(Text(), []), ["invalid-type"])

    def test_checks_form_and_length_each_on_its_own(self):
        self.assertEqual(rules(Text(3, form=DIGITS), "x"), ["invalid-size", "invalid-format"])
        self.assertEqual(rules(Text(form=DIGITS), "12"), [])


class ChoiceTest(unittest.TestCase):
    def test_takes_its_values_exactly(self):
        node = Choice("a", "b")
        self.assertEqual(rules(node, "a"), [])
        for value in ("A", "a ", "", None, 1, True, ["a"], {}):
            with self.subTest(value):
                self.assertEqual(rules(node, value), ["invalid-enum-value"])


class BooleanTest(unittest.TestCase):
    def test_takes_booleans_only(self):
        self.assertEqual(rules(Boolean(), True), [])
        self.assertEqual(rules(Boolean(), False), [])
        for value in (0, 1, "true", None):
            with self.subTest(value):
                self.assertEqual(rules(Boolean(), value), ["invalid-type"])


class NumberTest(unittest.TestCase):
    def test_takes_finite_numbers_within_bounds(self):
        node = Number(0, 4)
        for value in (0, 4, 0.5, -0.0, 3.999):
            with self.subTest(value):
                self.assertEqual(rules(node, value), [])
        for value in (-1, 4.001, 10**100):
            with self.subTest(value):
                self.assertEqual(rules(node, value), ["invalid-size"])

    def test_refuses_other_types_and_what_no_double_holds(self):
        for value in (math.inf, -math.inf, math.nan, 10**400, "1", True, None, []):
            with self.subTest(str(value)[:20]):
                self.assertEqual(rules(Number(), value), ["invalid-type"])

    def test_draws_the_line_where_doubles_round_to_infinity(self):
        overflow = 2**1024 - 2**970
        self.assertEqual(rules(Number(), overflow - 1), [])
        self.assertEqual(rules(Number(), overflow), ["invalid-type"])
        self.assertEqual(rules(Number(), 1 - overflow), [])
        self.assertEqual(rules(Number(), -overflow), ["invalid-type"])


class IntegerTest(unittest.TestCase):
    def test_takes_whole_numbers_however_they_are_written(self):
        for value, result in [(5, 5), (5.0, 5), (4e0, 4), (-0.0, 0)]:
            with self.subTest(value):
                made, issues = check(Integer(minimum=0), value)
                self.assertEqual((made, type(made), issues), (result, int, []))

    def test_takes_fractions_for_a_wrong_type_and_measures_nothing_then(self):
        for value in (1.5, -0.5, 99.999, math.inf, math.nan, True, "1", None):
            with self.subTest(value):
                self.assertEqual(rules(Integer(0, 4), value), ["invalid-type"])

    def test_names_an_unsafe_negative_twice(self):
        self.assertEqual(rules(Integer(minimum=0), -1), ["invalid-size"])
        self.assertEqual(rules(Integer(minimum=0), 2**53), ["invalid-size"])
        self.assertEqual(rules(Integer(minimum=0), -(2**53)), ["invalid-size", "invalid-size"])
        self.assertEqual(rules(Integer(minimum=0), 2**53 - 1), [])


class ListOfTest(unittest.TestCase):
    def test_names_each_item_by_its_index(self):
        node = ListOf(Text(form=DIGITS))
        self.assertEqual(
            check(node, ["1", "x", None])[1], [("invalid-format", "1"), ("invalid-type", "2")]
        )

    def test_takes_lists_only(self):
        for value in (None, "a", {}, 1):
            with self.subTest(value):
                self.assertEqual(rules(ListOf(Text()), value), ["invalid-type"])

    def test_counts_items(self):
        node = ListOf(Text(), 1, 2)
        self.assertEqual(rules(node, []), ["invalid-size"])
        self.assertEqual(rules(node, ["a", "b"]), [])
        self.assertEqual(rules(node, ["a", "b", "c"]), ["invalid-size"])

    def test_compares_items_exactly_once_a_list(self):
        node = ListOf(Text(), unique=True)
        self.assertEqual(rules(node, ["a", "A", "\xe9", "e\u0301"]), [])
        self.assertEqual(check(node, ["a", "a", "b", "b"])[1], [("unique-items", "")])
        self.assertEqual(rules(ListOf(Text()), ["a", "a"]), [])

    def test_compares_items_that_are_only_malformed_but_not_those_of_a_wrong_type(self):
        node = ListOf(Text(form=DIGITS), unique=True)
        self.assertEqual(rules(node, ["x", "x"]), ["invalid-format"] * 2 + ["unique-items"])
        self.assertEqual(rules(node, ["1", "1", 1]), ["invalid-type"])
        self.assertEqual(rules(node, [1, 1]), ["invalid-type"] * 2)


class MapOfTest(unittest.TestCase):
    def test_checks_each_value_under_its_key(self):
        self.assertEqual(
            check(MapOf(Number()), {"a.b": "x", "": None, "c": 1})[1],
            [("invalid-type", "a.b"), ("invalid-type", "")],
        )
        self.assertEqual(rules(MapOf(Number()), []), ["invalid-type"])

    def test_lists_array_indexes_first_and_ascending(self):
        keys = ["b", "10", "2", "01", "4294967295", "4294967294", "a", "0", "-1", "\u0663", "1.0"]
        result, issues = check(MapOf(Number()), dict.fromkeys(keys, 1))
        self.assertEqual(issues, [])
        self.assertEqual(
            list(result),
            ["0", "2", "10", "4294967294", "b", "01", "4294967295", "a", "-1", "\u0663", "1.0"],
        )

    def test_drops_proto_with_its_value_unchecked(self):
        self.assertEqual(check(MapOf(Number()), {"__proto__": "x", "a": 1}), ({"a": 1}, []))


class ObjectTest(unittest.TestCase):
    node = Object({
        "a": required(Text()),
        "kind": required(Choice("x", "y")),
        "list": defaulted(ListOf(Text()), []),
        "note": optional(Text()),
        "inner": optional(Object({"flag": defaulted(Boolean(), False)})),
    })  # fmt: skip

    def test_fills_defaults_in_the_order_of_the_declaration(self):
        result, issues = check(self.node, {"inner": {}, "kind": "y", "a": "1"})
        self.assertEqual(issues, [])
        self.assertEqual(
            list(result.items()),
            [("a", "1"), ("kind", "y"), ("list", []), ("inner", {"flag": False})],
        )

    def test_names_missing_fields_by_the_rule_of_their_kind(self):
        self.assertEqual(
            check(self.node, {})[1], [("required-field", "a"), ("invalid-enum-value", "kind")]
        )

    def test_takes_null_for_a_value_and_never_for_absence(self):
        value = dict.fromkeys(("a", "kind", "list", "note", "inner"))
        self.assertEqual(
            check(self.node, value)[1],
            [
                ("invalid-type", "a"),
                ("invalid-enum-value", "kind"),
                ("invalid-type", "list"),
                ("invalid-type", "note"),
                ("invalid-type", "inner"),
            ],
        )

    def test_names_every_unknown_key_at_every_level(self):
        value = {"a": "", "kind": "x", "b": 1, "": 2, "constructor": 3, "inner": {"length": 1}}
        self.assertEqual(
            check(self.node, value)[1],
            [
                ("strict-unknown-key", "inner.length"),
                ("strict-unknown-key", "b"),
                ("strict-unknown-key", ""),
                ("strict-unknown-key", "constructor"),
            ],
        )

    def test_ignores_proto_at_every_level(self):
        value = {"a": "", "kind": "x", "__proto__": 1, "inner": {"__proto__": 2}}
        result, issues = check(self.node, value)
        self.assertEqual(issues, [])
        self.assertEqual(result["inner"], {"flag": False})
        self.assertNotIn("__proto__", result)

    def test_takes_maps_only(self):
        for value in (None, [], "a", 1):
            with self.subTest(value):
                self.assertEqual(check(self.node, value)[1], [("invalid-type", "")])

    def test_reports_all_shape_errors_of_the_tree_together(self):
        value = {"a": 1, "kind": "z", "list": [1, "b", 2], "inner": {"flag": 1, "x": 1}, "z": 1}
        self.assertEqual(len(check(self.node, value)[1]), 7)


class IssueTest(unittest.TestCase):
    def test_calls_wrong_shapes_hard_and_wrong_meanings_soft(self):
        issues = []
        node = Object({
            "kind": required(Choice("x")),
            "text": required(Text(2, form=DIGITS)),
            "list": required(ListOf(Text(), unique=True)),
            "gone": required(Text()),
        })  # fmt: skip
        node.check({"kind": "y", "text": "x", "list": ["a", "a"], "more": 1}, issues)
        node.check([], issues)
        self.assertEqual(
            {issue.rule: issue.hard for issue in issues},
            {
                "invalid-enum-value": True,
                "required-field": True,
                "strict-unknown-key": True,
                "invalid-type": True,
                "invalid-size": False,
                "invalid-format": False,
                "unique-items": False,
            },
        )

    def test_sorts_by_path_whatever_the_order_of_the_data(self):
        orders = []
        for value in ({"b": 1, "a": 1}, {"a": 1, "b": 1}):
            issues = []
            Object({}).check(value, issues)
            orders.append([dotted(issue.path) for issue in sorted(issues, key=by_path)])
        self.assertEqual(orders, [["a", "b"]] * 2)


class KindTest(unittest.TestCase):
    def test_names_json_types(self):
        for value, name in [
            (None, "null"),
            (True, "a boolean"),
            (1, "a number"),
            (1.5, "a number"),
            ("", "a string"),
            ([], "a list"),
            ({}, "a map"),
        ]:
            with self.subTest(name):
                self.assertEqual(kind(value), name)


class JsonSchemaTest(unittest.TestCase):
    def test_prints_itself_as_json_schema(self):
        node = Object({
            "query": required(Text(1, 256), "What to look for."),
            "status": optional(ListOf(Choice("a", "b"), 1, 2, unique=True)),
            "limit": defaulted(Integer(1, 100), 20, "Items."),
            "scores": optional(MapOf(Number(0, 4))),
            "flag": optional(Boolean()),
        })  # fmt: skip
        self.assertEqual(
            node.json_schema(),
            {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "What to look for."},
                    "status": {
                        "type": "array",
                        "items": {"type": "string", "enum": ["a", "b"]},
                        "minItems": 1,
                        "maxItems": 2,
                    },
                    "limit": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 100,
                        "description": "Items.",
                        "default": 20,
                    },
                    "scores": {
                        "type": "object",
                        "additionalProperties": {"type": "number", "minimum": 0, "maximum": 4},
                    },
                    "flag": {"type": "boolean"},
                },
                "required": ["query"],
                "additionalProperties": False,
            },
        )


if __name__ == "__main__":
    unittest.main()
