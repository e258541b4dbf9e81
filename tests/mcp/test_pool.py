import os
import signal
import time
import unittest

from tests.mcp.process import Process, call, converse, lines
from tests.mcp.support import initialize, notification, request

PING = request("ping", "ping")


def cancelled(id):
    return notification("notifications/cancelled", requestId=id)


def started():
    process = Process("pool")
    process.open_session()
    return process


class SideBySide(unittest.TestCase):
    def test_a_quick_call_overtakes_a_slow_one(self):
        with started() as process:
            process.send(call(1, "sleep", seconds=0.3), call(2, "echo"), PING)
            ids = {process.read_line()["id"] for _ in range(2)}
            self.assertEqual(ids, {2, "ping"})
            self.assertEqual(process.read_line()["id"], 1)
            self.assertEqual(process.end(), (0, [], b""))

    def test_at_most_eight_at_a_time(self):
        with started() as process:
            start = time.monotonic()
            process.send(*(call(number, "sleep", seconds=0.2) for number in range(16)))
            ids = {process.read_line()["id"] for _ in range(16)}
            took = time.monotonic() - start
        self.assertEqual(ids, set(range(16)))
        self.assertGreater(took, 0.39)
        self.assertLess(took, 1.5)

    def test_more_calls_than_may_queue(self):
        data = lines(initialize(), *(call(number, "echo") for number in range(2_000)))
        code, answers, err = converse(data, "pool")
        self.assertEqual((code, err), (0, b""))
        self.assertEqual(sorted(answer["id"] for answer in answers[1:]), list(range(2_000)))

    def test_lines_stay_whole(self):
        data = lines(initialize(), *(call(number, "big", size=200_000) for number in range(40)))
        code, answers, err = converse(data, "pool")
        self.assertEqual((code, len(answers), err), (0, 41, b""))

    def test_a_batch_is_answered_at_once(self):
        batch = [call(1, "sleep", seconds=0.1), call(2, "echo"), PING]
        _, answers, _ = converse(lines(initialize(version="2025-03-26"), batch), "pool")
        self.assertEqual([answer["id"] for answer in answers[1]], [1, 2, "ping"])

    def test_a_failing_call(self):
        _, answers, err = converse(lines(initialize(), call(1, "crash")), "pool")
        self.assertIs(answers[1]["result"]["isError"], True)
        self.assertEqual(err.count(b"\n"), 1)


class Cancelling(unittest.TestCase):
    def test_running_and_queued_calls_are_never_answered(self):
        with started() as process:
            process.send(*(call(number, "sleep", seconds=0.3) for number in range(10)))
            process.send(cancelled(3), cancelled(9), cancelled("4"))
            ids = {process.read_line()["id"] for _ in range(8)}
            self.assertEqual(ids, set(range(9)) - {3})
            time.sleep(0.1)
            self.assertEqual(process.end(), (0, [], b""))

    def test_a_cancelled_call_does_not_hold_up_the_end(self):
        with started() as process:
            process.send(call(1, "sleep", seconds=60), cancelled(1), PING)
            self.assertEqual(process.read_line()["id"], "ping")
            start = time.monotonic()
            self.assertEqual(process.end(), (0, [], b""))
            self.assertLess(time.monotonic() - start, 1)


class Ending(unittest.TestCase):
    def test_open_calls_are_answered_after_the_input_has_ended(self):
        data = lines(initialize(), *(call(number, "sleep", seconds=0.2) for number in range(10)))
        code, answers, err = converse(data, "pool")
        self.assertEqual((code, len(answers), err), (0, 11, b""))

    def test_patience_has_an_end(self):
        with started() as process:
            start = time.monotonic()
            code, answers, err = process.end(lines(call(1, "sleep", seconds=60), PING))
            self.assertLess(time.monotonic() - start, 4)
        self.assertEqual((code, [answer["id"] for answer in answers], err), (0, ["ping"], b""))

    @unittest.skipUnless(os.name == "posix", "POSIX signals")
    def test_signals_end_it_at_once(self):
        for closed in (False, True):
            with self.subTest(closed=closed), started() as process:
                process.send(call(1, "sleep", seconds=60))
                time.sleep(0.1)
                if closed:
                    process.popen.stdin.close()
                    time.sleep(0.1)
                start = time.monotonic()
                process.popen.send_signal(signal.SIGTERM)
                self.assertEqual(process.exit(), (0, [], b""))
                self.assertLess(time.monotonic() - start, 0.8)

    @unittest.skipUnless(os.name == "posix", "POSIX pipes")
    def test_stdout_without_a_reader(self):
        with started() as process:
            process.popen.stdout.close()
            process.send(call(1, "echo"))
            self.assertEqual(process.popen.wait(20), 1)
            err = process.popen.stderr.read()
        self.assertEqual(err, b"stub: stdout cannot be written: Broken pipe\n")


if __name__ == "__main__":
    unittest.main()
