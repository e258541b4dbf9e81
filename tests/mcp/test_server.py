import json
import unittest

from adrkit_mcp.mcp.calls import Tool, Work
from adrkit_mcp.mcp.server import LEGACY
from tests.mcp.support import (
    INFO,
    NAMES,
    PREFIX,
    SERVER_META,
    TOOLS,
    Connection,
    echo,
    envelope,
    initialize,
    modern,
    notification,
    request,
)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_VERSION = -32022

KNOWN = ("server/discover", "tools/list", "tools/call", "subscriptions/listen")
UNKNOWN = (
    "nonsense",
    "Tools/List",
    "tools/list ",
    "",
    "__init__",
    "resources/list",
    "resources/templates/list",
    "resources/subscribe",
    "prompts/list",
    "completion/complete",
    "tasks/list",
    "logging/setLevel",
    "roots/list",
    "notifications/initialized",
)
CACHE = {"ttlMs": 300000, "cacheScope": "public"}
LISTED = [tool.define() for tool in TOOLS]


def legacy_session(version="2025-11-25"):
    connection = Connection()
    assert "result" in connection.send(initialize(version=version))
    return connection


def modern_session():
    connection = Connection()
    assert "result" in connection.send(modern(0, "tools/list"))
    return connection


def is_modern(answer):
    return answer["result"].get("resultType") == "complete"


class Handshake(unittest.TestCase):
    def test_known_versions_are_echoed(self):
        for version in LEGACY:
            with self.subTest(version=version):
                self.assertEqual(
                    Connection().send(initialize(0, version)),
                    {
                        "jsonrpc": "2.0",
                        "id": 0,
                        "result": {
                            "protocolVersion": version,
                            "capabilities": {"tools": {}},
                            "serverInfo": INFO,
                            "instructions": "Call echo.",
                        },
                    },
                )

    def test_other_versions_are_negotiated_down(self):
        for version in ("2024-10-07", "2026-07-28", "2099-01-01", "1.0", ""):
            with self.subTest(version=version):
                result = Connection().send(initialize(0, version))["result"]
                self.assertEqual(result["protocolVersion"], "2025-11-25")

    def test_required_params(self):
        for name in ("protocolVersion", "capabilities", "clientInfo"):
            for value in (None, 5, []):
                with self.subTest(name=name, value=value):
                    connection = Connection()
                    message = initialize()
                    message["params"][name] = value
                    self.assertEqual(connection.code(message), INVALID_PARAMS)
                    del message["params"][name]
                    self.assertEqual(connection.code(message), INVALID_PARAMS)
                    self.assertEqual(connection.code(modern(1, "tools/list")), None)
        self.assertEqual(
            Connection().code({"jsonrpc": "2.0", "id": 0, "method": "initialize"}), INVALID_PARAMS
        )

    def test_unknown_members_are_accepted(self):
        message = initialize()
        message["params"]["capabilities"] = {"experimental": {}, "extensions": {"a/b": {}}}
        message["params"]["surprise"] = message["surprise"] = None
        self.assertIn("result", Connection().send(message))

    def test_initialize_renegotiates(self):
        connection = legacy_session("2024-11-05")
        result = connection.send(initialize(1, "2025-06-18"))["result"]
        self.assertEqual(result["protocolVersion"], "2025-06-18")

    def test_initialize_as_a_notification_opens_nothing(self):
        connection = Connection()
        message = initialize()
        del message["id"]
        self.assertIsNone(connection.send(message))
        self.assertEqual(connection.code(request(1, "tools/list")), INVALID_PARAMS)

    def test_initialize_with_a_claim_is_an_unknown_modern_method(self):
        message = initialize()
        message["params"]["_meta"] = envelope()
        connection = Connection()
        self.assertEqual(connection.code(message), METHOD_NOT_FOUND)
        self.assertIn("result", connection.send(initialize()))

    def test_tools_are_not_loaded_for_the_first_answer(self):
        def load_tools():
            raise AssertionError("loaded")

        self.assertIn("result", Connection(load_tools).send(initialize()))
        self.assertIn("result", Connection(load_tools).send(modern(0, "server/discover")))


