import json
import os
import subprocess
import sys
import threading
import time

from adrkit_mcp.decisionscope.contract import ARGUMENTS, definition
from tests.decisionscope import program
from tests.decisionscope.program import Session
from tests.decisionscope.service import CANARY, answering, failing, http, silent, structured
from tests.decisionscope.test_cli import ProgramCase
from tests.mcp.support import initialize, modern, request
from tests.support import PROJECT

ERAS = ("modern", "legacy")
NOBODY = {"RITHMO_MCP_TOKEN": CANARY, "RITHMO_MCP_URL": "http://127.0.0.1:1/mcp"}
OK = answering(structured({"org_id": "o"}))


class SessionCase(ProgramCase):
    def session(self, service=None, era="modern", **variables):
        given = service.environment(**variables) if service else variables
        return self.enterContext(Session(era, **given))


class StartTest(SessionCase):
    def test_tools_are_listed_without_token_and_network(self):
        for era in ERAS:
            for given in ({}, NOBODY, {"RITHMO_MCP_URL": "ftp://x", "HTTPS_PROXY": "socks5://x"}):
                with self.subTest(era, given=given):
                    session = self.session(era=era, **given)
                    session.ask(1, "tools/list")
                    tools = session.read()["result"]["tools"]
                    self.assertEqual(tools, [definition(name) for name in ARGUMENTS])
                    self.assertEqual(session.end(), (0, [], b""))

    def test_the_handshakes(self):
        with self.session(era="modern") as session:
            session.ask(1, "server/discover")
            result = session.read()["result"]
            self.assertEqual(result["supportedVersions"], ["2026-07-28"])
            self.assertIn("hold", result["instructions"])
            session.send(initialize(2, "2025-06-18"))
            self.assertEqual(session.read()["result"]["protocolVersion"], "2025-06-18")

    def test_what_is_not_needed_is_not_imported(self):
        heavy = {"ssl", "socket", "http.client", "urllib.parse", "email", "json", "re", "typing"}
        command = [sys.executable, "-X", "importtime", *program.COMMAND[1:], "mcp"]
        listing = json.dumps(modern(1, "tools/list")).encode() + b"\n"
        ended = subprocess.run(
            command, input=listing, capture_output=True, cwd=PROJECT, env=program.environment()
        )
        self.assertIn(b'"tools"', ended.stdout)
        lines = ended.stderr.decode().splitlines()
        names = [line.rpartition("|")[2].strip() for line in lines]
        ours = names[names.index("adrkit_mcp") :]
        self.assertIn("adrkit_mcp.decisionscope.mcp", ours)
        self.assertEqual(heavy.intersection(ours), set())
        self.assertEqual([name for name in ours if "corpus" in name or ".tools" in name], [])


class CallTest(SessionCase):
    def test_an_object_is_given_twice(self):
        data = '{"result":"found","answer":"Yes","confidence":0.90,"n":1e400}'
        service = self.service(answering('{"structuredContent":%s}' % data))
        for era in ERAS:
            with self.subTest(era):
                session = self.session(service, era)
                session.call("a", "query_decision", question="Why?", type="decision")
                line = session.process.stdout.readline().decode()
                self.assertIn('"structuredContent":%s' % data, line)
                result = json.loads(line)["result"]
                self.assertEqual(result["content"], [{"type": "text", "text": data}])
                self.assertNotIn("isError", result)
                self.assertEqual("resultType" in result, era == "modern")
                sent = service.visits[-1].message["params"]
                arguments = {"question": "Why?", "type": "decision"}
                self.assertEqual(sent, {"name": "query_decision", "arguments": arguments})

    def test_content_is_passed_on(self):
        content = [{"type": "text", "text": "All is well.", "annotations": {"priority": 1}}]
        session = self.session(self.service(answering({"content": content})))
        session.call(1, "whoami")
        result = session.read()["result"]
        self.assertEqual(result["content"], content)
        self.assertNotIn("structuredContent", result)

    def test_failures_are_results(self):
        error = {"content": [{"type": "text", "text": "one\ntwo"}], "isError": True}
        cases = [
            (self.service(answering(error)).environment(), "the endpoint answered: one\ntwo"),
            (
                self.service(failing({"code": -5, "message": "No " + CANARY})).environment(),
                "the endpoint answered: No *** (JSON-RPC error -5)",
            ),
            (self.service(http(403)).environment(), "lacks the scope mcp:read"),
            ({}, "RITHMO_MCP_TOKEN is not set"),
            ({"RITHMO_MCP_TOKEN": CANARY, "RITHMO_MCP_URL": "x"}, "RITHMO_MCP_URL is not a URL"),
            (NOBODY, "127.0.0.1:1 cannot be reached (Connection refused)"),
        ]
        for given, expected in cases:
            with self.subTest(expected):
                session = self.session(**given)
                session.call(1, "whoami")
                result = session.read()["result"]
                self.assertIs(result["isError"], True)
                self.assertNotIn("structuredContent", result)
                (block,) = result["content"]
                self.assertIn(expected, block["text"])
                self.assertEqual(session.end(), (0, [], b""))

    def test_arguments_are_checked_before_the_token(self):
        session = self.session()
        session.call(1, "query_decision")
        result = session.read()["result"]
        self.assertIs(result["isError"], True)
        self.assertIn("question: is missing", result["content"][0]["text"])
        session.call(2, "query_decisions", question="x")
        self.assertEqual(session.read()["error"]["code"], -32602)


