import json
import unittest

from adrkit_mcp import jsontext
from adrkit_mcp.decisionscope.answer import read_answer
from adrkit_mcp.decisionscope.failures import Failure, RemoteError


def text(value):
    return {"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}


class DataTest(unittest.TestCase):
    def check(self, result, data, content, structured):
        answer = read_answer(result)
        self.assertEqual(answer.data, data)
        self.assertEqual(answer.content, content)
        self.assertEqual(answer.structured, structured)

    def test_an_object_with_its_copy_as_text(self):
        content = [text({"a": 1})]
        answer = read_answer(jsontext.loads_exact(jsontext.dumps(
            {"content": content, "structuredContent": {"a": 1}}
        )))  # fmt: skip
        self.assertEqual(answer.content, content)
        self.assertEqual(jsontext.dumps(answer.structured), '{"a":1}')

    def test_an_object_without_its_copy_gets_one_before_what_there_is(self):
        data = {"a": "b"}
        for content in ([], [text("a summary")], [{"type": "image"}], [text({"a": "c"})]):
            with self.subTest(content):
                result = {"content": content, "structuredContent": data}
                self.check(result, data, [text('{"a":"b"}'), *content], data)
        self.check({"structuredContent": data}, data, [text('{"a":"b"}')], data)

    def test_an_object_as_text_alone(self):
        content = [{"type": "image"}, text('{ "a": "b" }'), text('{"c": "d"}')]
        self.check({"content": content}, {"a": "b"}, content, {"a": "b"})

    def test_other_values_are_no_structured_content(self):
        for value in (["a"], "a", True, []):
            with self.subTest(value):
                self.check({"content": [text(value)]}, value, [text(value)], None)
                wrapped = {"content": [], "structuredContent": value}
                self.check(wrapped, value, [text(jsontext.dumps(value))], None)

    def test_null_as_text(self):
        self.check({"content": [text("null")]}, None, [text("null")], None)

    def test_text_that_is_no_json(self):
        content = [text("All is well."), text("{}")]
        self.check({"content": content}, "All is well.", content, None)

    def test_content_without_text(self):
        content = [{"type": "image", "data": ""}, {"type": "text"}, "odd"]
        self.check({"content": content}, content, content, None)
        self.check({"content": []}, [], [], None)

    def test_a_result_that_is_not_wrapped(self):
        for value in ({"result": "no_record"}, {"content": "x"}, ["a"], "a", None, {}):
            with self.subTest(value):
                structured = value if isinstance(value, dict) else None
                self.check(value, value, [text(jsontext.dumps(value))], structured)

    def test_marks_of_the_modern_era(self):
        result = {"resultType": "complete", "content": [text("{}")], "_meta": {}}
        self.check(result, {}, [text("{}")], {})


class ErrorTest(unittest.TestCase):
    def test_an_error_of_the_tool(self):
        cases = {
            "first\nsecond": [text("first"), {"type": "image"}, text("second")],
            '{"code":"x"}': [text('{"code":"x"}')],
            '{"content":[],"isError":true}': [],
        }
        for expected, content in cases.items():
            with self.subTest(expected), self.assertRaises(RemoteError) as caught:
                read_answer({"content": content, "isError": True})
            self.assertEqual(str(caught.exception), "the endpoint answered: " + expected)

    def test_only_true_is_an_error(self):
        for mark in (False, None, "true", 1):
            with self.subTest(mark):
                answer = read_answer({"content": [text("{}")], "isError": mark})
                self.assertEqual(answer.data, {})

    def test_a_question_back(self):
        with self.assertRaisesRegex(Failure, "asks for more input"):
            read_answer({"resultType": "input_required", "inputRequests": {}})