class Eras(unittest.TestCase):
    def test_a_modern_request_may_come_first(self):
        for method in ("tools/list", "server/discover"):
            with self.subTest(method=method):
                self.assertTrue(is_modern(Connection().send(modern(1, method))))

    def test_these_select_no_era(self):
        bad_version = envelope(protocolVersion="2099-01-01")
        for message in (
            modern(1, "server/discover"),
            modern(1, "nonsense"),
            modern(1, "tools/call", name="nonsense"),
            modern(1, "tools/list", cursor="x"),
            modern(1, "subscriptions/listen"),
            request(1, "tools/list", _meta=bad_version),
            request(1, "tools/list", _meta=envelope(clientCapabilities=None)),
            request(1, "tools/list"),
            request(1, "ping"),
            request(1, "initialize"),
            notification("notifications/initialized"),
            notification("tools/list", _meta=envelope()),
            notification("notifications/cancelled", requestId=1, _meta=envelope()),
            b"{",
            b"[]",
            b"5",
            b"",
        ):
            with self.subTest(message=message):
                connection = Connection()
                connection.send(message)
                self.assertIn("result", connection.send(initialize(2)))
                self.assertFalse(is_modern(connection.send(request(3, "tools/list"))))
                connection = Connection()
                connection.send(message)
                self.assertTrue(is_modern(connection.send(modern(3, "tools/list"))))
                self.assertEqual(connection.code(initialize(2)), UNSUPPORTED_VERSION)

    def test_a_handshake_is_always_too_late_in_the_modern_era(self):
        for params in ({}, {"protocolVersion": 5}, {"protocolVersion": "2025-11-25"}):
            with self.subTest(params=params):
                connection = Connection()
                connection.send(modern(1, "tools/list"))
                self.assertEqual(
                    connection.code(request(2, "initialize", **params)), UNSUPPORTED_VERSION
                )

    def test_these_select_the_modern_era(self):
        for message in (
            modern(1, "tools/list"),
            modern(1, "tools/call", name="echo"),
            modern(1, "tools/call", name="crash"),
            modern(1, "subscriptions/listen", notifications={}),
        ):
            with self.subTest(message=message):
                connection = Connection()
                connection.send(message)
                self.assertEqual(connection.code(initialize(2)), UNSUPPORTED_VERSION)

    def test_modern_pinned(self):
        connection = modern_session()
        answer = connection.send(initialize(1, "2025-06-18"))
        self.assertEqual(answer["error"]["code"], UNSUPPORTED_VERSION)
        self.assertEqual(
            answer["error"]["data"], {"supported": ["2026-07-28"], "requested": "2025-06-18"}
        )
        for method in (*KNOWN, "ping", "nonsense"):
            with self.subTest(method=method):
                self.assertEqual(connection.code(request(1, method)), INVALID_PARAMS)
        self.assertEqual(connection.code(modern(1, "ping")), METHOD_NOT_FOUND)
        self.assertTrue(is_modern(connection.send(modern(1, "server/discover"))))

    def test_legacy_pinned(self):
        connection = legacy_session()
        for method in ("server/discover", "subscriptions/listen", *UNKNOWN):
            with self.subTest(method=method):
                self.assertEqual(connection.code(request(1, method)), METHOD_NOT_FOUND)
                self.assertEqual(connection.code(modern(1, method)), METHOD_NOT_FOUND)

    def test_legacy_pinned_ignores_claims(self):
        connection = legacy_session()
        for meta in (envelope(), envelope(protocolVersion="2099-01-01"), envelope(logLevel=5)):
            answer = connection.send(request(1, "tools/list", _meta=meta))
            self.assertEqual(answer["result"], {"tools": LISTED})
        message = initialize(1, "2024-11-05")
        message["params"]["_meta"] = envelope()
        self.assertEqual(connection.send(message)["result"]["protocolVersion"], "2024-11-05")

    def test_malformed_meta_in_a_session(self):
        connection = legacy_session()
        for meta in (None, [], "x", 5):
            with self.subTest(meta=meta):
                message = request(1, "tools/list", _meta=meta)
                self.assertEqual(connection.code(message), INVALID_PARAMS)

    def test_without_era_and_claim(self):
        for params in ({}, {"_meta": None}, {"_meta": []}, {"_meta": {"progressToken": 1}}):
            connection = Connection()
            for method in KNOWN:
                with self.subTest(method=method, params=params):
                    error = connection.send(request(1, method, **params))["error"]
                    self.assertEqual(error["code"], INVALID_PARAMS)
                    self.assertIn("initialize", error["message"])
                    self.assertIn("_meta", error["message"])
            for method in UNKNOWN:
                with self.subTest(method=method, params=params):
                    message = request(1, method, **params)
                    self.assertEqual(connection.code(message), METHOD_NOT_FOUND)

    def test_a_claim_is_the_version_key_alone(self):
        connection = Connection()
        rest = envelope(protocolVersion=None, clientInfo={"name": "c", "version": "1"})
        self.assertEqual(connection.code(request(1, "tools/list", _meta=rest)), INVALID_PARAMS)
        connection.send(initialize())
        answer = connection.send(request(1, "tools/list", _meta=rest))
        self.assertEqual(answer["result"], {"tools": LISTED})

    def test_ping(self):
        for connection in (Connection(), legacy_session()):
            self.assertEqual(connection.send(request(1, "ping"))["result"], {})
            bare = {"jsonrpc": "2.0", "id": "p", "method": "ping"}
            self.assertEqual(connection.send(bare)["result"], {})

    def test_probe_and_handshake_in_one_write(self):
        connection = Connection()
        self.assertTrue(is_modern(connection.send(modern("d", "server/discover"))))
        self.assertIsNone(connection.send(notification("notifications/cancelled", requestId="d")))
        self.assertIn("result", connection.send(initialize()))
        self.assertEqual(connection.send(request(1, "tools/list"))["result"], {"tools": LISTED})


