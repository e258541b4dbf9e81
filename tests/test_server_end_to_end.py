import json
import os
import unittest

from adrkit_mcp.tools import TOOLS
from adrkit_mcp.tools.definition import definition
from tests.support import (
    ENVELOPE,
    PREFIX,
    Client,
    Repository,
    accepted,
    governing,
    own_repository,
    record,
    superseded,
)

ERAS = ("legacy", "modern")


def corpus(test):
    """A corpus in which every tool has every outcome."""
    repository = Repository(test)
    repository.add(
        accepted("0001", "Use one queue", "Über alles.", affects=governing("src/**")),
        record("0002", "Use two queues", affects=governing("src/*.py", "/bad"), relatesTo=["0009"]),
        superseded("0004", "0001", affects=governing("**/a.py")),
        superseded("0005", "0009"),
        superseded("0006", "0003"),
        superseded("0007", "other:0001"),
    )
    repository.write("0003-a.md", record("0003"))
    repository.write("0003-b.md", record("0003"))
    repository.write("0010-invalid.md", record("0010", status="undecided", oddity=1))
    repository.write("notes.md", "no record")
    return repository


CALLS = [
    ("search_decisions", {"query": "queue"}, "results"),
    ("search_decisions", {"query": "ÜBER", "status": ["accepted"]}, "results"),
    ("search_decisions", {"query": "queue", "limit": 1, "findingsLimit": 1}, "results"),
    ("search_decisions", {"query": "zzz"}, "results"),
    ("search_decisions", {"query": "queue", "cursor": "x"}, "invalid-cursor"),
    ("get_decision", {"ref": "0001"}, "found"),
    ("get_decision", {"ref": "0003"}, "ambiguous-local-id"),
    ("get_decision", {"ref": "0010"}, "not-found"),
    ("get_decision", {"ref": "other:0001"}, "federated-log-unavailable"),
    ("get_decision", {"ref": "0001", "findingsCursor": ""}, "invalid-cursor"),
    ("get_decision_context", {"files": ["src/a.py"]}, "matches"),
    ("get_decision_context", {"files": ["docs/x"], "cursor": "x"}, "invalid-cursor"),
    ("list_superseded", {}, "entries"),
    ("list_superseded", {"findingsCursor": "x"}, "invalid-cursor"),
]


