from __future__ import annotations

import unittest

from . import schema_check
from .schema_check import Mismatch, validate_message, validate_structured

INFO = {"name": "s", "version": "1"}
META = {"io.modelcontextprotocol/serverInfo": INFO}
TOOL = {
    "name": "ping_pier",
    "inputSchema": {"type": "object"},
    "outputSchema": {
        "type": "object",
        "properties": {"lamps": {"type": "integer"}},
        "required": ["lamps"],
    },
}
LEGACY = schema_check.REVISIONS[:-1]
MODERN = schema_check.REVISIONS[-1]


def result(**members):
    return {"jsonrpc": "2.0", "id": 1, "result": members}


def error(code, **members):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": "No", **members}}


@unittest.skipIf(schema_check.missing(), schema_check.missing())
class MessageTest(unittest.TestCase):
    def test_legacy_results(self):
        answers = {
            "initialize": result(protocolVersion="x", capabilities={"tools": {}}, serverInfo=INFO),
            "ping": result(),
            "tools/list": result(tools=[{"name": "a", "inputSchema": {"type": "object"}}]),
            "tools/call": result(content=[{"type": "text", "text": ""}]),
        }
        for revision in LEGACY:
            for method, message in answers.items():
                with self.subTest(revision, method=method):
                    validate_message(message, revision, method)

    def test_legacy_results_that_lack_a_member(self):
        for revision in LEGACY:
            for method in ("initialize", "tools/list"):
                with self.subTest(revision, method=method), self.assertRaises(Mismatch):
                    validate_message(result(), revision, method)

    def test_modern_results(self):
        complete = {"resultType": "complete", "_meta": META}
        cached = {**complete, "ttlMs": 1, "cacheScope": "public"}
        answers = {
            "server/discover": result(**cached, supportedVersions=[MODERN], capabilities={}),
            "tools/list": result(**cached, tools=[]),
            "tools/call": result(**complete, content=[]),
            "subscriptions/listen": result(
                resultType="complete", _meta={"io.modelcontextprotocol/subscriptionId": 1}
            ),
        }
        for method, message in answers.items():
            with self.subTest(method):
                validate_message(message, MODERN, method)
            with self.subTest(method, without="resultType"), self.assertRaises(Mismatch):
                del message["result"]["resultType"]
                validate_message(message, MODERN, method)

    def test_every_reason_is_named(self):
        with self.assertRaisesRegex(Mismatch, "capabilities.*serverInfo"):
            validate_message(result(protocolVersion="x"), "2025-06-18", "initialize")

    def test_a_message_needs_its_frame(self):
        for revision in schema_check.REVISIONS:
            with self.subTest(revision), self.assertRaises(Mismatch):
                validate_message({"id": 1, "result": {}}, revision, "ping")

    def test_errors(self):
        for revision in schema_check.REVISIONS:
            with self.subTest(revision):
                validate_message({**error(-32602), "id": 1}, revision)
                validate_message(error(-32700), revision)
            with self.subTest(revision, id=None), self.assertRaises(Mismatch):
                validate_message({**error(-32700), "id": None}, revision)
            with self.subTest(revision, code="text"), self.assertRaises(Mismatch):
                validate_message({**error("text"), "id": 1}, revision)

    def test_an_unsupported_version_names_the_supported_ones(self):
        validate_message(error(-32022, data={"supported": [MODERN], "requested": "x"}), MODERN)
        with self.assertRaises(Mismatch):
            validate_message(error(-32022, data={"supported": [MODERN]}), MODERN)

    def test_notifications(self):
        method = "notifications/subscriptions/acknowledged"
        meta = {"io.modelcontextprotocol/subscriptionId": 1}
        message = {"jsonrpc": "2.0", "method": method}
        validate_message({**message, "params": {"_meta": meta, "notifications": {}}}, MODERN)
        with self.assertRaises(Mismatch):
            validate_message({**message, "params": {}}, MODERN)


@unittest.skipIf(schema_check.missing(), schema_check.missing())
class StructuredTest(unittest.TestCase):
    def test_an_answer_fits_its_schema(self):
        validate_structured(TOOL, {"lamps": 3})

    def test_an_answer_that_does_not(self):
        for structured in ({}, {"lamps": "3"}, None):
            with self.subTest(structured=structured), self.assertRaisesRegex(Mismatch, "ping_pier"):
                validate_structured(TOOL, structured)

    def test_a_schema_that_is_none(self):
        for name in ("inputSchema", "outputSchema"):
            with self.subTest(name), self.assertRaisesRegex(Mismatch, name):
                validate_structured({**TOOL, name: {"type": "structure"}}, {"lamps": 3})


if __name__ == "__main__":
    unittest.main()
