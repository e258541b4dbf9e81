"""Clients that flood, stall, chop, babble or kill: the real server stays in step and small to its end."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

from adrkit_mcp.mcp.stdio import LIMIT
from tests.support import COMMAND, ENVELOPE, PROJECT, Repository, accepted, environment, record

MIB = 1024 * 1024
linux = unittest.skipUnless(sys.platform == "linux", "reads /proc")
posix = unittest.skipUnless(os.name == "posix", "POSIX signals and pipes")


def call(id, tool="get_decision", **arguments):
    """The line of a call."""
    params = {"name": tool, "arguments": arguments or {"ref": "0001"}, "_meta": ENVELOPE}
    message = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
    return json.dumps(message).encode("ascii") + b"\n"


class Server:
    """The program as a client starts it; a context that leaves no process behind."""

    def __init__(self, test):
        repository = Repository(test).add(accepted("0001", body="text\n" * 500), record("0002"))
        self.process = subprocess.Popen(
            [*COMMAND, "--cwd", repository.root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
            env=environment(),
        )

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_beside(self, data):
        """Send from a thread, which ends when the server has taken or closed everything."""

        def send():
            try:
                self.send(data)
            except (BrokenPipeError, ValueError):
                pass

        thread = threading.Thread(target=send)
        thread.start()
        return thread

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, id=0):
        """The answer to a harmless call."""
        self.send(call(id))
        return self.read()

    def end(self):
        """(exit code, the lines that were not read yet, stderr) once the input has ended."""
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err

    def peak(self):
        """Most memory in use so far, in bytes."""
        with open("/proc/%d/status" % self.process.pid) as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) * 1024


class ClientTest(unittest.TestCase):
    def assertInStep(self, server):
        for id in ("a", 0, -1):
            answer = server.ask(id)
            self.assertEqual(answer["id"], id)
            self.assertEqual(answer["result"]["structuredContent"]["result"]["outcome"], "found")

    def assertEndsWell(self, server):
        self.assertEqual(server.end(), (0, b"", b""))


class FloodTest(ClientTest):
    @linux
    def test_a_line_without_end_is_refused_once_and_takes_no_more_than_the_limit(self):
        with Server(self) as server:
            self.assertInStep(server)
            before = server.peak()
            for size in (LIMIT + 1, 2 * LIMIT):
                for start in range(0, size, MIB):
                    server.send(b"[" * min(MIB, size - start))
                server.send(b"\n")
                answer = server.read()
                self.assertEqual(answer["error"]["code"], -32600)
                self.assertNotIn("id", answer)
                self.assertInStep(server)
            self.assertLess(server.peak() - before, 1.5 * LIMIT)
            self.assertEndsWell(server)

    @linux
    def test_many_long_lines_take_the_memory_of_one(self):
        line = call(1, "search_decisions", query="x" * MIB)
        with Server(self) as server:
            server.send(line)
            server.read()
            before = server.peak()
            for _ in range(100):
                server.send(line)
                self.assertIs(server.read()["result"]["isError"], True)
            self.assertLess(server.peak() - before, 4 * MIB)
            self.assertEndsWell(server)

    def test_ten_thousand_calls_at_once(self):
        tools = (
            ("get_decision", {"ref": "0001"}),
            ("search_decisions", {"query": "queue"}),
            ("get_decision_context", {"files": ["a"]}),
            ("list_superseded", {"limit": 1}),
        )
        data = b"".join(call(id, *tools[id % 4][:1], **tools[id % 4][1]) for id in range(10_000))
        with Server(self) as server:
            sending = server.send_beside(data)
            for id in range(10_000):
                answer = server.read()
                self.assertEqual(answer["id"], id)
                self.assertEqual(
                    answer["result"]["structuredContent"]["corpusHealth"]["recordCount"], 2
                )
            sending.join()
            self.assertEndsWell(server)

    def test_calls_before_the_end_of_input_are_answered(self):
        with Server(self) as server:
            server.process.stdin.write(b"".join(map(call, range(300))))
            code, out, err = server.end()
        self.assertEqual((code, err), (0, b""))
        self.assertEqual([json.loads(line)["id"] for line in out.splitlines()], list(range(300)))


class StallTest(ClientTest):
    CALLS = 2_000  # answers of some 6 KiB

    @linux
    def test_a_reader_that_stops_stops_the_server_too(self):
        with Server(self) as server:
            self.assertInStep(server)
            before = server.peak()
            sending = server.send_beside(b"".join(map(call, range(self.CALLS))))
            time.sleep(0.5)
            self.assertLess(server.peak() - before, 4 * MIB)
            for id in range(self.CALLS):
                self.assertEqual(server.read()["id"], id)
            sending.join()
            self.assertInStep(server)
            self.assertEndsWell(server)

    @posix
    def test_a_reader_that_stops_for_good_can_end_the_server(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number), Server(self) as server:
                self.assertInStep(server)
                sending = server.send_beside(b"".join(map(call, range(self.CALLS))))
                time.sleep(0.2)
                started = time.monotonic()
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(20), 0)
                self.assertLess(time.monotonic() - started, 5)
                sending.join()
                self.assertEqual(server.process.stderr.read(), b"")

    def test_a_reader_that_goes_away(self):
        with Server(self) as server:
            self.assertInStep(server)
            server.process.stdout.close()
            sending = server.send_beside(b"".join(map(call, range(self.CALLS))))
            self.assertEqual(server.process.wait(20), 1)
            sending.join()
            self.assertRegex(server.process.stderr.read(), rb"\Aadrkit-mcp: [^\n]+\n\Z")

    def test_a_writer_that_takes_its_time(self):
        line = call("slow", "search_decisions", query="Qu\u00e9ue")
        with Server(self) as server:
            for byte in line * 3:
                server.send(bytes([byte]))
            for _ in range(3):
                self.assertEqual(server.read()["id"], "slow")
            self.assertInStep(server)
            self.assertEndsWell(server)


class BabbleTest(ClientTest):
    """Lines that are no requests get one error each, and change nothing of what follows."""

    def garbage(self, chance):
        request = call(7)
        return chance.choice((
            bytes(chance.choices(range(256), k=chance.randrange(1, 200))),
            request[: chance.randrange(1, len(request) - 1)],
            request.replace(b'"', b"'"),
            request.replace(b"2.0", b"1.0"),
            b"[" * chance.randrange(1, 50_000),
            b'{"a":' * chance.randrange(1, 50_000),
            b"Content-Length: 120\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"\xff\xfe" + request.decode().encode("utf-16-le"),
            b"\0" * 100,
            b"null",
            b"[]",
            b"1e999999",
            b"9" * 10_000,
            b'"\\ud800"',
        )) + b"\n"  # fmt: skip

    def test_between_requests(self):
        chance = random.Random(5)
        with Server(self) as server:
            for _ in range(40):
                garbage = b"".join(self.garbage(chance) for _ in range(5))
                lines = [line for line in garbage.split(b"\n") if line.strip(b" \t\r")]
                server.send_beside(garbage).join()
                for line in lines:
                    with self.subTest(line[:100]):
                        self.assertIn(server.read()["error"]["code"], (-32700, -32600))
                self.assertInStep(server)
            self.assertEndsWell(server)

    def test_around_an_unfinished_last_line(self):
        for data in (b"{", call(1)[:-20], b"\xff", b"\0"):
            with self.subTest(data), Server(self) as server:
                self.assertInStep(server)
                server.process.stdin.write(data)
                code, out, err = server.end()
                self.assertEqual((code, err), (0, b""))
                self.assertEqual(json.loads(out)["error"]["code"], -32700)


@posix
class SignalTest(ClientTest):
    SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if os.name == "posix" else ()

    def assertWhole(self, out):
        self.assertTrue(out == b"" or out.endswith(b"\n"), out[-100:])
        ids = [json.loads(line)["id"] for line in out.splitlines()]
        self.assertEqual(ids, list(range(len(ids))))

    def test_a_hundred_at_random_moments(self):
        chance = random.Random(20260728)
        data = b"".join(map(call, range(8)))  # what a pipe takes without a reader
        for _ in range(20):
            servers = [Server(self) for _ in range(5)]
            try:
                for server in servers:
                    self.assertEqual(server.ask(0)["id"], 0)
                for server in servers:
                    server.send(data)
                for server in servers:
                    time.sleep(chance.random() * 0.003)
                    for _ in range(chance.randrange(1, 4)):
                        server.process.send_signal(chance.choice(self.SIGNALS))
                for server in servers:
                    code, out, err = server.end()
                    self.assertEqual((code, err), (0, b""))
                    self.assertWhole(out)
            finally:
                for server in servers:
                    server.__exit__()

    def test_while_it_starts(self):
        """Until its handlers are there a signal does what it does to every program, but never half a line."""
        chance = random.Random(1)
        for number in range(20):
            with Server(self) as server:
                server.send_beside(b"".join(map(call, range(3)))).join()
                time.sleep(chance.random() * 0.2)
                server.process.send_signal((signal.SIGTERM, signal.SIGHUP)[number % 2])
                code, out, err = server.end()
                self.assertIn(code, (0, -signal.SIGTERM, -signal.SIGHUP))
                self.assertEqual(err, b"")
                self.assertWhole(out)


if __name__ == "__main__":
    unittest.main()
