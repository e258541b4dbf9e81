import unittest

from tests.support import Repository, accepted, governing, record, superseded

ROLES = ("governing", "activeProposals", "history")


class ContextTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def context(self, *files, **arguments):
        return self.repository.result("get_decision_context", files=list(files), **arguments)

    def ids(self, *files):
        """Role -> ids of its entries."""
        result = self.context(*files)
        return {role: [entry["id"] for entry in result[role]] for role in ROLES}


class RolesTest(ContextTest):
    def test_follow_the_status(self):
        for number, status in enumerate(
            ("draft", "proposed", "accepted", "rejected", "deprecated"), 1
        ):
            self.repository.add(
                accepted("000%d" % number, status=status, affects=governing("src/**"))
            )
        self.repository.add(superseded("0006", "0001", affects=governing("src/**")))
        self.assertEqual(
            self.ids("src/a.py"),
            {
                "governing": ["0003"],
                "activeProposals": ["0001", "0002"],
                "history": ["0004", "0005", "0006"],
            },
        )

    def test_an_accepted_record_stays_governing_whatever_it_relates_to(self):
        self.repository.add(
            accepted("0001", affects=governing("a"), conflictsWith=["0002"], relatesTo=["0002"]),
            accepted("0002", supersedes=["0001"]),
        )
        self.assertEqual(self.ids("a")["governing"], ["0001"])


class EntriesTest(ContextTest):
    def test_show_summary_matchers_and_relations_as_written(self):
        self.repository.add(
            superseded(
                "0001",
                "core:0009",
                affects=governing("src/**", "*.py", "a/b"),
                supersedes=["0008", "0007"],
                relatesTo=["0003", "0002"],
                conflictsWith=["0002", "0002"],
            )
        )
        result = self.context("src/a.py", "b.py")
        self.assertEqual(
            list(result),
            ["outcome", "governing", "activeProposals", "history", "cursor", "findings"],
        )
        self.assertEqual(
            result["history"],
            [
                {
                    "id": "0001",
                    "title": "Use one queue",
                    "status": "superseded",
                    "sourcePath": "docs/adr/0001-record.md",
                    "firedMatchers": [
                        {"type": "path", "pattern": "*.py"},
                        {"type": "path", "pattern": "src/**"},
                    ],
                    "relations": {
                        "supersedes": ["0008", "0007"],
                        "supersededBy": "core:0009",
                        "relatesTo": ["0003", "0002"],
                        "conflictsWith": ["0002", "0002"],
                    },
                }
            ],
        )

    def test_have_no_successor_where_there_is_none(self):
        self.repository.add(record("0001", affects=governing("a")))
        (entry,) = self.context("a")["activeProposals"]
        self.assertEqual(
            entry["relations"],
            {"supersedes": [], "supersededBy": None, "relatesTo": [], "conflictsWith": []},
        )

    def test_nothing_applies_without_a_matcher(self):
        self.repository.add(accepted("0001"), accepted("0002", affects=governing("b")))
        self.assertEqual(self.ids("a"), {role: [] for role in ROLES})

    def test_files_need_not_exist_and_are_not_opened(self):
        self.repository.add(accepted("0001", affects=governing("nowhere/**")))
        self.assertEqual(self.ids("nowhere/x")["governing"], ["0001"])


class PagesTest(ContextTest):
    def setUp(self):
        super().setUp()
        for number in range(1, 8):
            status = ("accepted", "draft", "rejected")[number % 3]
            self.repository.add(accepted("000%d" % number, status=status, affects=governing("a")))

    def test_are_cut_from_one_walk_and_then_split(self):
        pages, more = [], {}
        while True:
            result = self.context("a", limit=3, **more)
            pages.append({role: [entry["id"] for entry in result[role]] for role in ROLES})
            if result["cursor"] is None:
                break
            more = {"cursor": result["cursor"]}
        self.assertEqual(
            pages,
            [
                {"governing": ["0003"], "activeProposals": ["0001"], "history": ["0002"]},
                {"governing": ["0006"], "activeProposals": ["0004"], "history": ["0005"]},
                {"governing": [], "activeProposals": ["0007"], "history": []},
            ],
        )

    def test_are_the_same_for_the_same_set_of_files(self):
        self.assertEqual(self.context("b", "a", limit=1), self.context("a", "b", "a", limit=1))

    def test_say_how_many_of_how_many(self):
        self.repository.add(accepted("0008"))
        self.assertEqual(
            self.repository.summary("get_decision_context", files=["a", "a"], limit=2),
            "Applying to 1 file: 7 of 8 decisions. "
            "Showing 2 (pass cursor for more): 0001 draft, 0002 rejected",
        )


class FindingsTest(ContextTest):
    def test_of_matchers_join_this_call_alone(self):
        self.repository.add(accepted("0001", affects=governing("/a"), relatesTo=["0009"]))
        fingerprint = self.repository.load().fingerprint
        structured = self.repository.call("get_decision_context", files=["a"])
        self.assertEqual(
            [item["rule"] for item in structured["result"]["findings"]["items"]],
            ["affects-bad-pattern", "dangling-relatesTo"],
        )
        self.assertEqual(structured["corpusHealth"]["fingerprint"], fingerprint)
        found = self.repository.result("search_decisions", query="queue")["findings"]["items"]
        self.assertEqual([item["rule"] for item in found], ["dangling-relatesTo"])

    def test_come_from_records_that_do_not_apply_as_well(self):
        self.repository.add(accepted("0001", affects=[{"type": "api", "pattern": "x"}]))
        (item,) = self.context("a")["findings"]["items"]
        self.assertEqual(item["rule"], "affects-unresolvable")


if __name__ == "__main__":
    unittest.main()
