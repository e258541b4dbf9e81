import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from adrkit_mcp import __version__
from tests.decisionscope import program
from tests.decisionscope.service import CANARY, answering, failing, http, silent, structured
from tests.decisionscope.support import ServiceCase
from tests.mcp.support import modern
from tests.support import PROJECT

OK = answering(structured({"org_id": "o", "scopes": ["mcp:read"]}))
OUT = b'{"org_id":"o","scopes":["mcp:read"]}\n'


class ProgramCase(ServiceCase):
    def setUp(self):
        pass  # what a program of its own is given does not concern this process

    def check(self, words, code, out=b"", *err, **variables):
        ended = program.run(*words, **variables)
        self.assertEqual((ended.returncode, ended.stdout), (code, out), ended.stderr)
        text = ended.stderr.decode()
        for part in err:
            self.assertIn(part, text)
        if not err:
            self.assertEqual(text, "")
        return text


class CallTest(ProgramCase):
    def check_call(self, words, tool, arguments):
        service = self.service(OK)
        self.check(words, 0, OUT, **service.environment())
        (visit,) = service.visits
        self.assertEqual(visit.message["params"], {"name": tool, "arguments": arguments})

    def test_the_commands(self):
        question = "Are we still shipping the new onboarding flow?"
        query = ["query_decision", question]
        changes = "list_decision_changes"
        cases = [
            (query, {"question": question}),
            ([*query, "--type", "decision"], {"question": question, "type": "decision"}),
            (
                ["query_decision", "--owner=Priya", question, "--surface", "jira", "--area", "a=b"],
                {"question": question, "owner": "Priya", "surface": "jira", "area": "a=b"},
            ),
            (["query_decision", "--", "--why?"], {"question": "--why?"}),
            (["query_decision", "-"], {"question": "-"}),
            ([changes], {}),
            ([changes, "--since", "0_", "--limit", "200"], {"since": "0_", "limit": 200}),
            ([changes, "--since= 7_ ", "--limit=1"], {"since": " 7_ ", "limit": 1}),
            (["whoami"], {}),
        ]
        for words, arguments in cases:
            with self.subTest(words):
                self.check_call(words, words[0], arguments)

    def test_the_locale_does_not_matter(self):
        service = self.service(OK)
        for variables in (
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            {"PYTHONIOENCODING": "ascii"},
            {"LC_ALL": "C.UTF-8"},
        ):
            with self.subTest(variables):
                program.run("query_decision", "Messgerät 質", **service.environment(**variables))
                self.assertEqual(service.visits[-1].arguments, {"question": "Messgerät 質"})

    def test_a_hold_is_no_failure(self):
        for text in (
            '{"result":"no_record"}',
            '{"result":"no_record","record":{"reason":"record_unavailable:db"}}',
            '{"changes":[],"cursor":"7_ä","has_more":false}',
            '{"n":1.10,"big":123456789012345678901234567890}',
        ):
            with self.subTest(text):
                service = self.service(answering('{"structuredContent":%s}' % text))
                out = text.encode() + b"\n"
                self.check(["query_decision", "x"], 0, out, **service.environment())

    def test_data_that_is_no_object(self):
        for content, expected in (
            ([{"type": "text", "text": "[1]"}], b"[1]\n"),
            ([{"type": "text", "text": "so be it"}], b'"so be it"\n'),
            ([], b"[]\n"),
        ):
            service = self.service(answering({"content": content}))
            self.check(["whoami"], 0, expected, **service.environment())

    @unittest.skipUnless(hasattr(os, "openpty"), "this system has no terminals to make")
    def test_on_a_terminal(self):
        text = '{"a":[1.0,{}],"b\\u009b":"\\u202e\\ud83d\\ude00\\udb40\\udc41é\\n","c":[]}'
        service = self.service(answering('{"structuredContent":%s}' % text))
        ours, theirs = os.openpty()
        environment = program.environment(**service.environment())
        subprocess.run([*program.COMMAND, "whoami"], stdout=theirs, cwd=PROJECT, env=environment)
        os.close(theirs)
        shown = os.read(ours, 65536).decode().replace("\r\n", "\n")
        os.close(ours)
        self.assertEqual(shown, (
            '{\n  "a": [\n    1.0,\n    {}\n  ],\n'
            '  "b\\u009b": "\\u202e😀\\udb40\\udc41é\\n",\n  "c": []\n}\n'
        ))  # fmt: skip
        self.assertEqual(json.loads(shown), json.loads(text))


