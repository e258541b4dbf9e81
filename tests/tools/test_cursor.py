import base64
import hashlib
import json
import os
import unittest

from adrkit_mcp.tools.cursor import MESSAGES, PAGE_SIZE, Channel, InvalidCursor
from tests.support import Repository, governing, record, superseded

FP = "f" * 64
SCOPE = "search.results"
SHAPE = ["queue", [], [], [], 2]


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


QH = sha256('["queue",[],[],[],2]')
PAYLOAD = {"v": 1, "scope": SCOPE, "fp": FP, "qh": QH, "offset": 2}


def encoded(payload):
    """A cursor with this payload: bytes, text, or a value to be written as JSON."""
    if not isinstance(payload, (bytes, str)):
        payload = json.dumps(payload, separators=(",", ":"))
    data = payload if isinstance(payload, bytes) else payload.encode("utf-8")
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def decoded(cursor):
    return json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))


def page(cursor, items="abcde", limit=2):
    """(the items of a page, the next cursor)"""
    page = Channel(SCOPE, SHAPE, limit, cursor).page(items, FP)
    return "".join(page.items), page.cursor


def reason(cursor, items="abcde"):
    """Why a cursor is refused; "" when it is not."""
    try:
        page(cursor, items)
    except InvalidCursor as error:
        assert str(error) == MESSAGES[error.reason]
        return error.reason
    return ""


class WritingTest(unittest.TestCase):
    def test_is_base64url_without_padding_of_compact_json_in_one_order(self):
        items, cursor = page(None)
        self.assertEqual(items, "ab")
        text = '{"v":1,"scope":"search.results","fp":"%s","qh":"%s","offset":2}' % (FP, QH)
        self.assertEqual(cursor, encoded(text))
        self.assertNotIn("=", cursor)

    def test_leads_through_every_item_once_and_ends(self):
        for limit in (1, 2, 3, 4, 5, 6, 100):
            with self.subTest(limit):
                seen, cursor = "", None
                for _ in range(6):
                    items, cursor = page(cursor, limit=limit)
                    seen += items
                    if cursor is None:
                        break
                self.assertEqual((seen, cursor), ("abcde", None))

    def test_an_empty_list_has_one_empty_page(self):
        self.assertEqual(page(None, ""), ("", None))

    def test_the_last_page_has_no_cursor_also_when_it_is_full(self):
        self.assertEqual(page(None, "ab"), ("ab", None))
        self.assertEqual(page(encoded(PAYLOAD), "abcd"), ("cd", None))

    def test_takes_no_more_items_than_it_needs_to_know_that_there_are_more(self):
        letters = iter("abcde")
        page = Channel(SCOPE, SHAPE, 2, None).page(letters, FP)
        self.assertEqual((page.items, page.seen), (["a", "b"], 3))
        self.assertEqual("".join(letters), "de")

    def test_the_last_page_has_seen_them_all(self):
        for cursor, seen in [
            (None, 3),
            (encoded(PAYLOAD), 4),
            (encoded({**PAYLOAD, "offset": 3}), 4),
        ]:
            with self.subTest(cursor):
                self.assertEqual(Channel(SCOPE, SHAPE, 2, cursor).page("abcd", FP).seen, seen)

    def test_hashes_the_shape_as_json_stringify_writes_it(self):
        for shape, text in [
            (["é", [], 20], '["é",[],20]'),
            (["\ud800\x7f\u2028", 1], '["\\ud800\x7f\u2028",1]'),
            ([["b", "a"], 100], '[["b","a"],100]'),
        ]:
            with self.subTest(text):
                cursor = Channel(SCOPE, shape, 1, None).page("ab", FP).cursor
                self.assertEqual(decoded(cursor)["qh"], sha256(text))


