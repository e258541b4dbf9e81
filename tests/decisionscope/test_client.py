import json
import socket
import sys
import time
import unittest
from unittest import mock

from adrkit_mcp import __version__, jsontext
from adrkit_mcp.decisionscope import connection
from adrkit_mcp.decisionscope.client import MOST_WAIT, Client, Retries
from adrkit_mcp.decisionscope.exchange import MOST_BYTES, retry_after
from adrkit_mcp.decisionscope.failures import Failure, Passing, RemoteError
from tests.decisionscope.service import (
    CANARY,
    answering,
    failing,
    http,
    response,
    silent,
    streaming,
    structured,
)
from tests.decisionscope.support import ServiceCase

OK = answering(structured({"org_id": "o"}))
#: What a consumer must be able to tell apart, and numbers that are not to be spelled anew.
RESULTS = [
    '{"result":"no_record"}',
    '{"result":"no_record","record":{"kind":"closed","disposition":"rejected"}}',
    '{"result":"no_record","record":{"kind":"no_record","reason":"record_unavailable:db"}}',
    '{"result":"no_record","record":{"kind":"not_observed"},"premise_check":{"safe_to_proceed":false}}',
    '{"result":"found","answer":"","confidence":0.90,"owner":{"state":"none"},"due_at":null}',
    '{"result":"found","answer":"はい 😀 \\u0000 \\ud800","confidence":1e-7,"n":12345678901234567890.10}',
    '{"result":"found_record","subject":{"currentAnswer":null}}',
    '{"result":"a_new_word","extra":[{"x":[1.0,-0,1E400]}]}',
    '{"changes":[],"cursor":"7_ a/b","has_more":false}',
    '{"changes":[{"changed_at":"t","decision_id":"1"},{"changed_at":"t"}],"cursor":"9_","has_more":true}',
]


def wrapped(text):
    """A result with this JSON text as it is."""
    return '{"content":[{"type":"text","text":%s}],"structuredContent":%s}' % (
        json.dumps(text),
        text,
    )


class RequestTest(ServiceCase):
    def test_the_request(self):
        service = self.service(OK)
        self.call(service, "query_decision", {"question": "Ärger 😀?", "type": "decision"})
        (visit,) = service.visits
        self.assertEqual(visit.start, "POST /api/mcp HTTP/1.1")
        self.assertEqual(visit.headers, {
            "host": service.host,
            "authorization": "Bearer " + CANARY,
            "content-type": "application/json",
            "content-length": str(len(visit.body)),
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2025-06-18",
            "user-agent": "decisionscope/" + __version__,
            "connection": "close",
        })  # fmt: skip
        arguments = {"question": "Ärger 😀?", "type": "decision"}
        self.assertEqual(visit.message, {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "query_decision", "arguments": arguments},
        })  # fmt: skip

    def test_each_call_has_an_id_of_its_own(self):
        service = self.service(OK)
        client = Client(service.environment())
        client.call("whoami", {})
        client.call("whoami", {})
        self.assertEqual([visit.message["id"] for visit in service.visits], [1, 2])

    def test_the_query_of_the_url_is_sent(self):
        service = self.service(OK)
        self.call(service, RITHMO_MCP_URL=service.url + "?a=b&c")
        self.assertEqual(service.visits[0].start, "POST /api/mcp?a=b&c HTTP/1.1")

    def test_cursors_are_sent_untouched(self):
        service = self.service(OK)
        for cursor in ("0_", " 1_\n", "007", "é\u2028😀", "\ud800"):
            with self.subTest(cursor):
                self.call(service, "list_decision_changes", {"since": cursor})
                self.assertEqual(service.visits[-1].arguments, {"since": cursor})

    def test_plain_http_on_this_machine(self):
        service = self.service(OK, certificate=None)
        self.assertEqual(self.call(service).data, {"org_id": "o"})
        self.assertEqual(service.visits[0].headers["host"], service.host)

    def test_a_large_question(self):
        service = self.service(OK)
        self.call(service, "query_decision", {"question": "x" * 300_000})
        self.assertEqual(len(service.visits[0].arguments["question"]), 300_000)


