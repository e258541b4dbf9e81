import json
import unittest

from adrkit_mcp.arguments import InvalidArguments
from adrkit_mcp.decisionscope.contract import ARGUMENTS, check, definition

NAMES = ["query_decision", "list_decision_changes", "whoami"]


class ArgumentsTest(unittest.TestCase):
    def test_what_is_right_is_forwarded_as_it_is(self):
        full = {"question": " Why? ", "type": "decision", "owner": "P", "area": "a", "surface": "s"}
        cases = [
            ("query_decision", {"question": "Why?"}),
            ("query_decision", {"question": "質問" * 5000}),
            ("query_decision", full),
            ("query_decision", {"question": "x", "type": "action_item"}),
            ("query_decision", {"question": "x", "type": "follow_up"}),
            ("list_decision_changes", {}),
            ("list_decision_changes", {"since": "0_"}),
            ("list_decision_changes", {"since": " 1_\n ", "limit": 1}),
            ("list_decision_changes", {"limit": 200}),
            ("whoami", {}),
        ]
        for name, arguments in cases:
            with self.subTest(name, arguments=arguments):
                self.assertEqual(check(name, arguments), arguments)

    def test_a_whole_number_may_have_a_point(self):
        self.assertEqual(json.dumps(check("list_decision_changes", {"limit": 5.0})), '{"limit": 5}')

    def test_what_is_wrong_is_named(self):
        cases = [
            ("query_decision", {}, "question"),
            ("query_decision", {"question": ""}, "question"),
            ("query_decision", {"question": " \n\u3000"}, "question"),
            ("query_decision", {"question": 1}, "question"),
            ("query_decision", {"question": None}, "question"),
            ("query_decision", {"question": "x", "type": "bad"}, "type"),
            ("query_decision", {"question": "x", "type": "Decision"}, "type"),
            ("query_decision", {"question": "x", "type": ""}, "type"),
            ("query_decision", {"question": "x", "owner": ""}, "owner"),
            ("query_decision", {"question": "x", "area": []}, "area"),
            ("query_decision", {"question": "x", "surface": 5}, "surface"),
            ("query_decision", {"question": "x", "limit": 5}, "limit"),
            ("list_decision_changes", {"since": ""}, "since"),
            ("list_decision_changes", {"since": 0}, "since"),
            ("list_decision_changes", {"since": None}, "since"),
            ("list_decision_changes", {"limit": 0}, "limit"),
            ("list_decision_changes", {"limit": 201}, "limit"),
            ("list_decision_changes", {"limit": 1.5}, "limit"),
            ("list_decision_changes", {"limit": "50"}, "limit"),
            ("list_decision_changes", {"limit": True}, "limit"),
            ("list_decision_changes", {"limit": float("inf")}, "limit"),
            ("whoami", {"token": "x"}, "token"),
        ]
        for name, arguments, expected in cases:
            with self.subTest(name, arguments=arguments):
                with self.assertRaises(InvalidArguments) as caught:
                    check(name, arguments)
                self.assertIn(expected + ":", str(caught.exception))


class DefinitionTest(unittest.TestCase):
    def test_the_tools_in_their_order(self):
        self.assertEqual(list(ARGUMENTS), NAMES)

    def test_what_is_listed(self):
        for name in NAMES:
            with self.subTest(name):
                shown = definition(name)
                members = ["name", "title", "description", "inputSchema", "annotations"]
                self.assertEqual(list(shown), members)
                self.assertEqual(shown["annotations"], {
                    "readOnlyHint": True, "destructiveHint": False,
                    "idempotentHint": True, "openWorldHint": True,
                })  # fmt: skip
                self.assertLess(len(shown["description"]), 1000)

    def test_schemas(self):
        schemas = {name: definition(name)["inputSchema"] for name in NAMES}
        for name, schema in schemas.items():
            with self.subTest(name):
                self.assertEqual(schema["type"], "object")
                self.assertIs(schema["additionalProperties"], False)
                for member in schema["properties"].values():
                    self.assertIsInstance(member["type"], str)
                    self.assertTrue(member["description"])
        query = schemas["query_decision"]
        self.assertEqual(query["required"], ["question"])
        self.assertEqual(
            list(query["properties"]), ["question", "type", "owner", "area", "surface"]
        )
        types = ["action_item", "follow_up", "decision"]
        self.assertEqual(query["properties"]["type"]["enum"], types)
        changes = schemas["list_decision_changes"]
        self.assertNotIn("required", changes)
        self.assertEqual(list(changes["properties"]), ["since", "limit"])
        limit = changes["properties"]["limit"]
        found = (limit["type"], limit["minimum"], limit["maximum"], limit["default"])
        self.assertEqual(found, ("integer", 1, 200, 50))
        self.assertEqual(schemas["whoami"]["properties"], {})

    def test_the_size_of_the_list(self):
        text = json.dumps([definition(name) for name in NAMES])
        self.assertLess(len(text), 4000)