class Envelope(unittest.TestCase):
    def codes(self, **changes):
        """The code a changed envelope gets as the first request and as a later one."""
        message = request(1, "tools/list", _meta=envelope(**changes))
        first, later = Connection().code(message), modern_session().code(message)
        self.assertEqual(first, later)
        return first

    def test_version(self):
        for version in ("2099-01-01", "2025-11-25", "2026-07-28 ", ""):
            with self.subTest(version=version):
                self.assertEqual(self.codes(protocolVersion=version), UNSUPPORTED_VERSION)
        for version in (5, [], {}, True):
            with self.subTest(version=version):
                self.assertEqual(self.codes(protocolVersion=version), INVALID_PARAMS)
        null = request(1, "tools/list", _meta={PREFIX + "protocolVersion": None})
        self.assertEqual(Connection().code(null), INVALID_PARAMS)

    def test_unsupported_version_says_what_is(self):
        meta = {PREFIX + "protocolVersion": "2099-01-01"}
        for method in ("tools/list", "nonsense", "initialize", "server/discover"):
            with self.subTest(method=method):
                error = Connection().send(request(1, method, _meta=meta))["error"]
                self.assertEqual(error["code"], UNSUPPORTED_VERSION)
                self.assertEqual(
                    error["data"], {"supported": ["2026-07-28"], "requested": "2099-01-01"}
                )
        meta = {PREFIX + "protocolVersion": "9" * 100_000}
        self.assertLess(len(Connection().send_raw(request(1, "ping", _meta=meta))[0]), 500)

    def test_capabilities(self):
        for value in (None, [], "x", True):
            with self.subTest(value=value):
                self.assertEqual(self.codes(clientCapabilities=value), INVALID_PARAMS)
        self.assertIsNone(self.codes(clientCapabilities={"elicitation": {}, "x/y": []}))

    def test_client_info(self):
        self.assertIsNone(self.codes(clientInfo={"name": "c", "version": "1", "more": 1}))
        for value in ([], "x", {}, {"name": "c"}, {"name": 1, "version": "1"}):
            with self.subTest(value=value):
                self.assertEqual(self.codes(clientInfo=value), INVALID_PARAMS)

    def test_log_level(self):
        levels = "debug info notice warning error critical alert emergency"
        for level in levels.split():
            self.assertIsNone(self.codes(logLevel=level))
        for level in ("DEBUG", "trace", "", 5, [], {}):
            with self.subTest(level=level):
                self.assertEqual(self.codes(logLevel=level), INVALID_PARAMS)

    def test_other_keys_are_ignored(self):
        meta = {**envelope(), "progressToken": {}, "traceparent": 1, "com.example/x": None}
        self.assertTrue(is_modern(Connection().send(request(1, "tools/list", _meta=meta))))

    def test_unknown_methods_come_before_what_else_is_missing(self):
        meta = envelope(clientCapabilities=None)
        for method in (*UNKNOWN, "ping", "initialize"):
            with self.subTest(method=method):
                message = request(1, method, _meta=meta)
                self.assertEqual(Connection().code(message), METHOD_NOT_FOUND)