class ResultTest(ServiceCase):
    def test_results_come_back_unchanged(self):
        for text in RESULTS:
            with self.subTest(text):
                answer = self.call(self.service(answering(wrapped(text))))
                sent = jsontext.encode(jsontext.dumps(answer.data)).decode()
                self.assertEqual(sent, text.replace("\\u0000", "\\u0000"))
                self.assertEqual(
                    answer.content, [{"type": "text", "text": json.loads(json.dumps(text))}]
                )

    def test_the_same_as_an_event_stream(self):
        for text in RESULTS:
            with self.subTest(text):

                def events(visit, text=text):
                    yield b"data: %s\n\n" % response(visit, wrapped(text)).encode()

                answer = self.call(self.service(streaming(events)))
                self.assertEqual(jsontext.encode(jsontext.dumps(answer.data)).decode(), text)

    def test_ways_of_framing_json(self):
        def chunked(visit):
            body = response(visit, structured({"a": "b"})).encode()
            visit.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
            visit.send(b"Transfer-Encoding: chunked\r\n\r\n")
            for start in range(0, len(body), 7):
                piece = body[start : start + 7]
                visit.send(b"%x;ext=1\r\n%s\r\n" % (len(piece), piece))
            visit.send(b"0\r\nTrailer: x\r\n\r\n")

        def until_the_end(visit):
            visit.send(b"HTTP/1.0 200 OK\r\ncontent-type: Application/JSON; charset=UTF-8\r\n\r\n")
            visit.send(b"\xef\xbb\xbf " + response(visit, structured({"a": "b"})).encode() + b"\n")

        def kept_alive(visit):
            visit.send(http(200, response(visit, structured({"a": "b"})).encode()))
            visit.is_left()

        def without_type(visit):
            visit.send(http(200, response(visit, structured({"a": "b"})).encode(), None))

        def continued(visit):
            visit.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            kept_alive(visit)

        for reply in (chunked, until_the_end, kept_alive, without_type, continued):
            with self.subTest(reply.__name__):
                started = time.monotonic()
                self.assertEqual(self.call(self.service(reply)).data, {"a": "b"})
                self.assertLess(time.monotonic() - started, 3)

    def test_a_reply_cut_anywhere(self):
        def reply(visit):
            body = response(visit, structured({"a": "b"})).encode()
            for byte in http(200, body):
                visit.send(bytes([byte]))

        self.assertEqual(self.call(self.service(reply)).data, {"a": "b"})

    def test_null_as_the_error_of_a_result(self):
        def reply(visit):
            text = response(visit, structured({"a": "b"}))[:-1] + ',"error":null}'
            visit.send(http(200, text.encode()))

        self.assertEqual(self.call(self.service(reply)).data, {"a": "b"})


class EventStreamTest(ServiceCase):
    def answer(self, make):
        return self.call(self.service(streaming(make))).data

    def test_what_comes_before_the_answer_is_ignored(self):
        def events(visit):
            yield b": keep-alive\n\n"
            yield b"id: 1\nretry: 1000\ndata:\n\n"
            yield b'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n'
            yield b'data: {"jsonrpc":"2.0","id":99,"result":{"content":[]}}\n\n'
            yield b'data: {"jsonrpc":"2.0","id":"1","result":{"content":[]}}\n\n'
            yield b'data: {"jsonrpc":"2.0","id":1,"method":"roots/list"}\n\n'
            yield b"data: not JSON\n\ndata: \xff\n\n"
            yield b"data: %s\n\n" % response(visit, structured({"a": "b"})).encode()

        self.assertEqual(self.answer(events), {"a": "b"})

    def test_the_answer_ends_the_reading(self):
        def reply(visit):
            data = b"data: %s\r\n\r\n" % response(visit, structured({"a": "b"})).encode()
            visit.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + data)
            left.append(visit.is_left())

        left = []
        service = self.service(reply)
        started = time.monotonic()
        self.assertEqual(self.call(service).data, {"a": "b"})
        self.assertLess(time.monotonic() - started, 2)
        service.__exit__()
        self.assertEqual(left, [True])

    def test_several_data_lines_with_any_ends(self):
        for end in (b"\n", b"\r\n", b"\r"):
            with self.subTest(end):

                def events(visit, end=end):
                    text = response(visit, structured({"a": "b"})).replace(",", ",\n")
                    lines = [b"data: " + line.encode() for line in text.split("\n")]
                    for byte in end.join(lines) + end + end:
                        yield bytes([byte])

                self.assertEqual(self.answer(events), {"a": "b"})

    def test_a_stream_without_the_answer(self):
        def events(visit):
            yield b'data: {"jsonrpc":"2.0","id":99,"result":{}}\n\n'

        text, count = self.failure(streaming(events))
        self.assertIn("answered 200 (text/event-stream): the events ended without the answer", text)
        self.assertEqual(count, 1)


