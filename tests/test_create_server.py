import os
import subprocess
import sys
import unittest
from unittest import mock

import adrkit_mcp
from adrkit_mcp import create_server
from adrkit_mcp.corpus.roots import CorpusUnavailable
from tests.support import CLIENT, Repository, environment, record

PROGRAM = """
import sys, threading, time
from adrkit_mcp import create_server
said = []
server = create_server(cwd=sys.argv[1], on_error=said.append)
%s
print(said, file=sys.stderr)
"""
HELLO = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":%s}}\n' % str(CLIENT).replace("'", '"')
)
CALL = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_superseded"}}\n'


class HandleTest(unittest.TestCase):
    def test_the_package_has_one_factory(self):
        self.assertEqual(sorted(adrkit_mcp.__all__), ["__version__", "create_server"])

    def test_has_exactly_start_and_close(self):
        server = create_server()
        self.assertEqual([n for n in dir(server) if not n.startswith("_")], ["close", "start"])
        self.assertFalse(hasattr(server, "__dict__"))

    def test_lets_nobody_reach_in_or_change_it(self):
        server = create_server()
        for name in ("start", "close", "transport"):
            with self.subTest(name), self.assertRaises(AttributeError):
                setattr(server, name, None)
        with self.assertRaises(AttributeError):
            del server.start

    def test_touches_no_file_when_it_is_made(self):
        with mock.patch.object(os, "stat", self.fail), mock.patch.object(os, "getcwd", self.fail):
            create_server()
            create_server("/nowhere", "nowhere", print)

    def test_close_may_come_first_and_twice(self):
        server = create_server("/nowhere")
        server.close()
        server.close()
        server.start()  # of a closed server: nothing

    def test_start_refuses_what_cannot_be_read(self):
        repository = Repository(self)
        for cwd, directory, reason in [
            ("/nowhere", None, "root-not-found"),
            (repository.base, None, "root-not-git"),
            (repository.root, "nowhere", "dir-not-found"),
            (repository.root, "..", "dir-outside-root"),
        ]:
            with self.subTest(reason), self.assertRaises(CorpusUnavailable) as caught:
                create_server(cwd, directory).start()
            self.assertEqual(caught.exception.reason, reason)

    def test_start_may_succeed_after_it_failed(self):
        repository = Repository(self)
        os.rename(repository.root, repository.root + "-moved")
        done = self.run_program(
            repository,
            "import os\n"
            "try:\n    server.start()\nexcept Exception as error:\n    said.append(error.reason)\n"
            "os.rename(sys.argv[1] + '-moved', sys.argv[1])\n"
            "server.start()",
        )
        self.assertEqual(done.stderr, "['root-not-found']\n")
        self.assertEqual(done.stdout.count("\n"), 2)

    def test_serves_one_connection_until_its_end(self):
        repository = Repository(self).add(record("0001"))
        done = self.run_program(repository, "server.start(); server.start(); server.close()")
        self.assertEqual((done.returncode, done.stderr), (0, "[]\n"))
        hello, answer = done.stdout.splitlines()
        self.assertIn('"name":"adrkit-mcp"', hello)
        self.assertIn('"recordCount":1', answer)

    def test_keeps_what_the_program_prints_out_of_the_connection_and_ends_when_closed(self):
        body = (
            "def act():\n"
            "    while sys.stdout is not sys.stderr:\n"
            "        time.sleep(0.01)\n"
            "    print('during', flush=True)\n"
            "    server.close()\n"
            "threading.Thread(target=act).start()\n"
            "server.start()\n"
            "print('after')"
        )
        out, err = self.run_waiting(Repository(self), body)
        self.assertEqual((out, err), (b"after\n", b"during\n[]\n"))

    def test_tells_a_failure_of_the_transport_to_on_error(self):
        repository = Repository(self)
        done = self.run_program(repository, "import os; os.close(1); server.start()")
        self.assertEqual(done.stderr, "['stdout is closed']\n")

    def test_without_on_error_tells_it_on_stderr(self):
        repository = Repository(self)
        program = (
            "import os, sys; from adrkit_mcp import create_server\n"
            "os.close(1); create_server(sys.argv[1]).start()"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, repository.root],
            capture_output=True,
            encoding="utf-8",
            env=environment(),
        )
        self.assertEqual(done.stderr, "adrkit-mcp: stdout is closed\n")

    def run_waiting(self, repository, body):
        """(stdout, stderr) of a program whose input stays open until it ends by itself."""
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM % body, repository.root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        self.addCleanup(process.kill)
        with process.stdin, process.stdout, process.stderr:
            self.assertEqual(process.wait(20), 0)
            return process.stdout.read(), process.stderr.read()

    def run_program(self, repository, body):
        """A program that uses the library, fed with a session of two requests."""
        return subprocess.run(
            [sys.executable, "-c", PROGRAM % body, repository.root],
            input=HELLO + CALL,
            capture_output=True,
            encoding="utf-8",
            env=environment(),
            timeout=60,
        )


if __name__ == "__main__":
    unittest.main()