class AnswersTest(unittest.TestCase):
    def test_are_those_of_the_tools_in_both_eras(self):
        repository = corpus(self)
        for era in ERAS:
            with Client(repository.root, repository.dir, era) as client:
                for tool, arguments, outcome in CALLS:
                    with self.subTest(era=era, tool=tool, arguments=arguments):
                        result = client.call(tool, **arguments)
                        self.assertEqual(result["structuredContent"]["result"]["outcome"], outcome)
                        self.assertEqual(
                            result["structuredContent"], repository.call(tool, **arguments)
                        )
                        self.assertEqual(
                            result["content"][0]["text"], repository.summary(tool, **arguments)
                        )
                        self.assertEqual("resultType" in result, era == "modern")

    def test_come_with_the_health_of_the_corpus(self):
        repository = corpus(self)
        health = repository.load().health()
        self.assertEqual((health["recordCount"], health["excludedCount"]), (8, 1))
        with Client(repository.root, repository.dir) as client:
            for tool, arguments, _ in CALLS:
                with self.subTest(tool=tool, arguments=arguments):
                    self.assertEqual(client.structured(tool, **arguments)["corpusHealth"], health)

    def test_are_the_same_bytes_every_time_and_from_every_process(self):
        repository = corpus(self)
        answers = []
        for _ in range(2):
            with Client(repository.root, repository.dir) as client:
                for _ in range(2):
                    answers.append([client.call(tool, **arguments) for tool, arguments, _ in CALLS])
        texts = {json.dumps(answer) for answer in answers}
        self.assertEqual(len(texts), 1)

    def test_do_not_depend_on_time_zone_locale_or_hash_seed(self):
        repository = corpus(self)
        answers = set()
        for variables in (
            {"TZ": "America/Chicago", "PYTHONHASHSEED": "1"},
            {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "2"},
            {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"},
        ):
            with Client(repository.root, repository.dir, **variables) as client:
                answers.add(json.dumps([client.call(*call[:1], **call[1]) for call in CALLS]))
        self.assertEqual(len(answers), 1)

    def test_of_large_requests_and_large_records(self):
        repository = Repository(self)
        body = "\u65e5" * 21_000 + "\n"
        repository.add(accepted("0001", body=body, affects=governing("**/z")))
        files = ["%s/%03d" % ("x" * 1020, number) for number in range(255)] + ["a/z"]
        with Client(repository.root, repository.dir) as client:
            found = client.structured("get_decision", ref="0001")["result"]
            self.assertEqual(found["decision"]["body"], body)
            result = client.structured("get_decision_context", files=files)["result"]
            self.assertEqual([entry["id"] for entry in result["governing"]], ["0001"])

    def test_hold_lone_surrogates_and_controls_of_the_request(self):
        repository = Repository(self).add(record("0001", body="\0\x1b"))
        with Client(repository.root, repository.dir) as client:
            self.assertEqual(
                len(client.structured("search_decisions", query="\0\x1b")["result"]["items"]), 1
            )
            self.assertEqual(
                client.structured("search_decisions", query="\ud800")["result"]["items"], []
            )
            files = ["\ud800", "\0", "\u2028"]
            result = client.structured("get_decision_context", files=files)["result"]
            self.assertEqual(result["outcome"], "matches")


class OwnCorpusTest(unittest.TestCase):
    """The project's own records, as an agent that works on it would ask for them."""

    def setUp(self):
        self.repository = own_repository(self)

    def test_is_healthy(self):
        with Client(self.repository.root, self.repository.dir) as client:
            structured = client.structured("search_decisions", query="the")
            self.assertEqual(structured["corpusHealth"]["excludedCount"], 0)
            self.assertEqual(structured["result"]["findings"]["items"], [])

    def test_tells_what_was_turned_down(self):
        with Client(self.repository.root, self.repository.dir) as client:
            result = client.structured("search_decisions", query="embeddings", status=["rejected"])
            self.assertEqual([item["id"] for item in result["result"]["items"]], ["0011"])

    def test_tells_what_governs_a_file(self):
        with Client(self.repository.root, self.repository.dir) as client:
            result = client.structured(
                "get_decision_context", files=["adrkit_mcp/corpus/loader.py"]
            )["result"]
            self.assertIn("0005", [entry["id"] for entry in result["governing"]])

    def test_tells_what_replaced_what(self):
        with Client(self.repository.root, self.repository.dir) as client:
            items = client.structured("list_superseded")["result"]["items"]
            targets = {item["id"]: item["supersededBy"]["target"]["id"] for item in items}
            self.assertEqual(targets["0004"], "0005")

    def test_can_be_read_whole(self):
        with Client(self.repository.root, self.repository.dir) as client:
            for item in self.repository.load().records:
                with self.subTest(item.id):
                    decision = client.structured("get_decision", ref=item.id)["result"]["decision"]
                    self.assertEqual(decision["frontmatter"], item.frontmatter)
                    self.assertEqual(decision["body"], item.body)


class ListingTest(unittest.TestCase):
    def test_shows_the_same_four_tools_in_both_eras(self):
        repository = Repository(self)
        for era in ERAS:
            with self.subTest(era), Client(repository.root, repository.dir, era) as client:
                result = client.request("tools/list")["result"]
                self.assertEqual(result["tools"], [definition(name) for name in TOOLS])

    def test_holds_nothing_of_the_corpus(self):
        with Client(Repository(self).root, "docs/adr") as empty:
            repository = corpus(self)
            with Client(repository.root, repository.dir) as client:
                self.assertEqual(
                    client.request("tools/list")["result"], empty.request("tools/list")["result"]
                )


class RefusalsTest(unittest.TestCase):
    def setUp(self):
        self.repository = corpus(self)

    def test_of_arguments_are_results_that_name_the_field(self):
        for era in ERAS:
            with Client(self.repository.root, self.repository.dir, era) as client:
                for tool, arguments, name in [
                    ("search_decisions", {}, "query"),
                    ("search_decisions", {"query": "a", "limit": 101}, "limit"),
                    ("search_decisions", {"query": "a", "nope": 1}, "nope"),
                    ("get_decision", {"ref": 7}, "ref"),
                    ("get_decision_context", {"files": ["../x"]}, "files.0"),
                    ("list_superseded", {"cursor": None}, "cursor"),
                ]:
                    with self.subTest(era=era, tool=tool, arguments=arguments):
                        result = client.call(tool, **arguments)
                        self.assertIs(result["isError"], True)
                        self.assertNotIn("structuredContent", result)
                        (block,) = result["content"]
                        self.assertTrue(block["text"].startswith("Invalid arguments: %s" % name))

    def test_of_what_is_no_call_are_protocol_errors(self):
        for era in ERAS:
            with Client(self.repository.root, self.repository.dir, era) as client:
                for params in (
                    {"name": "nope", "arguments": {}},
                    {"name": "list_superseded", "arguments": None},
                    {"name": "list_superseded", "arguments": []},
                    {"name": "list_superseded", "arguments": "{}"},
                    {"name": "list_superseded", "arguments": 7},
                    {"name": 7},
                    {},
                ):
                    with self.subTest(era=era, params=params):
                        answer = client.request("tools/call", params)
                        self.assertEqual(answer["error"]["code"], -32602)
                answer = client.request("tools/call", {"name": "list_superseded"})
                self.assertEqual(
                    answer["result"]["structuredContent"]["result"]["outcome"], "entries"
                )

    def test_come_before_the_corpus_is_looked_at(self):
        with Client(self.repository.root, self.repository.dir) as client:
            os.rename(self.repository.root, self.repository.root + "-moved")
            self.assertIs(client.call("get_decision", ref="x")["isError"], True)


class UnavailableTest(unittest.TestCase):
    """The corpus goes away in different ways, is told by its reason, and comes back."""

    def setUp(self):
        self.repository = Repository(self).add(record("0001"))
        self.root = self.repository.root

    def rename(self, path):
        os.rename(path, path + "-moved")
        return lambda: os.rename(path + "-moved", path)

    def replaced(self, path, make):
        """Put something else in the place of a path; how to take it back."""
        back = self.rename(path)
        make(path)

        def restore():
            os.unlink(path)
            back()

        return restore

    def test_every_reason_heals_in_the_same_process(self):
        directory, git = self.repository.path(), os.path.join(self.root, ".git")
        changes = [
            ("root-not-found", lambda: self.rename(self.root)),
            (
                "root-not-directory",
                lambda: self.replaced(self.root, lambda p: open(p, "w").close()),
            ),
            ("root-not-readable", lambda: self.replaced(self.root, lambda p: os.symlink(p, p))),
            ("root-not-git", lambda: self.rename(git)),
            ("root-not-git", lambda: self.replaced(git, lambda p: os.symlink("nowhere", p))),
            ("dir-not-found", lambda: self.rename(directory)),
            ("dir-not-found", lambda: self.replaced(directory, lambda p: os.symlink("nowhere", p))),
            ("dir-not-directory", lambda: self.replaced(directory, lambda p: open(p, "w").close())),
            ("dir-not-readable", lambda: self.replaced(directory, lambda p: os.symlink("adr", p))),
            ("dir-outside-root", lambda: self.replaced(directory, lambda p: os.symlink("/", p))),
        ]
        for era in ERAS:
            with Client(self.root, self.repository.dir, era) as client:
                for reason, change in changes:
                    with self.subTest(era=era, reason=reason):
                        restore = change()
                        structured = client.structured("search_decisions", query="queue")
                        restore()
                        self.assertEqual(list(structured), ["result"])
                        message = structured["result"].pop("message")
                        self.assertEqual(
                            structured["result"],
                            {"outcome": "corpus-unavailable", "reason": reason},
                        )
                        self.assertNotIn(self.repository.base, message)
                        healed = client.structured("search_decisions", query="queue")
                        self.assertEqual(healed["corpusHealth"]["recordCount"], 1)

    def test_wins_over_a_bad_cursor_in_every_tool(self):
        with Client(self.root, self.repository.dir) as client:
            self.rename(self.root)
            for tool, arguments in [
                ("search_decisions", {"query": "a"}),
                ("get_decision", {"ref": "0001"}),
                ("get_decision_context", {"files": ["a"]}),
                ("list_superseded", {}),
            ]:
                with self.subTest(tool):
                    result = client.call(tool, **arguments, cursor="x")
                    self.assertEqual(
                        result["structuredContent"]["result"]["outcome"], "corpus-unavailable"
                    )
                    self.assertTrue(
                        result["content"][0]["text"].startswith(
                            "The decisions cannot be read now: "
                        )
                    )


class PagesTest(unittest.TestCase):
    def walk(self, client, tool, items_of, **arguments):
        """All items of a channel, page by page; `items_of` gives (name of its cursor, items, cursor)."""
        seen, more = [], {}
        for _ in range(1000):
            name, items, cursor = items_of(client.structured(tool, **arguments, **more)["result"])
            seen += items
            if cursor is None:
                return seen
            more = {name: cursor}
        raise AssertionError("a walk that does not end")

    def test_of_every_channel_show_every_item_once(self):
        repository = Repository(self)
        for number in range(1, 31):
            source = superseded("%04d" % number, "9999", affects=governing("a", "/bad"))
            repository.write("%04d-x.md" % number, source)
        for number in range(31, 42):
            repository.write("%04d-x.md" % number, accepted("0042", affects=governing("a")))
        projection = repository.load()
        paths = [item.source_path for item in projection.records]

        def primary(*names):
            return lambda result: (
                "cursor",
                [item["sourcePath"] for name in names for item in result[name]],
                result["cursor"],
            )

        def findings(result):
            return "findingsCursor", result["findings"]["items"], result["findings"]["cursor"]

        with Client(repository.root, repository.dir) as client:
            for limit in (1, 7, 100):
                for tool, arguments, names, expected in [
                    ("search_decisions", {"query": "queue"}, ["items"], paths),
                    ("list_superseded", {}, ["items"], paths[:30]),
                    ("get_decision", {"ref": "0042"}, ["candidates"], paths[30:]),
                    (
                        "get_decision_context",
                        {"files": ["a"]},
                        ["governing", "activeProposals", "history"],
                        paths,
                    ),
                ]:
                    with self.subTest(limit=limit, tool=tool):
                        seen = self.walk(client, tool, primary(*names), **arguments, limit=limit)
                        self.assertEqual(sorted(seen), sorted(expected))
                        found = self.walk(client, tool, findings, **arguments, findingsLimit=limit)
                        expected_count = {"get_decision_context": 30}.get(tool, 0)
                        self.assertEqual(len(found), len(projection.findings) + expected_count)
                        texts = [json.dumps(item, sort_keys=True) for item in found]
                        self.assertEqual(len(set(texts)), len(texts))

    def test_end_when_the_corpus_changes_between_two_of_them(self):
        repository = Repository(self)
        for number in range(1, 6):
            repository.add(record("%04d" % number))
        with Client(repository.root, repository.dir) as client:
            first = client.structured("search_decisions", query="queue", limit=2)
            cursor = first["result"]["cursor"]
            repository.add(record("0003", "Use no queue"))
            again = client.structured("search_decisions", query="queue", limit=2, cursor=cursor)
            self.assertEqual(again["result"]["reason"], "corpus-changed")
            self.assertIn("omit the cursor", again["result"]["message"])
            self.assertNotEqual(again["corpusHealth"], first["corpusHealth"])
            repository.add(record("0003"))
            again = client.structured("search_decisions", query="queue", limit=2, cursor=cursor)
            self.assertEqual([item["id"] for item in again["result"]["items"]], ["0003", "0004"])


class FreshnessTest(unittest.TestCase):
    def test_an_edit_within_one_tick_is_in_the_next_answer(self):
        repository = Repository(self).add(record("0001", "Use one queue"))
        path = repository.path("0001-record.md")
        status = os.stat(path)
        with Client(repository.root, repository.dir) as client:
            for title in ("Use one queue", "Use two queue", "Use six queue", "Use one queue"):
                with open(path, "r+b") as file:
                    file.write(record("0001", title).encode())
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
                self.assertEqual(
                    (os.stat(path).st_size, os.stat(path).st_ino), (status.st_size, status.st_ino)
                )
                found = client.structured("get_decision", ref="0001")
                self.assertEqual(found["result"]["decision"]["title"], title)
                self.assertEqual(found, repository.fresh("get_decision", ref="0001"))

    def test_replaced_swapped_and_reverted_files_are_in_the_next_answer(self):
        repository = Repository(self).add(
            record("0001", "Use one queue"), record("0002", "Use two queue")
        )
        one, two = repository.path("0001-record.md"), repository.path("0002-record.md")
        times = os.stat(one)

        def swap():
            os.rename(one, one + "~")
            os.rename(two, one)
            os.rename(one + "~", two)

        def replace():
            os.replace(repository.write("new", record("0001", "Use six queue")), one)

        def revert():
            os.replace(repository.write("new", record("0001", "Use one queue")), one)

        with Client(repository.root, repository.dir) as client:
            for change in (swap, swap, replace, revert, replace, swap, revert):
                change()
                for path in (one, two):
                    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
                found = client.structured("search_decisions", query="queue")
                self.assertEqual(found, repository.fresh("search_decisions", query="queue"))


class EraTest(unittest.TestCase):
    def test_modern_calls_need_no_handshake(self):
        repository = corpus(self)
        with Client(repository.root, repository.dir) as client:
            result = client.call("list_superseded")
            self.assertEqual(result["resultType"], "complete")
            self.assertEqual(result["_meta"][PREFIX + "serverInfo"]["name"], "adrkit-mcp")

    def test_a_legacy_session_ignores_the_modern_claim(self):
        repository = corpus(self)
        with Client(repository.root, repository.dir, "legacy") as client:
            self.assertEqual(client.hello["result"]["serverInfo"]["name"], "adrkit-mcp")
            self.assertIn("get_decision_context", client.hello["result"]["instructions"])
            params = {"name": "list_superseded", "arguments": {}, "_meta": ENVELOPE}
            result = client.request("tools/call", params)["result"]
            self.assertNotIn("resultType", result)
            self.assertNotIn("_meta", result)


if __name__ == "__main__":
    unittest.main()