class RemoteErrorTest(ServiceCase):
    def failure(self, *replies, **variables):
        service = self.service(*replies)
        with self.assertRaises(RemoteError):
            self.call(service)
        return self.fail_with(service, **variables)

    def test_json_rpc_errors_are_relayed(self):
        text = self.failure(failing({"code": -32602, "message": "No such area"}))
        self.assertEqual(text, "the endpoint answered: No such area (JSON-RPC error -32602)")

    def test_an_error_without_a_code(self):
        text = self.failure(failing({"message": "Odd"}))
        self.assertEqual(text, "the endpoint answered: Odd")

    def test_an_error_for_no_id(self):
        body = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'
        self.assertIn("Parse error", self.failure(http(200, body)))

    def test_an_error_in_an_event_stream(self):
        def events(visit):
            yield (
                b"data: %s\n\n"
                % response(visit, "0")
                .replace('"result":0', '"error":{"code":-1,"message":"No"}')
                .encode()
            )

        self.assertIn("No (JSON-RPC error -1)", self.failure(streaming(events)))

    def test_errors_of_the_tool_are_relayed(self):
        result = {"content": [{"type": "text", "text": "Ask later."}], "isError": True}
        self.assertEqual(self.failure(answering(result)), "the endpoint answered: Ask later.")

    def test_a_token_in_an_error_is_blotted_out(self):
        for reply in (
            failing({"code": 1, "message": "bad token %s!" % CANARY}),
            answering({"content": [{"type": "text", "text": "bad %s!" % CANARY}], "isError": True}),
            answering({"content": [{"type": CANARY}], "isError": True}),
        ):
            self.assertIn("***", self.failure(reply))


class SecretTest(ServiceCase):
    def test_a_token_in_a_result_is_blotted_out(self):
        escaped = "".join("\\u%04x" % ord(char) for char in CANARY)
        for text in (
            '{"a":"%s"}' % CANARY,
            '{"a":"%s"}' % escaped,
            '{"%s":1}' % CANARY,
        ):
            with self.subTest(text):
                answer = self.call(self.service(answering(wrapped(text))))
                self.assertIn("***", jsontext.dumps(answer.data))
                self.assertNotIn("Canary", jsontext.dumps([answer.data, answer.content]))

    def test_a_token_in_the_fields_of_a_response_is_blotted_out(self):
        cases = [
            http(200, b"x", "text/" + CANARY),
            http(401, b"x", "text/" + CANARY),
            http(302, Location="https://%s.example/" % CANARY),
            http(302, Location="https://evil.example/?token=" + CANARY),
            http(302, Location="https://%s@evil.example/" % CANARY),
            ("HTTP/1.1 401 %s\r\nContent-Length: 0\r\n\r\n" % CANARY).encode(),
            ("%s\r\n\r\n" % CANARY).encode(),
            http(200, CANARY.encode()),
        ]
        for reply in cases:
            with self.subTest(reply):
                self.failure(reply)

    def test_a_token_is_not_left_over_by_cutting(self):
        message = "x" * 290 + CANARY
        text, _ = self.failure(failing({"code": 1, "message": message}, 503))
        self.assertIn("***", text)