class ConcurrencyTest(SessionCase):
    def test_eight_calls_at_a_time(self):
        def reply(visit):
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            together.wait(5)
            visit.pause(0.1)
            with lock:
                running -= 1
            OK(visit)

        running = most = 0
        lock, together = threading.Lock(), threading.Barrier(8)
        session = self.session(self.service(reply))
        for id in range(16):
            session.call(id, "whoami")
        answers = [session.read() for _ in range(16)]
        self.assertEqual({answer["id"] for answer in answers}, set(range(16)))
        self.assertTrue(all(answer["result"]["structuredContent"] for answer in answers))
        self.assertEqual(most, 8)

    def test_an_answer_is_not_held_up_by_another(self):
        def reply(visit):
            (silent if visit.arguments["question"] == "slow" else OK)(visit)

        session = self.session(self.service(reply))
        session.call("slow", "query_decision", question="slow")
        session.call("quick", "query_decision", question="quick")
        self.assertEqual(session.read()["id"], "quick")

    def test_a_cancelled_call_is_never_answered(self):
        def reply(visit):
            if visit.arguments["question"] == "cancelled":
                arrived.set()
                cancelled.wait(5)
            OK(visit)

        arrived, cancelled = threading.Event(), threading.Event()
        session = self.session(self.service(reply), "legacy")
        session.call(1, "query_decision", question="cancelled")
        self.assertTrue(arrived.wait(5))
        session.cancel(1)
        session.ask(2, "ping")
        self.assertEqual(session.read()["id"], 2)
        cancelled.set()
        session.call(3, "query_decision", question="other")
        self.assertEqual(session.read()["id"], 3)
        self.assertEqual(session.end(), (0, [], b""))

    def test_the_end_of_the_input_is_the_end(self):
        service = self.service(silent)
        session = self.session(service)
        session.call(1, "whoami")
        deadline = time.monotonic() + 5
        while not service.visits and time.monotonic() < deadline:
            time.sleep(0.01)
        closed = time.monotonic()
        code, _, err = session.end()
        self.assertEqual((code, err), (0, b""))
        self.assertLess(time.monotonic() - closed, 1.5)

    def test_what_was_asked_before_the_end_is_answered(self):
        service = self.service(OK)
        lines = [json.dumps(modern(id, "tools/call", name="whoami")) for id in range(20)]
        stdin = "".join(line + "\n" for line in lines).encode()
        ended = program.run("mcp", stdin=stdin, **service.environment())
        self.assertEqual((ended.returncode, ended.stderr), (0, b""))
        answers = [json.loads(line) for line in ended.stdout.splitlines()]
        self.assertEqual({answer["id"] for answer in answers}, set(range(20)))

    def test_a_batch(self):
        session = self.session(self.service(OK))
        session.send(initialize(0, "2025-03-26"))
        session.read()
        session.send([request(id, "tools/call", name="whoami") for id in (1, 2)])
        answers = session.read()
        self.assertEqual([answer["id"] for answer in answers], [1, 2])
        self.assertEqual(answers[1]["result"]["structuredContent"], {"org_id": "o"})


class SignalTest(SessionCase):
    def test_a_signal_ends_it_while_a_call_runs(self):
        service = self.service(silent)
        session = self.session(service)
        session.call(1, "whoami")
        deadline = time.monotonic() + 5
        while not service.visits and time.monotonic() < deadline:
            time.sleep(0.01)
        session.process.terminate()
        sent = time.monotonic()
        self.assertEqual(session.process.wait(10), 0)
        self.assertLess(time.monotonic() - sent, 1.5)

    def test_a_directory_of_certificates_and_no_home(self):
        self.assertNotIn("HOME", program.environment())
        self.assertEqual(program.environment()["SSL_CERT_DIR"], os.devnull)
        session = self.session(self.service(OK))
        session.call(1, "whoami")
        self.assertEqual(session.read()["result"]["structuredContent"], {"org_id": "o"})