class OrderOfChecksTest(unittest.TestCase):
    def test_each_reason_wins_over_those_behind_it(self):
        wrong = {"v": 2, "scope": "superseded.results", "fp": "x", "qh": "x", "offset": 99}
        reasons = ["version-unsupported", "wrong-channel", "corpus-changed", "query-mismatch"]
        reasons.append("offset-out-of-range")
        for key, expected in zip(list(wrong), reasons):
            with self.subTest(expected):
                self.assertEqual(reason(encoded({**PAYLOAD, **wrong})), expected)
                wrong[key] = PAYLOAD[key]
        self.assertEqual(reason(encoded({**PAYLOAD, **wrong})), "")

    def test_another_version_with_a_bad_offset_is_not_decoded(self):
        self.assertEqual(reason(encoded({**PAYLOAD, "v": 2, "offset": 0})), "decode-failed")

    def test_where_there_is_no_list_every_cursor_is_checked_and_then_refused(self):
        for payload, expected in [
            ("x", "decode-failed"),
            ({**PAYLOAD, "v": 2}, "version-unsupported"),
            ({**PAYLOAD, "scope": "x"}, "wrong-channel"),
            ({**PAYLOAD, "fp": "x"}, "corpus-changed"),
            ({**PAYLOAD, "qh": "x"}, "query-mismatch"),
            ({**PAYLOAD, "offset": 99}, "cursor-not-applicable"),
            (PAYLOAD, "cursor-not-applicable"),
        ]:
            with self.subTest(expected):
                with self.assertRaises(InvalidCursor) as caught:
                    Channel(SCOPE, SHAPE, 2, encoded(payload)).refuse(FP)
                self.assertEqual(caught.exception.reason, expected)
        Channel(SCOPE, SHAPE, 2, None).refuse(FP)

    def test_messages_say_how_to_go_on(self):
        for name, message in MESSAGES.items():
            with self.subTest(name):
                self.assertIn("omit the cursor", message)
        self.assertIn("start from the first page", MESSAGES["decode-failed"])


class OffsetTest(unittest.TestCase):
    def test_has_to_lie_before_the_end(self):
        self.assertEqual(reason(encoded({**PAYLOAD, "offset": 4})), "")
        for offset in (5, 6, 2**53 - 1):
            with self.subTest(offset):
                self.assertEqual(
                    reason(encoded({**PAYLOAD, "offset": offset})), "offset-out-of-range"
                )
        self.assertEqual(reason(encoded({**PAYLOAD, "offset": 1}), ""), "offset-out-of-range")

    def test_need_not_be_a_multiple_of_the_limit(self):
        self.assertEqual(page(encoded({**PAYLOAD, "offset": 3})), ("de", None))

    def test_is_a_whole_safe_number_from_1(self):
        for offset in ("0", "-1", "1.5", "9007199254740992", "1e400", '"2"', "null", "true", "[2]"):
            with self.subTest(offset):
                text = json.dumps(PAYLOAD).replace('"offset": 2', '"offset": ' + offset)
                self.assertEqual(reason(encoded(text)), "decode-failed")