class StatusTest(ServiceCase):
    def check(self, reply, *expected, requests=1):
        text, count = self.failure(reply)
        for part in (*expected, "localhost"):
            self.assertIn(part, text)
        self.assertNotIn("secret", text)
        self.assertEqual(count, requests, text)

    def test_what_each_status_means(self):
        page = b"<html>secret</html>"
        cases = {
            401: ("answered 401 (text/html)", "RITHMO_MCP_TOKEN was rejected or has expired"),
            403: ("answered 403", "lacks the scope mcp:read"),
            404: ("answered 404", "wrong RITHMO_MCP_URL?"),
            405: ("answered 405", "wrong RITHMO_MCP_URL?"),
            407: ("answered 407", "set HTTPS_PROXY"),
            400: ("answered 400",),
            418: ("answered 418",),
            500: ("answered 500", "safe to try again"),
            201: ("answered 201", "no answer to the call"),
            202: ("answered 202", "no answer to the call"),
            204: ("answered 204", "no answer to the call"),
        }
        for status, expected in cases.items():
            with self.subTest(status):
                self.check(http(status, b"" if status == 204 else page, "text/html"), *expected)

    def test_statuses_that_may_pass_are_tried_again_within_bounds(self):
        for status in (502, 503, 504):
            with self.subTest(status):
                expected = ("answered %d" % status, "safe to try again")
                self.check(http(status, b"secret", "text/plain"), *expected, requests=3)

    def test_a_status_that_passes(self):
        for status in (429, 502, 503, 504):
            with self.subTest(status):
                service = self.service(http(status), OK)
                self.assertEqual(self.call(service).data, {"org_id": "o"})
                self.assertEqual(len(service.visits), 2)
                first, second = (visit.message for visit in service.visits)
                self.assertEqual(first, second)

    def test_the_json_rpc_error_with_a_status_is_told_too(self):
        error = {"code": -32000, "message": "store\n is \x1b[31mdown"}
        expected = ("answered 503", 'says: "store is \\x1b[31mdown (JSON-RPC error -32000)"')
        self.check(failing(error, 503), *expected, requests=3)
        self.check(failing(error, 400), "answered 400 (application/json); it says:", "store is")

    def test_other_bodies_with_a_status_are_not_told(self):
        for body in (
            b'{"error":"secret"}',
            b'{"error":{"message":"secret"}}',
            b'{"jsonrpc":"2.0","error":{"message":1}}',
            b"[secret",
            b"\xff",
            b"5",
        ):
            with self.subTest(body):
                self.check(http(400, body), "answered 400")

    def test_a_body_with_a_status_that_is_too_large_or_cut_short_does_not_hide_it(self):
        large = b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"%s"}}' % (b"secret" * 20_000)
        self.check(http(400, large), "answered 400")
        self.check(http(400, b"{", Content_Length=10), "answered 400")

    def test_bodies_that_are_no_answer(self):
        cases = [
            (http(200, b"<html>secret", "text/html"), "answered 200 (text/html): not JSON"),
            (http(200, b"secret", "text/html; charset=x"), "answered 200 (text/html): not JSON"),
            (http(200, b""), "answered 200 (application/json): no body"),
            (http(200, b"", None), "answered 200: no body"),
            (http(200, b"<html>secret"), "no JSON-RPC response"),
            (http(200, b'{"org_id":"secret"}'), "no JSON-RPC response"),
            (http(200, b'{"error":{"message":"secret"}}'), "no JSON-RPC response"),
            (http(200, b'["secret"]'), "no JSON-RPC response"),
            (http(200, b"null"), "no JSON-RPC response"),
            (http(200, b'{"jsonrpc":"2.0","id":1}'), "no JSON-RPC response"),
            (http(200, b'{"jsonrpc":"2.0","id":2,"result":"secret"}'), "no JSON-RPC response"),
            (http(200, b'{"jsonrpc":"2.0","id":"1","result":"secret"}'), "no JSON-RPC response"),
            (http(200, b'{"jsonrpc":"2.0","result":"secret"}'), "no JSON-RPC response"),
            (http(200, b'{"jsonrpc":"1.0","id":1,"result":"secret"}'), "no JSON-RPC response"),
            (http(200, b'{"jsonrpc":"2.0","id":1,"result":"\xff"}'), "no JSON-RPC response"),
            (http(200, b'{"jsonrpc":"2.0","id":1,"error":"secret"}'), "error without a message"),
            (http(200, b"secret", Content_Encoding="gzip"), "compressed"),
            (http(200, b"[" * 100_000), "no JSON-RPC response"),
        ]
        for reply, expected in cases:
            with self.subTest(reply[-60:]):
                self.check(reply, expected)

    def test_deep_answers_are_forwarded_or_refused(self):
        refused = []
        for depth in (100, 400, 700, 900, 2000, 50_000):
            text = '{"a":' * depth + "1" + "}" * depth
            try:
                answer = self.call(self.service(answering('{"structuredContent":%s}' % text)))
                self.assertEqual(jsontext.dumps(answer.data), text)
            except Failure as failure:
                self.assertRegex(str(failure), "nested too deeply|no JSON-RPC response")
                refused.append(depth)
        self.assertNotIn(100, refused)
        self.assertIn(50_000, refused)

    def test_the_size_of_an_answer_is_bounded(self):
        def endless(visit):
            visit.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
            while True:
                visit.send(b" " * 65536)

        def endless_events(visit):
            visit.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            while True:
                visit.send(b": and so on\n\n" * 5000)

        expected = "more than %d bytes" % MOST_BYTES
        self.check(http(200, b"x", Content_Length=MOST_BYTES + 1), expected)
        self.check(endless, expected)
        self.check(endless_events, expected)

    def test_a_large_answer_within_bounds(self):
        text = '{"a":"%s"}' % ("x" * 2_000_000)
        answer = self.call(self.service(answering('{"structuredContent":%s}' % text)))
        self.assertEqual(len(answer.data["a"]), 2_000_000)

    def test_what_is_no_http(self):
        for reply in (b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/3 200\r\n\r\n",
                      b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200,
                      b"HTTP/1.1 200 OK\r\na: " + b"b" * 70_000):  # fmt: skip
            with self.subTest(reply[:30]):
                self.check(reply, "does not speak HTTP")


