from __future__ import annotations

import json
import shutil
import subprocess
import unittest

from .. import support
from ..support import CLIENT, ENVELOPE, PREFIX, Repository, accepted, governing, record, superseded
from . import schema_check

LEGACY = schema_check.REVISIONS[:-1]
MODERN = schema_check.REVISIONS[-1]
CALLS = (
    ("search_decisions", {"query": "queue"}, "results"),
    ("search_decisions", {"query": "queue", "limit": 1, "findingsLimit": 1}, "results"),
    ("search_decisions", {"query": "queue", "cursor": "x"}, "invalid-cursor"),
    ("get_decision", {"ref": "0001"}, "found"),
    ("get_decision", {"ref": "0009"}, "not-found"),
    ("get_decision", {"ref": "0003"}, "ambiguous-local-id"),
    ("get_decision", {"ref": "other:0001"}, "federated-log-unavailable"),
    ("get_decision_context", {"files": ["src/a.py"]}, "matches"),
    ("list_superseded", {}, "entries"),
)
UNKNOWN_TOOL = {"name": "no_such_tool", "arguments": {}}
BAD_CALL = {"name": "get_decision", "arguments": {"ref": 1}}


def repository(test):
    """A corpus in which every outcome and every kind of superseding target occurs."""
    made = Repository(test)
    made.add(
        accepted("0001", "Use one queue", "The queue.", affects=governing("src/**")),
        record("0002", "Use two queues", affects=governing("src/*.py"), relatesTo=["0009"]),
        superseded("0004", "0001", "Use no queue", affects=governing("**/a.py")),
        superseded("0005", "0009"),
        superseded("0006", "0003"),
        superseded("0007", "other:0001"),
        accepted("0008", affects=[{"type": "package", "pattern": "queue@latest"}]),
    )
    made.write("0003-a.md", record("0003"))
    made.write("0003-b.md", record("0003"))
    made.write("0010-invalid.md", record("0010", status="undecided", oddity=1))
    made.write("notes.md", "not a record")
    return made


def requests(revision):
    """The requests of a session, in order; every one is answered."""
    if revision == MODERN:
        yield "server/discover", {}
    else:
        yield "initialize", {"protocolVersion": revision, "capabilities": {}, "clientInfo": CLIENT}
        yield "ping", {}
    yield "tools/list", {}
    for tool, arguments, _ in CALLS:
        yield "tools/call", {"name": tool, "arguments": arguments}
    yield "tools/call", BAD_CALL
    yield "tools/call", UNKNOWN_TOOL
    yield "tools/call", {}
    yield "no/such/method", {}
    if revision == MODERN:
        yield "tools/list", {"_meta": {**ENVELOPE, PREFIX + "protocolVersion": "2099-01-01"}}
        yield "subscriptions/listen", {"notifications": {"toolsListChanged": True}}


def exchange(made, revision):
    """What the server writes in a session: (method of the request or "", message) in order."""
    lines, methods = [], {}
    for id, (method, params) in enumerate(requests(revision)):
        if revision == MODERN:
            params = {"_meta": ENVELOPE, **params}
        methods[id] = method
        lines.append(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    ended = subprocess.run(
        [*support.COMMAND, "--cwd", made.root, "--dir", made.dir],
        input="\n".join([*lines, "no JSON", "[]", ""]).encode("ascii"),
        stdout=subprocess.PIPE,
        cwd=support.PROJECT,
        check=True,
        timeout=60,
    )
    for line in ended.stdout.splitlines():
        message = json.loads(line)
        yield methods.get(message.get("id"), ""), message


@unittest.skipIf(schema_check.missing(), schema_check.missing())
class WireSchemaTest(unittest.TestCase):
    def test_all_that_is_sent_fits_the_schema_of_the_revision(self):
        made = repository(self)
        for revision in schema_check.REVISIONS:
            sent = list(exchange(made, revision))
            asked = [method for method, _ in requests(revision)]
            # The two bad lines at the end are answered as well, and a subscription at its end, too.
            extra = 3 if revision == MODERN else 2
            self.assertEqual(len(sent), len(asked) + extra)
            for method, message in sent:
                with self.subTest(revision, message=message):
                    schema_check.validate_message(message, revision, method)

    def test_all_answers_fit_the_output_schemas_of_their_tools(self):
        made = repository(self)
        for revision in (LEGACY[-1], MODERN):
            results = [message.get("result", {}) for _, message in exchange(made, revision)]
            tools = next(result["tools"] for result in results if "tools" in result)
            defined = {tool["name"]: tool for tool in tools}
            structured = [
                result["structuredContent"] for result in results if "structuredContent" in result
            ]
            self.assertEqual(len(structured), len(CALLS))
            for (tool, arguments, outcome), answer in zip(CALLS, structured):
                with self.subTest(revision, tool=tool, arguments=arguments):
                    self.assertEqual(answer["result"]["outcome"], outcome)
                    schema_check.validate_structured(defined[tool], answer)

    def test_an_unavailable_corpus_fits_them_too(self):
        made = repository(self)
        with support.Client(made.root, made.dir) as client:
            tools = client.request("tools/list")["result"]["tools"]
            shutil.rmtree(made.path())
            for tool in tools:
                arguments = next(given for name, given, _ in CALLS if name == tool["name"])
                with self.subTest(tool["name"]):
                    answer = client.structured(tool["name"], **arguments)
                    self.assertEqual(answer["result"]["outcome"], "corpus-unavailable")
                    schema_check.validate_structured(tool, answer)


if __name__ == "__main__":
    unittest.main()