class Listing(unittest.TestCase):
    def test_discover(self):
        self.assertEqual(
            Connection().send(modern("d1", "server/discover", surprise=1)),
            {
                "jsonrpc": "2.0",
                "id": "d1",
                "result": {
                    "resultType": "complete",
                    "supportedVersions": ["2026-07-28"],
                    "capabilities": {"tools": {}},
                    "instructions": "Call echo.",
                    **CACHE,
                    "_meta": SERVER_META,
                },
            },
        )

    def test_modern(self):
        self.assertEqual(
            Connection().send(modern(1, "tools/list"))["result"],
            {"resultType": "complete", "tools": LISTED, **CACHE, "_meta": SERVER_META},
        )

    def test_legacy(self):
        for version in LEGACY:
            connection = legacy_session(version)
            for message in (
                {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
                request(1, "tools/list"),
                request(1, "tools/list", _meta={"progressToken": 1}, surprise=2),
                request(1, "tools/list", cursor=None),
            ):
                with self.subTest(version=version, message=message):
                    self.assertEqual(connection.send(message)["result"], {"tools": LISTED})

    def test_same_bytes_in_both_eras_and_every_time(self):
        text = json.dumps(LISTED, separators=(",", ":")).encode()
        old, new = legacy_session(), modern_session()
        for _ in range(2):
            self.assertIn(text, old.send_raw(request(1, "tools/list"))[0])
            self.assertIn(text, new.send_raw(modern(1, "tools/list"))[0])

    def test_tools_are_loaded_once(self):
        loads = []
        connection = Connection(lambda: loads.append(1) or TOOLS)
        for message in (modern(1, "tools/list"), modern(2, "tools/call", name="echo")) * 2:
            connection.send(message)
        self.assertEqual(loads, [1])

    def test_there_is_no_second_page(self):
        for cursor in ("x", "", 5, {}, []):
            with self.subTest(cursor=cursor):
                message = modern(1, "tools/list", cursor=cursor)
                self.assertEqual(Connection().code(message), INVALID_PARAMS)
                message = request(1, "tools/list", cursor=cursor)
                self.assertEqual(legacy_session().code(message), INVALID_PARAMS)

    def test_tools_that_cannot_be_loaded(self):
        connection = Connection(lambda: [][0])
        error = connection.send(modern(1, "tools/list"))["error"]
        self.assertEqual(error, {"code": INTERNAL_ERROR, "message": "Internal error"})
        self.assertEqual(len(connection.errors), 1)
        self.assertIn("IndexError in test_server.py", connection.errors[0])


class Calling(unittest.TestCase):
    def both(self, **params):
        """The results of a call in the two eras, the modern one without what makes it so."""
        old = legacy_session().send(request(1, "tools/call", **params))
        new = Connection().send(modern(1, "tools/call", **params))
        if "result" in new:
            self.assertEqual(new["result"].pop("resultType"), "complete")
            self.assertEqual(new["result"].pop("_meta"), SERVER_META)
        self.assertEqual(old, new)
        return new

    def test_structured_result(self):
        arguments = {"a": 'x\u2028"\n\x00', "n": 1.5}
        result = self.both(name="echo", arguments=arguments)["result"]
        structured = {"arguments": arguments}
        self.assertEqual(result["structuredContent"], structured)
        first, second = result["content"]
        self.assertEqual(first, {"type": "text", "text": "said"})
        self.assertEqual(second["type"], "text")
        self.assertEqual(json.loads(second["text"]), structured)
        self.assertNotIn(" ", second["text"])
        self.assertEqual(set(result), {"content", "structuredContent"})

    def test_error_result(self):
        self.assertEqual(
            self.both(name="refuse")["result"],
            {
                "content": [{"type": "text", "text": "query: must be a string"}],
                "isError": True,
            },
        )

    def test_ready_made_content(self):
        self.assertEqual(
            self.both(name="ready")["result"],
            {
                "content": [{"type": "text", "text": "made elsewhere"}],
                "structuredContent": {"n": 1},
            },
        )

    def test_failing_tools_tell_nothing_of_the_inside(self):
        for name, kind in (("crash", "RuntimeError"), ("unencodable", "TypeError")):
            with self.subTest(name=name):
                result = self.both(name=name)["result"]
                self.assertEqual(set(result), {"content", "isError"})
                (block,) = result["content"]
                for word in ("Error", "secret", "/", "Traceback"):
                    self.assertNotIn(word, block["text"])
                connection = legacy_session()
                connection.send(request(1, "tools/call", name=name))
                (line,) = connection.errors
                self.assertIn(f"{name} failed: {kind} in ", line)
                self.assertNotIn("secret", line)
                self.assertNotIn("/", line)

    def test_unknown_tools(self):
        for name in ("", "Echo", "echo ", "__proto__", "__class__", "x" * 10_000, "\ud800"):
            with self.subTest(name=name[:20]):
                error = self.both(name=name)["error"]
                self.assertEqual(error["code"], INVALID_PARAMS)
                self.assertLess(len(error["message"]), 120)
                self.assertTrue(error["message"].startswith("Unknown tool: "))

    def test_malformed_calls(self):
        for params in (
            {},
            {"name": None},
            {"name": 5},
            {"name": ["echo"]},
            {"name": "echo", "arguments": None},
            {"name": "echo", "arguments": []},
            {"name": "echo", "arguments": "{}"},
            {"name": "echo", "arguments": False},
        ):
            with self.subTest(params=params):
                self.assertEqual(self.both(**params)["error"]["code"], INVALID_PARAMS)
        bare = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        self.assertEqual(legacy_session().code(bare), INVALID_PARAMS)

    def test_absent_arguments_are_empty(self):
        result = self.both(name="echo")["result"]
        self.assertEqual(result["structuredContent"], {"arguments": {}})

    def test_unknown_params_are_ignored(self):
        params = {"task": {"ttl": 1}, "inputResponses": {}, "requestState": "x", "surprise": 1}
        self.assertIn("result", self.both(name="echo", **params))

    def test_a_megabyte_and_a_lone_surrogate(self):
        text = "\U0001f6a2é\ud800" * 100_000
        result = self.both(name="echo", arguments={"a": text})["result"]
        self.assertEqual(result["structuredContent"]["arguments"]["a"], text)

    def test_ids_differ_by_type(self):
        connection = legacy_session()
        for id in (1, "1", 0, "", -5, 2**60 + 1, "é\u2028"):
            answer = connection.send(request(id, "tools/call", name="echo"))
            self.assertEqual((answer["id"], type(answer["id"])), (id, type(id)))

    def test_an_id_may_come_again(self):
        connection = legacy_session()
        for _ in range(2):
            self.assertIn("result", connection.send(request(1, "tools/call", name="echo")))


class Cancelling(unittest.TestCase):
    def setUp(self):
        self.connection = legacy_session()

    def start(self, id):
        message = json.dumps(request(id, "tools/call", name="echo")).encode()
        (work,) = self.connection.server.receive(message)
        self.assertIsInstance(work, Work)
        return work

    def cancel(self, **params):
        answer = self.connection.send(notification("notifications/cancelled", **params))
        self.assertIsNone(answer)

    def test_a_waiting_call_is_dropped(self):
        one, text = self.start(1), self.start("1")
        self.cancel(requestId=1, reason="no need")
        self.assertIsNone(one.run())
        self.assertTrue(one.cancelled)
        self.assertIn(b'"id":"1"', text.run())

    def test_a_running_call_is_not_answered(self):
        def cancel_oneself(arguments):
            self.cancel(requestId=5)
            return echo(arguments)

        self.connection = Connection(lambda: [Tool("echo", dict, cancel_oneself)])
        self.connection.send(initialize())
        self.assertIsNone(self.start(5).run())

    def test_what_names_no_call_is_ignored(self):
        work = self.start(1)
        for params in (
            {},
            {"requestId": 2},
            {"requestId": "1"},
            {"requestId": 1.0},
            {"requestId": True},
            {"requestId": None},
            {"requestId": [1]},
            {"requestId": {}},
        ):
            self.cancel(**params)
        self.connection.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled"}')
        self.connection.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}')
        self.assertIn(b'"id":1', work.run())
        self.cancel(requestId=1)

    def test_the_later_of_two_calls_with_one_id_stays_known(self):
        first, second = self.start(1), self.start(1)
        self.assertIsNotNone(first.run())
        self.cancel(requestId=1)
        self.assertIsNone(second.run())