class RedirectTest(ServiceCase):
    def test_no_redirect_is_followed(self):
        other = self.service(OK, certificate=None)
        secure = self.service(OK)
        targets = {
            "https://other.example/mcp": "other.example",
            "http://127.0.0.1:%d/mcp" % other.port: "127.0.0.1:%d" % other.port,
            "https://localhost:%d/mcp" % secure.port: "localhost:%d" % secure.port,
            "//user:pw@other.example": "other.example",
            "/elsewhere": "another address of the same host",
            "": "another address of the same host",
            "https://[::1": "another address of the same host",
        }
        cases = [
            (status, target) for status in (300, 301, 302, 303, 307, 308) for target in targets
        ]
        service = self.service(*[http(status, Location=target) for status, target in cases])
        for count, (status, target) in enumerate(cases, 1):
            with self.subTest(status, target=target):
                text = self.fail_with(service)
                self.assertIn("answered %d" % status, text)
                self.assertIn("a redirect to %s, which is not followed" % targets[target], text)
                self.assertIn("may mean that the token has expired", text)
                self.assertEqual(len(service.visits), count)
        self.assertEqual((other.connections, secure.connections), (0, 0))


class WaitTest(ServiceCase):
    def test_a_short_wait_that_is_asked_for(self):
        service = self.service(http(503, Retry_After="0"), http(429, Retry_After="1"))
        text = self.fail_with(service)
        self.assertIn("it asks to wait for 1 s", text)
        service = self.service(http(429, Retry_After="1"), OK)
        started = time.monotonic()
        self.assertEqual(self.call(service).data, {"org_id": "o"})
        self.assertGreaterEqual(time.monotonic() - started, 1)
        self.assertEqual(len(service.visits), 2)

    def test_a_second_wait_is_told(self):
        replies = http(429, Retry_After="0"), http(429, Retry_After="4"), OK
        text, count = self.failure(*replies)
        self.assertIn("asks to wait for 4 s", text)
        self.assertEqual(count, 2)

    def test_the_answer_after_a_wait_is_judged_for_itself(self):
        text, count = self.failure(http(429, Retry_After="0"), http(401))
        self.assertIn("answered 401", text)
        self.assertEqual(count, 2)

    def test_a_long_wait_is_told(self):
        date = {"Date": "Sun, 06 Nov 1994 08:49:37 GMT"}
        for value, seconds in (("3600", 3600), ("Sun, 06 Nov 1994 08:59:37 GMT", 600)):
            with self.subTest(value):
                text, count = self.failure(http(429, Retry_After=value, **date))
                self.assertIn("asks to wait for %d s" % seconds, text)
                self.assertEqual(count, 1)

    def test_nonsense_counts_as_no_wait(self):
        for value in ("-1", "abc", "1.5", "", "1e3", "٣"):
            with self.subTest(value):
                reply = http(429, Retry_After=value.encode().decode("latin-1"))
                text, count = self.failure(reply)
                self.assertNotIn("asks to wait", text)
                self.assertEqual(count, 2)

    def test_a_wait_beyond_the_deadline_is_told(self):
        started = time.monotonic()
        replies = http(429, Retry_After="3"), OK
        text, count = self.failure(*replies, DECISIONSCOPE_TIMEOUT="2")
        self.assertIn("asks to wait for 3 s", text)
        self.assertEqual(count, 1)
        self.assertLess(time.monotonic() - started, 1.5)