class FailureTest(ProgramCase):
    def test_no_token(self):
        for variables in ({}, {"RITHMO_MCP_TOKEN": ""}):
            for words in (["query_decision", "x"], ["list_decision_changes"], ["whoami"]):
                with self.subTest(words, variables=variables):
                    text = self.check(words, 1, b"", "RITHMO_MCP_TOKEN is not set", **variables)
                    self.assertEqual(text.count("\n"), 1)

    def test_a_token_that_cannot_be_used(self):
        service = self.service(OK)
        for token in (CANARY + "\n", '"%s"' % CANARY, "Bearer " + CANARY, "${TOKEN}"):
            given = service.environment(RITHMO_MCP_TOKEN=token)
            self.check(["whoami"], 1, b"", "RITHMO_MCP_TOKEN", **given)
        self.assertEqual(service.connections, 0)

    def test_other_variables_that_cannot_be_used(self):
        for name, value in (
            ("RITHMO_MCP_URL", "http://record.internal/mcp"),
            ("RITHMO_MCP_URL", "https://user:pw@record.example/x?token=1"),
            ("RITHMO_MCP_URL", ""),
            ("DECISIONSCOPE_TIMEOUT", "soon"),
            ("HTTPS_PROXY", "socks5://me:pw@proxy"),
        ):
            with self.subTest(name, value=value):
                given = {"RITHMO_MCP_TOKEN": CANARY, name: value}
                text = self.check(["whoami"], 2, b"", name, **given)
                self.assertNotIn("pw", text)
                self.assertEqual(text.count("\n"), 1)

    def test_one_line_for_each_failure(self):
        cases = [
            (http(401), "answered 401"),
            (http(200, b"<html>", "text/html"), "not JSON"),
            (http(302, Location="https://%s.example/" % CANARY), "a redirect to ***.example"),
            (failing({"code": -1, "message": "a\nb\x1b[2J " + CANARY}), "a b\\x1b[2J ***"),
            (failing({"code": -1, "message": "x" * 5000}), "xxx..."),
        ]
        for reply, expected in cases:
            with self.subTest(expected):
                given = self.service(reply).environment()
                text = self.check(["whoami"], 1, b"", "decisionscope: ", expected, **given)
                self.assertEqual(text.count("\n"), 1)
                self.assertLess(len(text), 2100)

    def test_a_store_with_an_empty_name_is_the_default_one(self):
        given = self.service(OK).environment(SSL_CERT_FILE="", SSL_CERT_DIR="")
        self.check(["whoami"], 1, b"", "unknown to the default store", **given)


class UsageTest(ProgramCase):
    def test_usage_comes_before_the_token(self):
        cases = [
            ([], "a command is missing"),
            (["nonsense"], "unknown command 'nonsense'"),
            (["--owner"], "a command is missing"),
            (["query_decision"], "question: is missing"),
            (["query_decision", ""], "question: expected a question that is not blank"),
            (
                ["query_decision", "Are", "we"],
                "'we' is a word too many: put the question in quotes",
            ),
            (["query_decision", "x", "--type", "bad"], "type: expected one of action_item, "),
            (["query_decision", "x", "--type"], "--type needs a value"),
            (["query_decision", "x", "--owner="], "--owner needs a value"),
            (["query_decision", "x", "--limit", "5"], "'--limit' does not go with query_decision"),
            (["query_decision", "--question", "x"], "'--question' does not go with"),
            (["query_decision", "x", "-o", "y"], "'-o' does not go with"),
            (["query_decision", "x", "--token", "y"], "'--token' does not go with"),
            (["query_decision", b"\xff"], "is not UTF-8"),
            (["list_decision_changes", "x"], "'x' is a word too many\n"),
            (["list_decision_changes", "--since", ""], "--since needs a value"),
            (["list_decision_changes", "--limit", "0"], "limit: expected "),
            (["list_decision_changes", "--limit", "201"], "limit: expected "),
            (["list_decision_changes", "--limit", "-1"], "limit: expected "),
            (["list_decision_changes", "--limit", "1.5"], "limit: expected "),
            (["list_decision_changes", "--limit", "abc"], "limit: expected "),
            (["list_decision_changes", "--limit", "true"], "limit: expected "),
            (["list_decision_changes", "--limit"], "--limit needs a value"),
            (["whoami", "x"], "'x' is a word too many"),
            (["whoami", "--since", "x"], "'--since' does not go with whoami"),
            (["mcp", "x"], "mcp takes no arguments"),
            (["mcp", "--since", "x"], "mcp takes no arguments"),
        ]
        for words, expected in cases:
            with self.subTest(words):
                self.check(words, 2, b"", expected, "usage: decisionscope")

    def test_version_and_help(self):
        version = b"decisionscope %s\n" % __version__.encode()
        self.check(["--version"], 0, version)
        self.check(["whoami", "--version"], 0, version)
        for words in (["--help"], ["-h"], ["query_decision", "--help"]):
            ended = program.run(*words)
            self.assertEqual((ended.returncode, ended.stderr), (0, b""))
            for name in (b"query_decision", b"list_decision_changes", b"whoami", b"mcp",
                         b"RITHMO_MCP_TOKEN", b"RITHMO_MCP_URL", b"SSL_CERT_FILE"):  # fmt: skip
                self.assertIn(name, ended.stdout)
            self.assertNotIn(b"--token", ended.stdout)