class Notifications(unittest.TestCase):
    def test_none_is_answered(self):
        for connection in (Connection(), legacy_session(), modern_session()):
            for method in (
                "notifications/initialized",
                "notifications/progress",
                "notifications/roots/list_changed",
                "notifications/surprise",
                "tools/list",
                "tools/call",
                "ping",
                "server/discover",
                "subscriptions/listen",
            ):
                self.assertEqual(connection.send_raw(notification(method)), [])
                self.assertEqual(connection.send_raw(notification(method, _meta=envelope())), [])
            self.assertEqual(connection.server.close(), [])


class Subscriptions(unittest.TestCase):
    def listen(self, connection, id, **notifications):
        return connection.send(modern(id, "subscriptions/listen", notifications=notifications))

    def test_acknowledged_with_nothing_and_ended_at_the_end(self):
        connection = Connection()
        for id in (7, "7", 2**53 + 1):
            self.assertEqual(
                self.listen(connection, id, toolsListChanged=True, resourceSubscriptions=["a:b"]),
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/subscriptions/acknowledged",
                    "params": {"_meta": {PREFIX + "subscriptionId": id}, "notifications": {}},
                },
            )
        self.assertTrue(is_modern(connection.send(modern(8, "tools/list"))))
        self.assertEqual(
            [json.loads(message) for message in connection.server.close()],
            [
                {
                    "jsonrpc": "2.0",
                    "id": id,
                    "result": {
                        "resultType": "complete",
                        "_meta": {PREFIX + "subscriptionId": id, **SERVER_META},
                    },
                }
                for id in (7, "7", 2**53 + 1)
            ],
        )
        self.assertEqual(connection.server.close(), [])

    def test_cancelled(self):
        connection = Connection()
        self.listen(connection, 7)
        self.listen(connection, "7")
        connection.send(notification("notifications/cancelled", requestId=7))
        (message,) = connection.server.close()
        self.assertEqual(json.loads(message)["id"], "7")

    def test_an_open_id_is_taken(self):
        connection = Connection()
        self.listen(connection, 7)
        answer = self.listen(connection, 7)
        self.assertEqual(answer["error"]["code"], INVALID_REQUEST)
        self.assertEqual(len(connection.server.close()), 1)

    def test_their_number_is_bounded(self):
        connection = Connection()
        codes = [self.listen(connection, id).get("error", {}).get("code") for id in range(1_500)]
        self.assertEqual(codes[0], None)
        self.assertEqual(codes[-1], INVALID_REQUEST)

    def test_filter(self):
        for params in (
            {},
            {"notifications": None},
            {"notifications": []},
            {"notifications": {"toolsListChanged": "yes"}},
            {"notifications": {"promptsListChanged": 1}},
            {"notifications": {"resourcesListChanged": None}},
            {"notifications": {"resourceSubscriptions": "a:b"}},
            {"notifications": {"resourceSubscriptions": [1]}},
        ):
            with self.subTest(params=params):
                connection = Connection()
                message = modern(1, "subscriptions/listen", **params)
                self.assertEqual(connection.code(message), INVALID_PARAMS)
                self.assertEqual(connection.server.close(), [])
        self.assertIn("params", self.listen(Connection(), 1, surprise=5))


