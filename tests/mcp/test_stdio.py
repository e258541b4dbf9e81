import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from adrkit_mcp.mcp import stdio
from tests.mcp.process import Process, call, converse, decode, lines
from tests.mcp.support import initialize, modern, request

PING = request(1, "ping")
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}
posix = unittest.skipUnless(os.name == "posix", "POSIX descriptors and signals")
linux = unittest.skipUnless(sys.platform == "linux", "reads /proc")


class Framing(unittest.TestCase):
    def answers(self, data):
        code, answers, err = converse(data)
        self.assertEqual((code, err), (0, b""))
        return answers

    def codes(self, data):
        return [answer.get("error", {}).get("code") for answer in self.answers(data)]

    def test_line_ends_and_blank_lines(self):
        ping = lines(PING)[:-1]
        for data, count in (
            (b"", 0),
            (b"\n \n\r\n\t\n", 0),
            (ping, 1),
            (ping + b"\r\n", 1),
            (b" \t" + ping + b" \n\n", 1),
            ((ping + b"\n") * 3, 3),
            (ping + b"\n" + ping, 2),
        ):
            with self.subTest(data=data):
                self.assertEqual(self.answers(data), [PONG] * count)

    def test_only_a_line_feed_ends_a_line(self):
        raw = '{"jsonrpc":"2.0","id":"\x85\u2028\u2029é","method":"ping"}\n'.encode()
        self.assertEqual(self.answers(raw)[0]["id"], "\x85\u2028\u2029é")
        for blank in (b"\r", b" \r "):
            self.assertEqual(self.answers(lines(PING).replace(b",", b"," + blank)), [PONG])
        self.assertEqual(self.codes(lines(PING).replace(b",", b"\x0b,")), [-32700])

    def test_byte_order_mark(self):
        mark = b"\xef\xbb\xbf"
        self.assertEqual(self.answers(mark + lines(PING)), [PONG])
        self.assertEqual(self.answers(mark), [])
        self.assertEqual(self.codes(lines(PING) + mark + lines(PING)), [None, -32700])
        self.assertEqual(self.codes(mark + mark + lines(PING)), [-32700])

    def test_a_byte_at_a_time(self):
        data = b"\xef\xbb\xbf" + lines(initialize(), call("é決\U0001f6a2", "echo", a="é"))
        with Process() as process:
            for byte in data.replace(rb"\u00e9", "é".encode()):
                process.write(bytes([byte]))
            code, answers, err = process.end()
        self.assertEqual((code, err, answers[1]["id"]), (0, b"", "é決\U0001f6a2"))
        self.assertEqual(answers[1]["result"]["structuredContent"], {"arguments": {"a": "é"}})

    def test_truncated_at_the_end(self):
        self.assertEqual(self.codes(lines(PING) + b'{"jsonrpc":"2.0","id":'), [None, -32700])

    def test_not_json(self):
        # the bare process has not imported `json`, whose absence the C scanner must survive
        bad = (
            b"{",
            b"{x",
            b'{"a" 1}',
            b'{"a":1,}',
            b'["\\q"]',
            b'"\x01"',
            b'"',
            b"[1",
            b"[1,",
            b"NaN",
        )
        self.assertEqual(self.codes(b"\n".join(bad)), [-32700] * len(bad))

    def test_garbage_between_requests(self):
        garbage = b"\x00\xff{\n[]\n\nContent-Length: 9\r\n\r\n\xc3\n" + b"[" * 99_999 + b"\n"
        codes = self.codes((garbage + lines(PING)) * 20)
        bad = [-32700, -32600, -32700, -32700, -32700]
        self.assertEqual(codes, [*bad, None] * 20)

    def test_many_requests_in_one_write(self):
        data = lines(*(request(number, "ping") for number in range(10_000)))
        ids = [answer["id"] for answer in self.answers(data)]
        self.assertEqual(ids, list(range(10_000)))

    def test_long_lines_in_small_pieces(self):
        text = "x" * 1_000_000
        data = lines(initialize(), call(1, "echo", a=text))
        with Process() as process:
            for start in range(0, len(data), 997):
                process.write(data[start : start + 997])
            _, answers, _ = process.end()
        self.assertEqual(answers[1]["result"]["structuredContent"]["arguments"]["a"], text)

    def test_the_longest_line(self):
        limit = 1024 * 1024
        ping = lines(PING)[:-1]
        fitting = ping + b" " * (limit - len(ping))
        for data, expected in (
            (fitting, [None]),
            (fitting + b"\n", [None]),
            (fitting + b" ", [-32600]),
            (fitting + b" \n" + lines(PING), [-32600, None]),
            (b"x" * (3 * limit) + b"\n" + lines(PING), [-32600, None]),
            (b"\n" + fitting + b"\n" + fitting + b"\n", [None, None]),
        ):
            with self.subTest(size=len(data)):
                self.assertEqual(self.codes(data), expected)
        self.assertNotIn("id", self.answers(b"x" * (2 * limit))[0])

    @linux
    def test_a_line_beyond_the_limit_takes_no_memory(self):
        with Process() as process:
            process.open_session()
            before = int(process.ask(call(1, "peak"))["result"]["content"][0]["text"])
            for _ in range(64):
                process.write(b" " * 1024 * 1024)
            process.write(b"\n")
            self.assertEqual(process.read_line()["error"]["code"], -32600)
            after = int(process.ask(call(2, "peak"))["result"]["content"][0]["text"])
        self.assertLess(after - before, 8 * 1024)