class LenienceTest(unittest.TestCase):
    """What a compatible decoder forgives, and what it does not."""

    def setUp(self):
        self.cursor = encoded(PAYLOAD)

    def test_forgives_what_base64_leaves_open(self):
        text = json.dumps({**PAYLOAD, "fp": FP}).replace("search", "\\u0073earch")
        plain = base64.b64encode(text.encode()).decode()
        for name, cursor in [
            ("padding", self.cursor + "=="),
            ("anything behind the padding", self.cursor + "=AAAA"),
            ("the other alphabet", plain),
            ("line breaks", "\n".join(self.cursor[n : n + 64] for n in range(0, 400, 64))),
            ("foreign characters", "!".join(self.cursor) + ".\xe9 \u20ac"),
            ("a character left over", self.of_length(0) + "A"),
        ]:
            with self.subTest(name):
                self.assertEqual(reason(cursor), "")

    def of_length(self, remainder):
        """A cursor whose payload has a length of this remainder by 3."""
        text = json.dumps(PAYLOAD)
        return encoded(" " * ((remainder - len(text)) % 3) + text)

    def test_forgives_unused_bits_of_the_last_character(self):
        self.assertEqual(self.of_length(1)[-2:], "fQ")
        for last in "QRSTUVWXYZabcdef":
            with self.subTest(last):
                self.assertEqual(reason(self.of_length(1)[:-1] + last), "")

    def test_takes_characters_for_the_low_bytes_of_their_utf16_units(self):
        ship = "\U0001f6a2"  # D83D DEA2: the low byte of the first is "="
        self.assertEqual(reason(self.cursor + ship + "AAAA"), "")
        self.assertEqual(reason(ship + self.cursor), "decode-failed")
        lifted = "".join(chr(0x100 + ord(c)) for c in self.cursor)
        self.assertEqual(reason(lifted), "")

    def test_forgives_json_that_is_not_canonical(self):
        for text in (
            json.dumps(dict(reversed(list(PAYLOAD.items())))),
            " \t\r\n" + json.dumps(PAYLOAD, indent=2) + "\n",
            json.dumps(PAYLOAD).replace('"v": 1', '"v": 9, "\\u0076": 1e0'),
            json.dumps(PAYLOAD).replace('"offset": 2', '"offset": 20e-1'),
            json.dumps(PAYLOAD).replace('"offset": 2', '"offset": 2.0'),
        ):
            with self.subTest(text):
                self.assertEqual(reason(encoded(text)), "")

    def test_takes_exactly_five_keys(self):
        for change in ({"x": 1}, {"__proto__": 1}, {"V": 1}):
            with self.subTest(change):
                self.assertEqual(reason(encoded({**PAYLOAD, **change})), "decode-failed")
        for name in PAYLOAD:
            with self.subTest(name):
                less = {key: value for key, value in PAYLOAD.items() if key != name}
                self.assertEqual(reason(encoded(less)), "decode-failed")

    def test_takes_no_other_types(self):
        for name, value in [
            ("v", "1"), ("v", None), ("v", True), ("scope", None), ("scope", 1), ("fp", []), ("qh", {}),
        ]:  # fmt: skip
            with self.subTest(name=name, value=value):
                self.assertEqual(reason(encoded({**PAYLOAD, name: value})), "decode-failed")

    def test_takes_any_other_number_for_another_version(self):
        for version in ("0", "2", "-1", "1.5", "1e400"):
            with self.subTest(version):
                text = json.dumps(PAYLOAD).replace('"v": 1', '"v": ' + version)
                self.assertEqual(reason(encoded(text)), "version-unsupported")

    def test_takes_nothing_that_json_is_not(self):
        good = json.dumps(PAYLOAD)
        for text in (
            *(
                "",
                "x",
                "[]",
                "null",
                "1",
                "{",
                "[%s]" % good,
                good + "x",
                "\ufeff" + good,
                good[:-1],
            ),
            good.replace('"v": 1', '"v": 01'),
            good.replace('"v": 1', '"v": NaN'),
            good.replace('"offset": 2', '"offset": Infinity'),
            good.replace('"', "'"),
            good.replace('"v"', "v"),
            good.replace("}", ",}"),
            good.replace("search", "sea\nrch"),
        ):
            with self.subTest(text[:30]):
                self.assertEqual(reason(encoded(text)), "decode-failed")

    def test_reads_bad_utf8_as_replacements(self):
        raw = json.dumps(PAYLOAD).encode().replace(b"search", b"se\xffrch")
        self.assertEqual(reason(encoded(raw)), "wrong-channel")

    def test_compares_hex_by_case(self):
        for name in ("fp", "qh"):
            changed = {**PAYLOAD, name: PAYLOAD[name].upper()}
            self.assertNotEqual(reason(encoded(changed)), "")

    def test_takes_no_first_page_that_a_model_invents(self):
        for cursor in (
            "",
            " ",
            "0",
            "1",
            "start",
            "null",
            "None",
            "first",
            "next",
            "=" * 9,
            "-",
            "A" * 4096,
        ):
            with self.subTest(cursor[:9]):
                self.assertEqual(reason(cursor), "decode-failed")

    def test_takes_no_deep_nesting_for_more_than_a_bad_cursor(self):
        self.assertEqual(reason(encoded("[" * 3000)), "decode-failed")