class Batches(unittest.TestCase):
    def test_refused_elsewhere(self):
        batch = [request(1, "ping")]
        for connection in (
            Connection(),
            modern_session(),
            *(legacy_session(version) for version in LEGACY if version != "2025-03-26"),
        ):
            self.assertEqual(connection.code(json.dumps(batch).encode()), INVALID_REQUEST)
            self.assertEqual(connection.code(b"[]"), INVALID_REQUEST)

    def test_one_array_answers(self):
        connection = legacy_session("2025-03-26")
        batch = [
            request(1, "ping"),
            request("2", "tools/call", name="echo"),
            notification("notifications/initialized"),
            {"jsonrpc": "2.0", "id": 9, "result": {}},
            request(3, "nonsense"),
            initialize(4),
            5,
            [],
            {"id": 6},
            request(7, "tools/call", name="crash"),
            request(8, "tools/list"),
        ]
        answers = connection.send(json.dumps(batch).encode())
        by_id = [(answer.get("id"), answer.get("error", {}).get("code")) for answer in answers]
        self.assertEqual(
            by_id,
            [
                (1, None),
                ("2", None),
                (3, METHOD_NOT_FOUND),
                (4, INVALID_REQUEST),
                (None, INVALID_REQUEST),
                (None, INVALID_REQUEST),
                (6, INVALID_REQUEST),
                (7, None),
                (8, None),
            ],
        )
        self.assertEqual(answers[1]["result"]["structuredContent"], {"arguments": {}})
        self.assertIs(answers[7]["result"]["isError"], True)

    def test_notifications_alone_are_not_answered(self):
        connection = legacy_session("2025-03-26")
        batch = [notification("notifications/initialized"), {"result": 1}]
        self.assertIsNone(connection.send(json.dumps(batch).encode()))

    def test_empty_or_endless(self):
        connection = legacy_session("2025-03-26")
        self.assertEqual(connection.code(b"[]"), INVALID_REQUEST)
        self.assertEqual(connection.code(b"[" + b"5," * 100_000 + b"5]"), INVALID_REQUEST)

    def test_calls_are_cancelled_one_by_one(self):
        connection = legacy_session("2025-03-26")
        batch = [request(id, "tools/call", name="echo") for id in (1, 2)]
        (work,) = connection.server.receive(json.dumps(batch).encode())
        connection.send(notification("notifications/cancelled", requestId=1))
        self.assertEqual([answer["id"] for answer in json.loads(work.run())], [2])
        (work,) = connection.server.receive(json.dumps(batch[:1]).encode())
        connection.send(notification("notifications/cancelled", requestId=1))
        self.assertIsNone(work.run())