class Streams(unittest.TestCase):
    def test_answers_are_out_before_the_next_request(self):
        with Process() as process:
            for _ in range(3):
                self.assertEqual(process.ask(PING), PONG)

    def test_nothing_else_reaches_stdout(self):
        with Process("banner") as process:
            process.open_session()
            self.assertIn("result", process.ask(call(1, "print")))
            code, answers, err = process.end()
        self.assertEqual((code, answers), (0, []))
        self.assertEqual(
            sorted(err.replace(b"buffer", b"buffer\n").split(b"\n"))[1:],
            [b"a banner in the buffer", b"printed", b"written"],
        )

    def test_a_failing_tool_is_one_line_on_stderr(self):
        _, answers, err = converse(lines(initialize(), call(1, "crash")))
        self.assertIs(answers[1]["result"]["isError"], True)
        self.assertRegex(err, rb"\Astub: tool crash failed: RuntimeError in \S+, line \d+\n\Z")

    def test_lines_on_stderr_are_few(self):
        data = lines(initialize(), *(call(number, "crash") for number in range(200)))
        _, answers, err = converse(data)
        self.assertEqual(len(answers), 201)
        self.assertLess(len(err), 4096)

    def test_files_and_the_null_device(self):
        with Process(stdin=subprocess.DEVNULL) as process:
            self.assertEqual(process.exit(), (0, [], b""))
        with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as sink:
            source.write(lines(*[PING] * 5_000))
            source.seek(0)
            with Process(stdin=source, stdout=sink) as process:
                self.assertEqual(process.popen.wait(20), 0)
            sink.seek(0)
            self.assertEqual(decode(sink.read()), [PONG] * 5_000)

    @posix
    def test_a_socket(self):
        ours, theirs = socket.socketpair()
        with ours, theirs, Process(stdin=theirs, stdout=theirs) as process:
            theirs.close()
            ours.sendall(lines(PING))
            self.assertEqual(decode(ours.recv(1000)), [PONG])
            ours.shutdown(socket.SHUT_WR)
            self.assertEqual(process.popen.wait(20), 0)

    @posix
    def test_a_socket_that_is_reset(self):
        ours, theirs = socket.socketpair()
        with ours, theirs, Process(stdin=theirs, stdout=subprocess.PIPE) as process:
            os.write(theirs.fileno(), b"unread")
            theirs.close()
            ours.sendall(lines(PING))
            self.assertEqual(process.read_line(), PONG)
            ours.close()
            self.assertEqual(process.exit(), (0, [], b""))

    @posix
    def test_streams_that_do_not_block(self):
        in_end, write_end = os.pipe()
        read_end, out_end = os.pipe()
        for end in (in_end, out_end):
            os.set_blocking(end, False)
        with Process(stdin=in_end, stdout=out_end) as process:
            for end in (in_end, out_end):
                os.close(end)
            os.write(write_end, lines(initialize(), call(1, "big", size=1_000_000)))
            time.sleep(0.1)
            os.close(write_end)
            with open(read_end, "rb") as output:
                answers = decode(output.read())
            self.assertEqual(process.popen.wait(20), 0)
        self.assertEqual(len(answers[1]["result"]["content"][0]["text"]), 1_000_000)

    def test_a_reader_that_stops_and_resumes(self):
        with Process() as process:
            process.open_session()
            requests = [call(number, "big", size=10_000) for number in range(200)]
            writer = threading.Thread(target=process.send, args=requests)
            writer.start()
            time.sleep(0.2)
            for number in range(200):
                self.assertEqual(process.read_line()["id"], number)
            writer.join()
            self.assertEqual(process.end(), (0, [], b""))


