import json
import unittest

from adrkit_mcp.tools import TOOLS, implementation
from adrkit_mcp.tools.definition import definition

NAMES = ["get_decision", "get_decision_context", "list_superseded", "search_decisions"]
PAGES = ["cursor", "limit", "findingsCursor", "findingsLimit"]


def subschemas(schema):
    """A schema and all schemas in it."""
    yield schema
    for key in ("properties", "$defs"):
        for inner in schema.get(key, {}).values():
            yield from subschemas(inner)
    for key in ("anyOf", "oneOf", "allOf"):
        for inner in schema.get(key, ()):
            yield from subschemas(inner)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from subschemas(schema[key])


class DefinitionsTest(unittest.TestCase):
    def test_are_exactly_four_in_one_order(self):
        self.assertEqual(list(TOOLS), NAMES)
        self.assertEqual([definition(name)["name"] for name in TOOLS], NAMES)

    def test_are_each_of_the_module_of_that_name(self):
        for name in TOOLS:
            with self.subTest(name):
                tool = implementation(name)
                self.assertEqual(tool.__name__, "adrkit_mcp.tools." + name)
                self.assertEqual(definition(name)["title"], tool.TITLE)

    def test_say_that_the_tools_only_read(self):
        for name in TOOLS:
            with self.subTest(name):
                self.assertEqual(
                    definition(name)["annotations"],
                    {
                        "readOnlyHint": True,
                        "destructiveHint": False,
                        "idempotentHint": True,
                        "openWorldHint": False,
                    },
                )

    def test_are_the_same_every_time_and_json(self):
        for name in TOOLS:
            with self.subTest(name):
                text = json.dumps(definition(name))
                self.assertEqual(json.dumps(definition(name)), text)

    def test_have_a_title_and_a_description_that_fits_a_client_s_limit(self):
        for name in TOOLS:
            with self.subTest(name):
                self.assertTrue(definition(name)["title"])
                self.assertLessEqual(len(definition(name)["description"]), 1024)

    def test_tell_where_rejected_decisions_are(self):
        self.assertIn('status ["rejected"]', definition("list_superseded")["description"])
        self.assertIn("rejected", definition("search_decisions")["description"])

    def test_ask_only_clients_with_large_results_not_to_spill_the_body(self):
        for name in TOOLS:
            with self.subTest(name):
                meta = definition(name).get("_meta")
                if name == "get_decision":
                    self.assertEqual(list(meta), ["anthropic/maxResultSizeChars"])
                    self.assertTrue(2 * 65_536 < meta["anthropic/maxResultSizeChars"] <= 500_000)
                else:
                    self.assertIsNone(meta)


class InputSchemaTest(unittest.TestCase):
    def test_names_every_argument_and_no_other(self):
        own = {
            "get_decision": ["ref"],
            "get_decision_context": ["files"],
            "list_superseded": [],
            "search_decisions": ["query", "status", "tags", "scope"],
        }
        for name, arguments in own.items():
            with self.subTest(name):
                schema = definition(name)["inputSchema"]
                self.assertEqual(list(schema["properties"]), arguments + PAGES)
                self.assertEqual(schema.get("required", []), arguments[:1])
                self.assertIs(schema["additionalProperties"], False)
                for argument in schema["properties"].values():
                    self.assertTrue(argument["description"])

    def test_limits_have_bounds_and_a_default(self):
        for name in TOOLS:
            for limit in ("limit", "findingsLimit"):
                with self.subTest(name=name, limit=limit):
                    schema = definition(name)["inputSchema"]["properties"][limit]
                    del schema["description"]
                    self.assertEqual(
                        schema, {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}
                    )


class SchemasTest(unittest.TestCase):
    def test_are_plain_objects_at_their_roots(self):
        for name in TOOLS:
            for key in ("inputSchema", "outputSchema"):
                with self.subTest(name=name, key=key):
                    schema = definition(name)[key]
                    self.assertEqual(schema["type"], "object")
                    self.assertFalse({"anyOf", "oneOf", "allOf", "if", "not"} & schema.keys())
                    self.assertIn("properties", schema)

    def test_hold_nothing_that_clients_stumble_over(self):
        for name in TOOLS:
            for key in ("inputSchema", "outputSchema"):
                for schema in subschemas(definition(name)[key]):
                    with self.subTest(name=name, key=key):
                        self.assertFalse({"$ref", "$defs", "oneOf", "allOf", "if"} & schema.keys())
                        self.assertIsInstance(schema.get("type", ""), str)
                        if key == "inputSchema":
                            self.assertNotIn("anyOf", schema)

    def test_name_every_outcome_of_every_tool(self):
        failures = ["invalid-cursor", "corpus-unavailable"]
        for name, outcomes in {
            "get_decision": [
                "found",
                "not-found",
                "ambiguous-local-id",
                "federated-log-unavailable",
            ],
            "get_decision_context": ["matches"],
            "list_superseded": ["entries"],
            "search_decisions": ["results"],
        }.items():
            with self.subTest(name):
                schema = definition(name)["outputSchema"]
                self.assertEqual(list(schema["properties"]), ["corpusHealth", "result"])
                self.assertEqual(schema["required"], ["result"])
                branches = schema["properties"]["result"]["anyOf"]
                self.assertEqual(
                    [branch["properties"]["outcome"]["const"] for branch in branches],
                    outcomes + failures,
                )


if __name__ == "__main__":
    unittest.main()
