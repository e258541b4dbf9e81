import hashlib
import json
import os
import unittest

from adrkit_mcp.ecma import canonical_json
from tests.support import Repository, accepted, record


def recipe(projection):
    """The fingerprint as the contract spells it out; files beside the candidates are no part of it."""
    health = projection.health()
    findings = [f for f in projection.findings if f["rule"] != "corpus-file-skipped"]
    text = canonical_json({
        "records": [
            {"sourcePath": r.source_path, "frontmatter": r.frontmatter, "body": r.body}
            for r in projection.records
        ],
        "corpusFindings": findings,
        "corpusHealth": {key: health[key] for key in ("recordCount", "excludedCount")},
    })  # fmt: skip
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class FingerprintTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def fingerprint(self):
        return self.repository.load().fingerprint

    def test_of_an_empty_corpus(self):
        text = (
            '{"corpusFindings":[],"corpusHealth":{"excludedCount":0,"recordCount":0},"records":[]}'
        )
        self.assertEqual(self.fingerprint(), hashlib.sha256(text.encode()).hexdigest())

    def test_of_one_record(self):
        self.repository.add(record("0001", "Use one queue", "é\n"))
        frontmatter = (
            '{"affects":[],"assertions":[],"blastRadius":"component","complianceControls":[],'
            '"conflictsWith":[],"consulted":[],"date":"2026-01-02","deciders":[],'
            '"externalRefs":[],"id":"0001","informed":[],"relatesTo":[],'
            '"reversibility":"unknown","schemaVersion":"0.1.0","scope":"component",'
            '"status":"draft","supersedes":[],"tags":[],"title":"Use one queue"}'
        )
        text = (
            '{"corpusFindings":[],"corpusHealth":{"excludedCount":0,"recordCount":1},"records":'
            '[{"body":"é\\n","frontmatter":%s,"sourcePath":"docs/adr/0001-record.md"}]}'
        )
        expected = hashlib.sha256((text % frontmatter).encode("utf-8")).hexdigest()
        self.assertEqual(self.fingerprint(), expected)

    def test_follows_the_recipe_for_any_number_of_records(self):
        for number in range(1, 34):
            self.repository.add(record("%04d" % number))
            if number in (2, 15, 16, 17, 32, 33):
                with self.subTest(number):
                    self.assertEqual(self.fingerprint(), recipe(self.repository.load()))

    def test_follows_the_recipe_on_every_kind_of_corpus(self):
        self.repository.add(
            record("0002", 'Quote "this" \\', 'a\0\x1f"\\\u2028\U0001f6a2\r\n'),
            accepted(
                "0001",
                evaluation={"scores": {"10": 0.1, "b": 3.0, "9": 1e-7}, "confidence": 1.0},
                conflictsWith=["0002", "0009"],
            ),
        )
        self.repository.write("0003-bad.md", "x")
        self.repository.write("notes.md", "x")
        self.repository.write("0004-é\U0001f6a2.md", record("0002", body="x").encode() + b"\xff")
        projection = self.repository.load()
        self.assertEqual(len(projection.records), 3)
        self.assertEqual(projection.fingerprint, recipe(projection))

    def test_survives_json(self):
        self.repository.add(accepted("0001", evaluation={"scores": {"a": 2.5}}))
        found = self.repository.result("get_decision", ref="0001")["decision"]["frontmatter"]
        self.assertEqual(json.loads(json.dumps(found)), found)


class StabilityTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self).add(record("0001", body="body\n"))
        self.path = self.repository.path("0001-record.md")
        self.before = self.repository.load().fingerprint

    def assertChanged(self):
        self.assertNotEqual(self.repository.load().fingerprint, self.before)

    def assertSame(self):
        self.assertEqual(self.repository.load().fingerprint, self.before)

    def test_stays_when_the_yaml_is_only_written_differently(self):
        self.repository.write("0001-record.md", (
            "---\n# a comment\ndate: 2026-01-02\nstatus: 'draft'\ntags: []\n\n"
            "title: >-\n  Use one\n  queue\nid: '0001'\n---\nbody\n"
        ))  # fmt: skip
        self.assertSame()

    def test_stays_when_the_same_bytes_are_written_again(self):
        self.repository.add(record("0001", body="body\n"))
        self.assertSame()

    def test_stays_when_other_files_come_and_go(self):
        self.repository.write("notes.txt", "x")
        self.repository.write("README.md", "x")
        self.repository.write("notes.md", "x")
        self.repository.write("sub/0001-x.md", "x")
        self.assertSame()

    def test_of_the_findings_changes_with_markdown_that_is_skipped(self):
        projection = self.repository.load()
        self.assertEqual(projection.findings_fingerprint, self.before)
        self.repository.write("notes.md", "x")
        changed = self.repository.load().findings_fingerprint
        self.assertNotEqual(changed, self.before)
        os.rename(self.repository.path("notes.md"), self.repository.path("other.md"))
        self.assertNotIn(self.repository.load().findings_fingerprint, (self.before, changed))
        os.unlink(self.repository.path("other.md"))
        self.assertEqual(self.repository.load().findings_fingerprint, self.before)

    def test_changes_with_body_frontmatter_path_and_findings(self):
        for name, source in [
            ("0001-record.md", record("0001", body="bodY\n")),
            ("0001-record.md", record("0001", body="body\n", tags=["a"])),
            ("0002-x.md", "not a record"),
            ("0002-x.md", record("0002")),
        ]:
            with self.subTest(name):
                former = record("0001", body="body\n")
                self.repository.write(name, source)
                self.assertChanged()
                if name == "0001-record.md":
                    self.repository.write(name, former)
                else:
                    os.unlink(self.repository.path(name))
                self.assertSame()

    def test_changes_with_the_name_of_a_file(self):
        os.rename(self.path, self.repository.path("0001-renamed.md"))
        self.assertChanged()
        os.rename(self.repository.path("0001-renamed.md"), self.path)
        self.assertSame()

    def test_tells_line_ends_apart(self):
        self.repository.write("0001-record.md", record("0001", body="body\r\n"))
        self.assertChanged()


if __name__ == "__main__":
    unittest.main()