class InStep(unittest.TestCase):
    """After anything at all the next request is answered as if nothing had been."""

    def test_errors_leave_a_session_as_it_is(self):
        lines = [
            (b"{", PARSE_ERROR),
            (b"\xff", PARSE_ERROR),
            (b"5", INVALID_REQUEST),
            (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID_REQUEST),
            (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', INVALID_PARAMS),
        ]
        for connection, good in (
            (legacy_session(), request(9, "tools/list")),
            (modern_session(), modern(9, "tools/list")),
        ):
            for line, code in lines:
                with self.subTest(line=line):
                    self.assertEqual(connection.code(line), code)
                    self.assertEqual(connection.send(good)["result"]["tools"], LISTED)
            self.assertEqual(connection.errors, [])

    def test_a_line_the_transport_did_not_keep(self):
        message = json.loads(Connection().server.refuse_line(1000))
        self.assertEqual(message["error"]["code"], INVALID_REQUEST)
        self.assertNotIn("id", message)
        self.assertIn("1000", message["error"]["message"])

    def test_modern_results_do_not_depend_on_what_was_before(self):
        call = modern(1, "tools/call", name="echo", arguments={"a": 1})
        fresh = Connection().send_raw(call)
        used = modern_session()
        for name in NAMES:
            used.send(modern(1, "tools/call", name=name))
        self.assertEqual(used.send_raw(call), fresh)


if __name__ == "__main__":
    unittest.main()
