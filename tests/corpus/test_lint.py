import json
import unittest

from adrkit_mcp.corpus.lint import FORMATS, check_source, has_errors, report
from tests.support import Repository, accepted, record


class LintTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def report(self, format):
        projection = self.repository.load()
        return report(projection, projection.findings, self.repository.corpus.sources(), format)

    def lines(self):
        """Path below the directory -> the line of the file that its finding is about."""
        found = json.loads(self.report("json"))["findings"]
        return {item["path"][len("docs/adr/") :]: item.get("line") for item in found}


class LinesTest(LintTest):
    def test_of_a_key_with_a_dot_is_its_own(self):
        self.repository.write(
            "0001-x.md", record("0001").replace("---\n", "---\ntags: [a]\ntags.x: 1\n", 1)
        )
        self.assertEqual(self.lines(), {"0001-x.md": 3})

    def test_of_a_field_is_that_of_its_top_level_key(self):
        source = '---\n\ntitle: Use one queue\r\ndate: 2026-01-02\n"status" : x\nid: "0001"\n---\n'
        self.repository.write("0001-x.md", source)
        self.assertEqual(self.lines(), {"0001-x.md": 5})
        nested = record("0002", affects=[{"type": "path", "pattern": ""}])
        self.repository.write("0002-x.md", nested)
        self.assertEqual(self.lines()["0002-x.md"], 6)

    def test_of_broken_yaml_is_the_parser_s(self):
        self.repository.write("0001-x.md", "---\nid: '0001'\ntags: [a\n---\n")
        found = json.loads(self.report("json"))["findings"][0]
        self.assertEqual(found["message"].partition(",")[0], "line %d" % found["line"])

    def test_of_a_missing_field_is_none_also_when_the_body_names_it(self):
        body = "date: tomorrow\n"
        self.repository.write("0001-x.md", record("0001", body=body, date=None))
        self.assertEqual(self.lines(), {"0001-x.md": None})

    def test_of_a_file_that_is_no_record_at_all_is_none(self):
        self.repository.write("0001-x.md", "title: x\n")
        self.repository.write("0002-x.md", b"x" * 70_000)
        self.repository.write("notes.md", "x")
        self.assertEqual(self.lines(), {"0001-x.md": None, "0002-x.md": None, "notes.md": None})

    def test_of_corpus_rules_is_that_of_their_field(self):
        self.repository.add(record("0001", relatesTo=["0009"]))
        self.assertEqual(self.lines(), {"0001-record.md": 6})


class TextTest(LintTest):
    def test_keeps_a_pattern_on_its_line(self):
        hostile = [{"type": "path", "pattern": "x" + chr(92) * 2 + char} for char in "\n\x1b\u202e"]
        self.repository.add(record("0001", affects=hostile))
        for line in self.report("text").split("\n"):
            self.assertTrue(line.isprintable(), ascii(line))

    def test_has_one_line_for_each_finding_by_place_and_totals(self):
        self.repository.write("0002-x.md", record("0002", tags=["A"], domain=1))
        self.repository.write("0001-x.md", "x")
        self.repository.add(accepted("0003", conflictsWith=["0003"]))
        self.repository.write("notes.md", "x")
        lines = self.report("text").split("\n")
        self.assertEqual(
            [line.partition(": ")[0] for line in lines[:-1]],
            [
                "docs/adr/0001-x.md",
                "docs/adr/0002-x.md:6",
                "docs/adr/0002-x.md:7",
                "docs/adr/0003-record.md:7",
                "docs/adr/notes.md",
            ],
        )
        self.assertTrue(
            lines[1].startswith("docs/adr/0002-x.md:6: error invalid-format [tags.0]: ")
        )
        self.assertEqual(
            lines[-1], "1 records, 2 excluded, 1 skipped; findings: 3 error, 2 warn, 0 info"
        )

    def test_of_a_healthy_corpus_is_its_totals(self):
        self.repository.add(record("0001"))
        self.assertEqual(
            self.report("text"),
            "1 records, 0 excluded, 0 skipped; findings: 0 error, 0 warn, 0 info",
        )

    def test_comes_in_the_order_of_the_lines(self):
        source = record("0001", zeta=1, alpha=2, domain=3)
        self.repository.write("0001-x.md", source)
        fields = [
            line.partition("[")[2].partition("]")[0] for line in self.report("text").split("\n")
        ]
        self.assertEqual(fields, ["zeta", "alpha", "domain", ""])

    def test_keeps_hostile_names_and_keys_on_their_line(self):
        self.repository.write("x\n::error::y\x1b[31m.md", "x")
        self.repository.write("0001-x.md", record("0001", **{"a\nb\u202e": 1}))
        text = self.report("text")
        self.assertEqual(len(text.split("\n")), 3)
        self.assertIn("docs/adr/x\\n::error::y\\x1b[31m.md: warn", text)
        self.assertIn("[a\\nb\\u202e]: ", text)


class JsonTest(LintTest):
    def test_is_one_object_with_health_and_findings_in_their_order(self):
        self.repository.write("0001-x.md", "x")
        self.repository.write("0002-x.md", record("0002", tags=["A"]))
        found = json.loads(self.report("json"))
        self.assertEqual(found["corpusHealth"], self.repository.load().health())
        self.assertEqual(
            [item["rule"] for item in found["findings"]], ["frontmatter-fence", "invalid-format"]
        )


class GithubTest(LintTest):
    def test_writes_one_workflow_command_for_each_finding(self):
        self.repository.write("0001-x.md", record("0001", tags=["A"]))
        self.repository.write("notes.md", "x")
        first, second = self.report("github").split("\n")
        self.assertTrue(
            first.startswith(
                "::error file=docs/adr/0001-x.md,line=6,title=invalid-format::tags.0: "
            ),
            first,
        )
        self.assertTrue(
            second.startswith("::warning file=docs/adr/notes.md,title=corpus-file-skipped::"),
            second,
        )

    def test_of_a_healthy_corpus_is_empty(self):
        self.repository.add(record("0001"))
        self.assertEqual(self.report("github"), "")

    def test_lets_no_name_or_key_start_a_command(self):
        self.repository.write("a,b:c%\r\n::error::y.md", "x")
        self.repository.write("0001-x.md", record("0001", **{"a%\n::error::b": 1}))
        text = self.report("github")
        self.assertEqual(len(text.split("\n")), 2)
        self.assertIn("file=docs/adr/a%2Cb%3Ac%25%0D%0A%3A%3Aerror%3A%3Ay.md,", text)
        self.assertIn("::a%25%0A::error::b: ", text)


class ErrorsTest(LintTest):
    def test_are_told_from_warnings(self):
        self.repository.add(accepted("0001", conflictsWith=["0001"]))
        self.assertFalse(has_errors(self.repository.load()))
        self.repository.add(record("0002", relatesTo=["0009"]))
        self.assertTrue(has_errors(self.repository.load()))


class CheckSourceTest(unittest.TestCase):
    def test_reads_one_file(self):
        made, findings = check_source(record("0001").encode(), "docs/adr/0001-x.md")
        self.assertEqual((made.id, made.body, findings), ("0001", "", []))
        made, findings = check_source(b"x", "docs/adr/0001-x.md")
        self.assertIsNone(made)
        self.assertEqual(findings[0]["rule"], "frontmatter-fence")

    def test_formats_are_three(self):
        self.assertEqual(FORMATS, ("text", "json", "github"))


if __name__ == "__main__":
    unittest.main()