class RetryAfterTest(unittest.TestCase):
    def test_values(self):
        date = "Sun, 06 Nov 1994 08:49:37 GMT"
        cases = {
            "0": 0, "7": 7, " 7 ": 7, "9" * 400: 999999999,
            "Sun, 06 Nov 1994 08:49:40 GMT": 3,
            "Sunday, 06-Nov-94 08:49:40 GMT": 3,
            "Sun Nov  6 08:49:40 1994": 3,
            "Sun, 06 Nov 1994 08:49:00 GMT": 0,
            "": None, "-1": None, "abc": None, "1.5": None, "Sun, 99 Nov 99999999999 GMT": None,
        }  # fmt: skip
        for value, expected in cases.items():
            with self.subTest(value):
                self.assertEqual(retry_after(value, date), expected)

    def test_without_a_date_the_clock_counts(self):
        self.assertEqual(retry_after("Sun, 06 Nov 1994 08:49:40 GMT", "nonsense"), 0)


class RetriesTest(unittest.TestCase):
    def pauses(self, *failures, delays=(1, 2)):
        retries = Retries(delays)
        return [retries.pause_after(failure) for failure in failures]

    def test_delays_until_they_are_used_up(self):
        self.assertEqual(self.pauses(*[Passing("")] * 3), [1, 2, None])

    def test_one_wait_that_is_asked_for(self):
        asked = Passing("", asked=True, wait=4)
        self.assertEqual(self.pauses(asked, asked), [4, None])
        self.assertEqual(self.pauses(Passing(""), asked, asked), [1, 4, None])
        self.assertEqual(self.pauses(asked, Passing("")), [4, 2])

    def test_a_wait_that_is_not_told(self):
        asked = Passing("", asked=True)
        self.assertEqual(self.pauses(asked, asked), [1, None])

    def test_a_wait_that_is_too_long(self):
        self.assertEqual(self.pauses(Passing("", asked=True, wait=MOST_WAIT + 1)), [None])
        self.assertEqual(self.pauses(Passing("", asked=True, wait=MOST_WAIT)), [MOST_WAIT])