class ProcessTest(ProgramCase):
    def start(self, service):
        process = program.start("whoami", **service.environment())
        self.addCleanup(program.stop, process)
        return process

    def test_an_interrupt_ends_a_call_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                service = self.service(silent)
                process = self.start(service)
                deadline = time.monotonic() + 10
                while not service.visits and time.monotonic() < deadline:
                    time.sleep(0.01)
                sent = time.monotonic()
                process.send_signal(number)
                self.assertEqual(process.communicate(timeout=10), (b"", b""))
                self.assertEqual(process.returncode, 130)
                self.assertLess(time.monotonic() - sent, 1)

    def test_a_look_up_that_hangs_does_not_hold_up_the_end(self):
        code = (
            "import socket, sys, time; socket.getaddrinfo = lambda *given, **named: time.sleep(9);"
            "from adrkit_mcp.decisionscope.cli import main; sys.exit(main(['whoami']))"
        )
        given = self.service(OK).environment(DECISIONSCOPE_TIMEOUT="0.2")
        started = time.monotonic()
        ended = subprocess.run(
            [*program.COMMAND[:1], "-c", code],
            env=program.environment(**given),
            capture_output=True,
        )
        self.assertEqual((ended.returncode, ended.stdout), (1, b""))
        self.assertIn(b"while looking up the name of localhost", ended.stderr)
        self.assertLess(time.monotonic() - started, 5)

    def test_a_reader_that_went_away(self):
        process = self.start(self.service(OK))
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.wait(10), 1)
        process.stdout = None


class ImportTest(ProgramCase):
    SCRIPT = "import sys; from adrkit_mcp.decisionscope.__main__ import main; sys.exit(main())"

    def test_nothing_is_imported_from_the_current_directory(self):
        folder = tempfile.mkdtemp(prefix="decisionscope-test-")
        self.addCleanup(shutil.rmtree, folder)
        for name in ("json", "socket", "ssl", "email", "threading", "queue", "base64"):
            with open(os.path.join(folder, name + ".py"), "w", encoding="ascii") as file:
                file.write("raise SystemExit('pwned')\n")
        given = self.service(OK).environment()
        # Without `site`, which may import such modules itself, before the program can help it.
        python = [*program.COMMAND[:1], "-S"]
        for start in (["-m", "adrkit_mcp.decisionscope"], ["-c", self.SCRIPT]):
            for path, word, out in (
                (PROJECT, "whoami", OUT),
                (PROJECT + os.pathsep + ".", "mcp", b""),
                (PROJECT + os.pathsep, "mcp", b""),
            ):
                with self.subTest(start, path=path):
                    ended = subprocess.run(
                        [*python, *start, word],
                        cwd=folder,
                        env={**program.environment(**given), "PYTHONPATH": path},
                        stdin=subprocess.DEVNULL,
                        capture_output=True,
                    )
                    self.assertEqual((ended.returncode, ended.stdout), (0, out), ended.stderr)

    def test_a_current_directory_that_is_gone(self):
        folder = tempfile.mkdtemp(prefix="decisionscope-test-")
        code = "import os, sys, runpy; os.rmdir(%r); sys.argv[1:] = ['--version']; "
        code += "runpy.run_module('adrkit_mcp.decisionscope', run_name='__main__', alter_sys=True)"
        ended = subprocess.run(
            [*program.COMMAND[:1], "-c", code % folder],
            cwd=folder,
            env=program.environment(),
            capture_output=True,
        )
        self.assertEqual((ended.returncode, ended.stderr), (0, b""))


class ArchiveTest(ProgramCase):
    def test_the_commands_from_the_single_file(self):
        folder = tempfile.mkdtemp(prefix="decisionscope-test-")
        self.addCleanup(shutil.rmtree, folder)
        pack = [*program.COMMAND[:1], "-m", "adrkit_mcp.pack", folder]
        subprocess.run(pack, check=True, env=program.environment(), capture_output=True)
        archive = os.path.join(folder, "decisionscope.pyz")
        service = self.service(OK)
        for words in (["query_decision", "Why?"], ["list_decision_changes"], ["whoami"], ["mcp"]):
            with self.subTest(words):
                ended = subprocess.run(
                    [*program.COMMAND[:1], "-I", archive, *words],
                    input=json.dumps(modern(1, "tools/call", name="whoami")).encode(),
                    cwd=folder,
                    env=program.environment(**service.environment()),
                    capture_output=True,
                )
                self.assertEqual((ended.returncode, ended.stderr), (0, b""))
                self.assertIn(OUT.strip(), ended.stdout)
        self.assertEqual(len(service.visits), 4)