class ChannelsTest(unittest.TestCase):
    """The channels of the four tools, each bound to its own part of the request."""

    def setUp(self):
        self.repository = Repository(self)
        for number in range(1, 6):
            source = superseded("000%d" % number, "0009", affects=governing("a"))
            self.repository.write("%04d-x.md" % number, source)
        self.repository.write("0006-x.md", record("0001", affects=governing("a")))
        self.repository.write("0007-x.md", record("0001", affects=governing("a")))
        self.first = {
            "search_decisions": {"query": "QUEUE", "limit": 2, "findingsLimit": 1},
            "get_decision": {"ref": "0001", "limit": 2, "findingsLimit": 1},
            "get_decision_context": {"files": ["b", "a", "b"], "limit": 2, "findingsLimit": 1},
            "list_superseded": {"limit": 2, "findingsLimit": 1},
        }

    def reason(self, tool, **arguments):
        result = self.repository.result(tool, **arguments)
        return result.get("reason", "") if result["outcome"] == "invalid-cursor" else ""

    def test_are_bound_to_scope_fingerprint_and_shape(self):
        shapes = {
            "search_decisions": ("search", '["queue",[],[],[],2]', "[1]"),
            "get_decision": ("get_decision", '["0001",2]', "[1]"),
            "get_decision_context": ("context", '[["a","b"],2]', '[["a","b"],1]'),
            "list_superseded": ("superseded", "[2]", "[1]"),
        }
        for tool, (name, results, findings) in shapes.items():
            with self.subTest(tool):
                structured = self.repository.call(tool, **self.first[tool])
                list_name = "candidates" if tool == "get_decision" else "results"
                self.assertEqual(
                    decoded(structured["result"]["cursor"]),
                    {
                        "v": 1,
                        "scope": "%s.%s" % (name, list_name),
                        "fp": structured["corpusHealth"]["fingerprint"],
                        "qh": sha256(results),
                        "offset": 2,
                    },
                )
                payload = decoded(structured["result"]["findings"]["cursor"])
                self.assertEqual(
                    (payload["scope"], payload["qh"], payload["offset"]),
                    (name + ".findings", sha256(findings), 1),
                )

    def test_are_not_interchangeable(self):
        cursors = {}
        for tool, arguments in self.first.items():
            result = self.repository.result(tool, **arguments)
            cursors[tool, "cursor"] = result["cursor"]
            cursors[tool, "findingsCursor"] = result["findings"]["cursor"]
        for (tool, name), own in cursors.items():
            for other in cursors.values():
                expected = "" if other == own else "wrong-channel"
                with self.subTest(tool=tool, name=name, other=decoded(other)["scope"]):
                    arguments = {**self.first[tool], name: other}
                    self.assertEqual(self.reason(tool, **arguments), expected)

    def test_survive_what_does_not_change_the_request(self):
        for tool, same in [
            ("search_decisions", {"query": " \uff31ueue ", "findingsLimit": 9}),
            ("search_decisions", {"limit": 2.0}),
            ("get_decision_context", {"files": ["a", "b"], "findingsLimit": 9}),
            ("list_superseded", {"findingsLimit": 9}),
        ]:
            with self.subTest(tool=tool, same=same):
                cursor = self.repository.result(tool, **self.first[tool])["cursor"]
                arguments = {**self.first[tool], **same, "cursor": cursor}
                self.assertEqual(self.reason(tool, **arguments), "")

    def test_do_not_survive_what_changes_the_request(self):
        statuses = ["draft", "proposed", "accepted", "rejected", "superseded", "deprecated"]
        for tool, other in [
            ("search_decisions", {"query": "use"}),
            ("search_decisions", {"limit": 3}),
            ("search_decisions", {"status": statuses}),
            ("search_decisions", {"scope": ["component"]}),
            ("search_decisions", {"tags": ["a"]}),
            ("get_decision", {"limit": 1}),
            ("get_decision_context", {"files": ["a"]}),
            ("get_decision_context", {"limit": 3}),
            ("list_superseded", {"limit": 3}),
        ]:
            with self.subTest(tool=tool, other=other):
                cursor = self.repository.result(tool, **self.first[tool])["cursor"]
                arguments = {**self.first[tool], **other, "cursor": cursor}
                self.assertEqual(self.reason(tool, **arguments), "query-mismatch")

    def test_ignore_the_order_of_filters(self):
        one = {
            "query": "queue",
            "limit": 2,
            "status": ["draft", "superseded"],
            "scope": ["org", "component"],
        }
        other = {**one, "status": ["superseded", "draft"], "scope": ["component", "org"]}
        cursor = self.repository.result("search_decisions", **one)["cursor"]
        self.assertEqual(self.reason("search_decisions", **other, cursor=cursor), "")

    def test_of_findings_are_bound_to_their_own_limit_alone(self):
        cursor = self.repository.result("get_decision", ref="0001", findingsLimit=1)["findings"][
            "cursor"
        ]
        for ref in ("0002", "9999", "core:0001"):
            with self.subTest(ref):
                arguments = {"ref": ref, "findingsLimit": 1, "findingsCursor": cursor, "limit": 7}
                self.assertEqual(self.reason("get_decision", **arguments), "")
        self.assertEqual(
            self.reason("get_decision", ref="0001", findingsLimit=2, findingsCursor=cursor),
            "query-mismatch",
        )
        context = {"files": ["a"], "findingsLimit": 1}
        cursor = self.repository.result("get_decision_context", **context)["findings"]["cursor"]
        context["findingsCursor"] = cursor
        self.assertEqual(self.reason("get_decision_context", **context), "")
        context["files"] = ["b"]
        self.assertEqual(self.reason("get_decision_context", **context), "query-mismatch")

    def test_end_with_a_change_of_the_corpus_and_live_again_when_it_is_undone(self):
        cursors = {
            tool: self.repository.result(tool, **arguments)["cursor"]
            for tool, arguments in self.first.items()
        }
        self.repository.write("0008-x.md", record("0008"))
        for expected in ("corpus-changed", ""):
            for tool, cursor in cursors.items():
                with self.subTest(tool=tool, expected=expected):
                    arguments = {**self.first[tool], "cursor": cursor}
                    self.assertEqual(self.reason(tool, **arguments), expected)
            if expected:
                os.unlink(self.repository.path("0008-x.md"))

    def test_of_findings_end_when_skipped_markdown_comes_and_those_of_results_do_not(self):
        result = self.repository.result("list_superseded", **self.first["list_superseded"])
        self.repository.write("notes.md", "x")
        arguments = self.first["list_superseded"]
        self.assertEqual(
            self.reason(
                "list_superseded", **arguments, findingsCursor=result["findings"]["cursor"]
            ),
            "corpus-changed",
        )
        self.assertEqual(self.reason("list_superseded", **arguments, cursor=result["cursor"]), "")

    def test_the_primary_fails_first_however_late_its_reason(self):
        late = encoded({**decoded(self.repository.result(
            "list_superseded", **self.first["list_superseded"])["cursor"]), "offset": 99})  # fmt: skip
        arguments = {**self.first["list_superseded"], "cursor": late, "findingsCursor": ""}
        self.assertEqual(self.reason("list_superseded", **arguments), "offset-out-of-range")
        candidates = self.repository.result("get_decision", **self.first["get_decision"])["cursor"]
        payload = {**decoded(candidates), "qh": sha256('["0002",20]')}
        self.assertEqual(
            self.reason("get_decision", ref="0002", cursor=encoded(payload), findingsCursor=""),
            "cursor-not-applicable",
        )

    def test_a_bad_findings_cursor_fails_the_call(self):
        for tool, arguments in self.first.items():
            with self.subTest(tool):
                structured = self.repository.call(tool, **arguments, findingsCursor="x")
                self.assertEqual(list(structured), ["corpusHealth", "result"])
                self.assertEqual(list(structured["result"]), ["outcome", "reason", "message"])
                self.assertEqual(structured["result"]["reason"], "decode-failed")

    def test_lead_through_all_findings_once(self):
        for tool, arguments in self.first.items():
            for limit in (1, 2, 100):
                with self.subTest(tool=tool, limit=limit):
                    arguments = {**arguments, "findingsLimit": limit}
                    seen, more = [], {}
                    for _ in range(30):
                        found = self.repository.result(tool, **arguments, **more)["findings"]
                        seen += found["items"]
                        if found["cursor"] is None:
                            break
                        more = {"findingsCursor": found["cursor"]}
                    self.assertEqual(seen, self.repository.load().findings)


class SizeTest(unittest.TestCase):
    """A page holds fewer items than asked for when they are very large, but at least one."""

    def walk(self, sizes):
        pages, cursor = [], None
        while True:
            channel = Channel("search.results", [20], 20, cursor)
            page = channel.page(sizes, "f" * 64, weigh=int)
            pages.append(page.items)
            cursor = page.cursor
            if cursor is None:
                return pages

    def test_large_items_make_short_pages(self):
        half = PAGE_SIZE // 2
        self.assertEqual(self.walk([half, half, 1, half]), [[half, half], [1, half]])

    def test_an_item_larger_than_a_page_stands_alone(self):
        self.assertEqual(
            self.walk([1, 2 * PAGE_SIZE, 2 * PAGE_SIZE, 1]),
            [[1], [2 * PAGE_SIZE], [2 * PAGE_SIZE], [1]],
        )


if __name__ == "__main__":
    unittest.main()