class BrokenConnectionTest(ServiceCase):
    def test_before_the_answer_the_call_is_repeated_within_bounds(self):
        for certificate in ("good", None):
            for reply in (lambda visit: visit.reset(), b""):
                service = self.service(reply, certificate=certificate)
                text = self.fail_with(service)
                self.assertIn("broke the connection before it answered; safe to try again", text)
                self.assertEqual(len(service.visits), 3)

    def test_it_may_pass(self):
        service = self.service(lambda visit: visit.reset(), b"", OK)
        self.assertEqual(self.call(service).data, {"org_id": "o"})

    def test_before_the_request_too(self):
        service = self.service(OK, before=lambda visit: visit.reset())
        text = self.fail_with(service)
        self.assertRegex(text, "broke the connection while TLS was starting|cannot be reached")
        self.assertEqual(service.connections, 3)

    def test_in_the_answer_the_call_is_not_repeated(self):
        def reset(visit):
            visit.send(http(200, b"{", Content_Length=100))
            visit.pause(0.2)
            visit.reset()

        whole = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        for reply in (
            reset,
            http(200, b"{", Content_Length=100),
            whole + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
            whole + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n{",
        ):
            text, count = self.failure(reply)
            self.assertIn("broke the connection in the middle of the answer", text)
            self.assertIn("safe to try again", text)
            self.assertEqual(count, 1)

    def test_a_port_where_nobody_listens(self):
        service = self.service(OK)
        service.__exit__()
        text = self.fail_with(service)
        self.assertIn("%s cannot be reached (Connection refused)" % service.host, text)

    def test_a_name_that_is_not_known(self):
        service = self.service(OK)
        text = self.fail_with(service, RITHMO_MCP_URL="https://record.invalid/mcp")
        self.assertIn("the name of record.invalid cannot be found (", text)
        self.assertIn("set HTTPS_PROXY, and SSL_CERT_FILE", text)
        self.assertIn("MCP clients pass on only the variables", text)

    def test_name_servers_that_do_not_answer_may_pass(self):
        ask = socket.getaddrinfo
        for code, tries in ((socket.EAI_AGAIN, 2), (socket.EAI_NONAME, 1)):
            service = self.service(OK)
            answers = [socket.gaierror(code, "so it is"), ask("localhost", service.port)]
            with mock.patch.object(socket, "getaddrinfo", side_effect=answers) as asked:
                if tries == 2:
                    self.assertEqual(self.call(service).data, {"org_id": "o"})
                else:
                    self.assertIn("cannot be found (so it is)", self.fail_with(service))
            self.assertEqual(asked.call_count, tries)


class DeadlineTest(ServiceCase):
    def check(self, phase, *replies, **options):
        service = self.service(*replies, **options)
        started = time.monotonic()
        text = self.fail_with(service, DECISIONSCOPE_TIMEOUT="0.4")
        self.assertIn("no answer within 0.4 s (DECISIONSCOPE_TIMEOUT)", text)
        self.assertIn("while %s" % phase, text)
        self.assertLess(time.monotonic() - started, 1)

    def test_no_answer(self):
        self.check("waiting for the answer of localhost", silent)

    def test_no_tls(self):
        self.check("starting TLS with localhost", b"", before=silent)

    def test_a_head_that_comes_slowly(self):
        def reply(visit):
            for byte in http(200, b"{}"):
                visit.send(bytes([byte]))
                visit.pause(0.1)

        self.check("waiting for the answer of localhost", reply)

    def test_a_body_that_comes_slowly(self):
        def reply(visit):
            visit.send(http(200, b"", Content_Length=100))
            for _ in range(100):
                visit.send(b" ")
                visit.pause(0.1)

        self.check("reading the answer of localhost", reply)

    def test_an_event_stream_that_comes_slowly(self):
        def events(visit):
            for _ in range(100):
                yield b": keep-alive\n\n"
                visit.pause(0.1)

        self.check("reading the answer of localhost", streaming(events))

    def test_tries_count_together(self):
        def late(visit):
            visit.pause(0.25)
            visit.send(http(503))

        self.check("waiting for the answer of localhost", late)

    def test_a_look_up_that_takes_long(self):
        self.look_up_slowly(0.8)
        self.check("looking up the name of localhost", OK)

    def look_up_slowly(self, seconds):
        """No name server can be slow on demand: what asks it is held up instead."""
        ask = socket.getaddrinfo

        def slow(*given, **named):
            time.sleep(seconds)
            return ask(*given, **named)

        self.replace(connection.socket, "getaddrinfo", slow)

    def replace(self, place, name, value):
        patch = mock.patch.object(place, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_host_that_is_not_found_in_time(self):
        self.look_up_slowly(0.5)
        self.replace(connection, "_CONNECTING", 0.2)
        text = self.fail_with(self.service(OK), RITHMO_MCP_URL="https://record.example")
        self.assertIn("the name of record.example was not found within 0.2 s", text)
        self.assertIn("set HTTPS_PROXY", text)

    @unittest.skipUnless(sys.platform == "linux", "only Linux lets a full queue wait")
    def test_a_host_that_does_not_answer_in_time(self):
        service = self.service(OK)
        listener = self.enterContext(socket.create_server(("127.0.0.1", 0), backlog=0))
        address = listener.getsockname()
        self.enterContext(socket.create_connection(address))
        url = "https://127.0.0.1:%d/mcp" % address[1]
        text = self.fail_with(service, RITHMO_MCP_URL=url, DECISIONSCOPE_TIMEOUT="0.3")
        self.assertIn("no answer within 0.3 s", text)
        self.assertIn("while connecting to 127.0.0.1", text)
        self.replace(connection, "_CONNECTING", 0.2)
        text = self.fail_with(service, RITHMO_MCP_URL=url)
        self.assertIn("127.0.0.1:%d did not answer within 0.2 s" % address[1], text)

    def test_plain_http_does_not_leave_this_machine_by_a_false_name(self):
        address = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", 80))
        self.replace(connection.socket, "getaddrinfo", lambda *given, **named: [address])
        service = self.service(OK, certificate=None)
        text = self.fail_with(service)
        self.assertIn("is not this machine, so that http is not safe", text)

    def test_a_receiver_that_does_not_read(self):
        def reply(visit):
            visit.pause(5)

        service = self.service(OK, certificate=None, before=reply)
        started = time.monotonic()
        with self.assertRaisesRegex(Failure, "while sending the call to localhost"):
            self.call(
                service,
                "query_decision",
                {"question": "x" * 20_000_000},
                DECISIONSCOPE_TIMEOUT="0.5",
            )
        self.assertLess(time.monotonic() - started, 1.5)
