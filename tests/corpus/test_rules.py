import unittest

from tests.support import Repository, accepted, record, superseded

IMPORTED = {"importedFrom": {"sourceKind": "madr", "sourceRef": "r", "fingerprint": "f"}}
ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


class RulesTest(unittest.TestCase):
    def findings(self, *sources):
        """(rule, severity, id, field) of a corpus of these records, each in a file of its own."""
        repository = Repository(self)
        for number, source in enumerate(sources):
            repository.write("%04d-x.md" % number, source)
        self.repository = repository
        found = repository.findings()
        for item in repository.load().findings:
            self.assertEqual(
                list(item), ["rule", "severity", "message", "path", "id", "field"], item
            )
        return [(rule, severity, id, field) for rule, severity, _, id, field in found]


class UniqueIdTest(RulesTest):
    def test_names_each_duplicate(self):
        self.assertEqual(
            self.findings(record("0007"), record("0008"), record("0007"), record("0007")),
            [("unique-id", "error", "0007", "id")] * 3,
        )
        self.assertEqual(
            [path for _, _, path, _, _ in self.repository.findings()],
            ["0000-x.md", "0002-x.md", "0003-x.md"],
        )

    def test_excludes_nothing(self):
        self.findings(record("0007"), record("0007"))
        health = self.repository.load().health()
        self.assertEqual((health["recordCount"], health["excludedCount"]), (2, 0))

    def test_compares_ids_exactly(self):
        self.assertEqual(self.findings(record("0007"), record("00007")), [])
        self.assertEqual(self.findings(record(ULID), record(ULID.lower())), [])


class DanglingTest(RulesTest):
    def test_names_each_reference_without_a_record_by_its_field(self):
        source = superseded(
            "0001", "0009", supersedes=["0002", "0008"], relatesTo=["0007"], conflictsWith=["0006"]
        )
        self.assertEqual(
            self.findings(source, record("0002")),
            [
                ("dangling-conflictsWith", "warn", "0001", "conflictsWith"),
                ("dangling-relatesTo", "error", "0001", "relatesTo"),
                ("dangling-supersededBy", "error", "0001", "supersededBy"),
                ("dangling-supersedes", "error", "0001", "supersedes"),
            ],
        )

    def test_is_told_once_for_each_occurrence(self):
        self.assertEqual(
            self.findings(record("0001", conflictsWith=["0009", "0009"])),
            [("dangling-conflictsWith", "warn", "0001", "conflictsWith")] * 2,
        )

    def test_takes_references_of_other_logs_for_dangling(self):
        self.assertEqual(
            self.findings(record("0001", relatesTo=["core:0001"])),
            [("dangling-relatesTo", "error", "0001", "relatesTo")],
        )

    def test_compares_the_case_of_ids(self):
        self.assertEqual(len(self.findings(record(ULID, relatesTo=[ULID.lower()]))), 1)
        self.assertEqual(self.findings(record(ULID, relatesTo=[ULID])), [])

    def test_counts_only_valid_records_as_targets(self):
        self.assertEqual(
            self.findings(record("0001", relatesTo=["0002"]), record("0002", title="x"))[0][0],
            "dangling-relatesTo",
        )


class AcceptedConflictTest(RulesTest):
    def test_warns_of_accepted_records_whose_conflict_is_here(self):
        found = [("accepted-conflictsWith", "warn", "0001", "conflictsWith")]
        self.assertEqual(self.findings(accepted(conflictsWith=["0002"]), record("0002")), found)
        self.assertEqual(self.findings(accepted(conflictsWith=["0001"])), found)

    def test_takes_other_statuses_and_dangling_conflicts_for_something_else(self):
        self.assertEqual(self.findings(record(conflictsWith=["0002"]), record("0002")), [])
        self.assertEqual(
            [rule for rule, *_ in self.findings(accepted(conflictsWith=["0009"]))],
            ["dangling-conflictsWith"],
        )


class ImportIncompleteTest(RulesTest):
    def test_tells_an_imported_accepted_record_without_deciders(self):
        self.assertEqual(
            self.findings(accepted(deciders=[], provenance=IMPORTED)),
            [("import-incomplete", "info", "0001", "deciders")],
        )

    def test_tells_no_other(self):
        self.assertEqual(self.findings(accepted(provenance=IMPORTED)), [])
        self.assertEqual(self.findings(record(provenance=IMPORTED)), [])


if __name__ == "__main__":
    unittest.main()