@posix
class BrokenStreams(unittest.TestCase):
    def close_in_child(self, *descriptors):
        def close():
            for descriptor in descriptors:
                os.close(descriptor)

        return close

    def test_stdout_without_a_reader(self):
        with Process() as process:
            process.open_session()
            process.popen.stdout.close()
            process.send(PING)
            self.assertEqual(process.popen.wait(20), 1)
            err = process.popen.stderr.read()
        self.assertEqual(err, b"stub: stdout cannot be written: Broken pipe\n")

    @linux
    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full, Process(stdout=full) as process:
            process.send(PING)
            self.assertEqual(process.popen.wait(20), 1)
            self.assertEqual(process.popen.stderr.read().count(b"\n"), 1)

    @linux
    def test_stdin_that_cannot_be_read(self):
        with tempfile.TemporaryFile() as file:
            unreadable = os.open("/proc/self/fd/%d" % file.fileno(), os.O_WRONLY)
            try:
                with Process(stdin=unreadable) as process:
                    code, answers, err = process.exit()
            finally:
                os.close(unreadable)
        self.assertEqual((code, answers), (1, []))
        self.assertRegex(err, rb"\Astub: stdin cannot be read: .+\n\Z")

    def test_closed_stdout(self):
        for closed in ([1], [0, 1]):
            with self.subTest(closed=closed):
                with Process(preexec_fn=self.close_in_child(*closed)) as process:
                    code, answers, err = process.exit()
                self.assertEqual((code, answers, err), (1, [], b"stub: stdout is closed\n"))

    def test_closed_stdin_is_its_end(self):
        with Process(preexec_fn=self.close_in_child(0)) as process:
            self.assertEqual(process.exit(), (0, [], b""))

    def test_closed_stderr(self):
        with Process(preexec_fn=self.close_in_child(2)) as process:
            process.open_session()
            for name in ("crash", "print", "echo"):
                self.assertIn("result", process.ask(call(1, name)))
            self.assertEqual(process.end()[:2], (0, []))

    def test_full_stderr(self):
        read_end, write_end = os.pipe()
        os.set_blocking(write_end, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(write_end, b"x" * 4096)
        os.set_blocking(write_end, True)
        with Process(stderr=write_end) as process:
            os.close(write_end)
            process.open_session()
            self.assertIn("result", process.ask(call(1, "crash")))
            self.assertEqual(process.end()[:2], (0, []))
        os.close(read_end)


class Ending(unittest.TestCase):
    def test_end_of_input(self):
        with Process() as process:
            process.open_session()
            start = time.monotonic()
            self.assertEqual(process.end(), (0, [], b""))
            self.assertLess(time.monotonic() - start, 1)

    def test_work_before_the_end_is_answered(self):
        code, answers, err = converse(lines(initialize(), call(1, "sleep", seconds=0.2), PING))
        self.assertEqual((code, len(answers), err), (0, 3, b""))

    def test_subscriptions_end_with_the_input(self):
        listen = [modern(id, "subscriptions/listen", notifications={}) for id in (7, "7")]
        code, answers, err = converse(lines(*listen, modern(1, "tools/list")))
        self.assertEqual((code, err), (0, b""))
        self.assertEqual([answer.get("id") for answer in answers], [None, None, 1, 7, "7"])


@posix
class Signals(unittest.TestCase):
    SIGNALS = tuple(
        getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
    )

    def test_idle(self):
        for number in self.SIGNALS:
            with self.subTest(signal=number), Process() as process:
                process.open_session()
                time.sleep(0.02)
                start = time.monotonic()
                process.popen.send_signal(number)
                self.assertEqual(process.exit(), (0, [], b""))
                self.assertLess(time.monotonic() - start, 0.8)

    def test_the_line_in_work_is_answered(self):
        with Process() as process:
            process.open_session()
            process.send(call(1, "sleep", seconds=0.4), PING)
            time.sleep(0.1)
            process.popen.send_signal(signal.SIGTERM)
            code, answers, err = process.exit()
        self.assertEqual((code, [answer["id"] for answer in answers], err), (0, [1], b""))

    def test_endless_work_is_not_waited_for(self):
        with Process() as process:
            process.open_session()
            process.send(call(1, "sleep", seconds=60))
            time.sleep(0.1)
            start = time.monotonic()
            process.popen.send_signal(signal.SIGINT)
            self.assertEqual(process.exit(), (0, [], b""))
            self.assertLess(time.monotonic() - start, 3)

    def test_a_stopped_reader_is_not_waited_for(self):
        with Process() as process:
            process.open_session()
            process.send(call(1, "big", size=1_000_000))
            time.sleep(0.1)
            process.popen.send_signal(signal.SIGTERM)
            self.assertEqual(process.popen.wait(20), 0)

    def test_ignored_hangups_stay_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        with Process(preexec_fn=ignore) as process:
            process.open_session()
            process.popen.send_signal(signal.SIGHUP)
            self.assertEqual(process.ask(PING), PONG)

    def test_a_hundred_at_random_moments(self):
        randomly = random.Random(20260728)
        end = time.monotonic() + 5
        for _ in range(10):
            if time.monotonic() > end:
                break
            with contextlib.ExitStack() as stack:
                processes = [stack.enter_context(Process()) for _ in range(10)]
                for process in processes:
                    process.open_session()
                for process in processes:
                    process.send(*(call(number, "big", size=3000) for number in range(20)))
                    time.sleep(randomly.random() * 0.002)
                    process.popen.send_signal(randomly.choice(self.SIGNALS))
                    if randomly.random() < 0.5:
                        process.popen.send_signal(randomly.choice(self.SIGNALS))
                    if randomly.random() < 0.3:
                        process.popen.stdin.close()
                for process in processes:
                    code, answers, err = process.exit()
                    self.assertEqual((code, err), (0, b""))
                    numbers = [answer["id"] for answer in answers]
                    self.assertEqual(numbers, list(range(len(numbers))))


class Library(unittest.TestCase):
    """The transport in a thread of a program that lives on."""

    def run_library(self, act):
        with Process("library") as process:
            while b"\n" not in process._buffer:
                process._buffer += os.read(process.popen.stdout.fileno(), 7)
            self.assertEqual(process._buffer, b"before\n")
            process._buffer = b""
            process.open_session()
            act(process)
            out, err = process.popen.communicate(timeout=20)
        self.assertEqual((process.popen.returncode, err), (0, b""))
        return process._buffer + out

    def test_stdout_comes_back_at_the_end_of_input(self):
        out = self.run_library(lambda process: None)
        self.assertRegex(out, rb"\Aafter 0 \d+\n\Z")

    def test_stop_within_a_call(self):
        def act(process):
            process.send(call(2, "stop"), PING)
            self.assertEqual(process.read_line()["id"], 2)

        self.assertRegex(self.run_library(act), rb"\Aafter 0 \d+\n\Z")

    @posix
    def test_stop_by_a_signal_while_it_waits(self):
        def act(process):
            time.sleep(0.05)
            process.popen.send_signal(signal.SIGINT)
            self.assertEqual(process.popen.wait(20), 0)

        self.assertRegex(self.run_library(act), rb"\Aafter 0 \d+\n\Z")


class Diagnostics(unittest.TestCase):
    @posix
    def test_one_bounded_line_each(self):
        read_end, write_end = os.pipe()
        saved = os.dup(2)
        os.dup2(write_end, 2)
        try:
            diagnostics = stdio.Diagnostics("x", lines=2)
            diagnostics("a\nb\tc\ud800")
            diagnostics("y" * 10_000)
            diagnostics("no more")
        finally:
            os.dup2(saved, 2)
            os.close(saved)
            os.close(write_end)
        with open(read_end, "rb") as output:
            first, second = output.read().splitlines()
        self.assertEqual(first, rb"x: a b c\ud800")
        self.assertLess(len(second), 600)


if __name__ == "__main__":
    unittest.main()
