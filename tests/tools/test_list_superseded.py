import unittest

from tests.support import Repository, accepted, record, superseded


class ListSupersededTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def entries(self, **arguments):
        result = self.repository.result("list_superseded", **arguments)
        self.assertEqual(list(result), ["outcome", "items", "cursor", "findings"])
        self.assertEqual(result["outcome"], "entries")
        return {item["id"]: item["supersededBy"] for item in result["items"]}

    def rules(self, **arguments):
        """(rule, severity, id) of the findings."""
        result = self.repository.result("list_superseded", **arguments)
        return [(f["rule"], f["severity"], f.get("id")) for f in result["findings"]["items"]]

    def test_lists_superseded_records_only(self):
        for status in ("draft", "proposed", "accepted", "rejected", "deprecated"):
            self.repository.add(accepted("000%d" % len(status), status=status))
        self.assertEqual(self.entries(), {})
        self.repository.add(superseded("0001", "0008", title="Old way"))
        self.assertEqual(
            self.repository.result("list_superseded")["items"],
            [
                {
                    "id": "0001",
                    "title": "Old way",
                    "status": "superseded",
                    "sourcePath": "docs/adr/0001-record.md",
                    "supersededBy": {
                        "resolved": True,
                        "target": {
                            "id": "0008",
                            "title": "Use one queue",
                            "status": "rejected",
                            "sourcePath": "docs/adr/0008-record.md",
                        },
                    },
                }
            ],
        )

    def test_goes_one_hop_and_no_further(self):
        self.repository.add(
            superseded("0003", "0007"), superseded("0007", "0009"), accepted("0009")
        )
        targets = {id: entry["target"]["id"] for id, entry in self.entries().items()}
        self.assertEqual(targets, {"0003": "0007", "0007": "0009"})

    def test_resolves_a_record_to_itself(self):
        self.repository.add(superseded("0001", "0001"))
        self.assertEqual(self.entries()["0001"]["target"]["id"], "0001")

    def test_tells_a_successor_that_is_not_here(self):
        self.repository.add(superseded("0004", "0099"))
        self.assertEqual(
            self.entries(),
            {"0004": {"resolved": False, "targetRef": "0099", "reason": "dangling"}},
        )
        self.assertEqual(self.rules(), [("dangling-supersededBy", "error", "0004")])

    def test_tells_a_successor_that_several_records_claim_to_be(self):
        self.repository.add(superseded("0001", "0007"))
        self.repository.write("0007-a.md", record("0007"))
        self.repository.write("0007-b.md", record("0007"))
        self.assertEqual(
            self.entries()["0001"],
            {"resolved": False, "targetRef": "0007", "reason": "ambiguous", "candidateCount": 2},
        )
        self.assertEqual(
            self.rules(),
            [
                ("superseded-target-ambiguous", "warn", "0001"),
                ("unique-id", "error", "0007"),
                ("unique-id", "error", "0007"),
            ],
        )

    def test_tells_a_successor_in_another_log_without_looking_here(self):
        self.repository.add(superseded("0005", "core:0001"), record("0001"))
        self.assertEqual(
            self.entries()["0005"],
            {
                "resolved": False,
                "targetRef": "core:0001",
                "reason": "federated-unavailable",
                "log": "core",
                "id": "0001",
            },
        )
        self.assertEqual(
            self.rules(),
            [
                ("dangling-supersededBy", "error", "0005"),
                ("superseded-target-federated-unavailable", "info", "0005"),
            ],
        )

    def test_findings_about_targets_have_an_id_and_nothing_else(self):
        self.repository.add(superseded("0005", "core:0001"))
        found = self.repository.result("list_superseded")["findings"]["items"][1]
        self.assertEqual(list(found), ["rule", "severity", "message", "id"])

    def test_findings_about_targets_join_this_tool_alone(self):
        self.repository.add(superseded("0005", "core:0001"))
        before = self.repository.load().fingerprint
        self.assertEqual(len(self.rules()), 2)
        self.assertEqual(self.repository.load().fingerprint, before)
        found = self.repository.result("search_decisions", query="queue")["findings"]["items"]
        self.assertEqual([item["rule"] for item in found], ["dangling-supersededBy"])

    def test_findings_are_about_all_entries_whichever_page_is_shown(self):
        for number in range(1, 4):
            self.repository.add(superseded("000%d" % number, "core:0001"))
        first = self.repository.result("list_superseded", limit=1)
        self.assertEqual([item["id"] for item in first["items"]], ["0001"])
        self.assertEqual(len(first["findings"]["items"]), 6)

    def test_shows_the_target_as_it_is_now(self):
        self.repository.add(superseded("0001", "0002"), record("0002"))
        self.assertEqual(self.entries()["0001"]["target"]["status"], "draft")
        self.repository.add(accepted("0002", "New way"))
        self.assertEqual(self.entries()["0001"]["target"]["title"], "New way")

    def test_pages_say_how_many_of_how_many(self):
        for number in range(1, 102):
            self.repository.add(superseded("%04d" % number, "0001"))
        first = self.repository.result("list_superseded")
        self.assertEqual(len(first["items"]), 20)
        self.assertIsNotNone(first["cursor"])
        told = "Superseded: 101 of 101 decisions. Showing 20 (pass cursor for more): "
        self.assertIn(told, self.repository.summary("list_superseded"))
        ids, more = [], {}
        while True:
            result = self.repository.result("list_superseded", **more)
            ids += [item["id"] for item in result["items"]]
            if result["cursor"] is None:
                break
            more = {"cursor": result["cursor"]}
        self.assertEqual(ids, ["%04d" % number for number in range(1, 102)])

    def test_two_records_of_one_id_are_two_entries(self):
        self.repository.write("0001-a.md", superseded("0001", "0002"))
        self.repository.write("0001-b.md", superseded("0001", "0003"))
        items = self.repository.result("list_superseded")["items"]
        self.assertEqual([item["supersededBy"]["targetRef"] for item in items], ["0002", "0003"])


if __name__ == "__main__":
    unittest.main()
