import unittest

from adrkit_mcp.corpus.source import read_record
from tests.support import record

PATH = "docs/adr/0001-x.md"
HEAD = 'id: "0001"\ntitle: Use one queue\nstatus: draft\ndate: 2026-01-02\n'


def read(source):
    return read_record(source if isinstance(source, bytes) else source.encode("utf-8"), PATH)


def with_yaml(more):
    return "---\n%s%s\n---\nbody\n" % (HEAD, more)


def found(source):
    """(rule, id, field) of each finding; every one is an error about the path."""
    made, findings = read(source)
    assert (made is None) == bool(findings)
    for item in findings:
        assert (item["severity"], item["path"]) == ("error", PATH), item
    return [(item["rule"], item.get("id"), item.get("field")) for item in findings]


class ReadRecordTest(unittest.TestCase):
    def test_makes_a_record(self):
        made, findings = read(record("0001", body="\n# Body\n"))
        self.assertEqual(findings, [])
        self.assertEqual((made.id, made.source_path, made.body), ("0001", PATH, "\n# Body\n"))

    def test_reads_dates_times_and_numbers_as_yaml_1_2_core(self):
        made, _ = read(with_yaml("domain: 10:00\nschemaVersion: 1.2.3"))
        self.assertEqual(made.frontmatter["domain"], "10:00")
        self.assertEqual(made.frontmatter["date"], "2026-01-02")
        made, _ = read(with_yaml("provenance: {importedFrom: {sourceKind: other, sourceRef: x, "
                                 "fingerprint: y, importedAt: 2026-01-15T23:39:45-04:00}}"))  # fmt: skip
        imported = made.frontmatter["provenance"]["importedFrom"]
        self.assertEqual(imported["importedAt"], "2026-01-15T23:39:45-04:00")

    def test_reads_crlf_and_lf_alike_but_for_the_bytes(self):
        unix = record("0001", "Use one queue", "\nline\n")
        windows = unix.replace("\n", "\r\n")
        made, _ = read(windows)
        self.assertEqual(made.title, "Use one queue")
        self.assertEqual(made.body, "\r\nline\r\n")
        self.assertEqual(made.frontmatter, read(unix)[0].frontmatter)

    def test_decodes_utf8_with_a_replacement_for_each_bad_sequence(self):
        source = with_yaml("domain: a").encode().replace(b"domain: a", b"domain: \xe9\xff")
        made, _ = read(source + b"\xf0\x9f\x9a\xe2\x82A\xed\xa0\x80")
        self.assertEqual(made.frontmatter["domain"], "\ufffd\ufffd")
        self.assertEqual(made.body, "body\n\ufffd\ufffdA\ufffd\ufffd\ufffd")


class FindingsTest(unittest.TestCase):
    def test_no_fence(self):
        for source in (b"", b"# Title\n", b"\xef\xbb\xbf---\n---\n", b"---", b"\xff\xfe-\0"):
            with self.subTest(source):
                self.assertEqual(found(source), [("frontmatter-fence", None, "frontmatter")])

    def test_no_yaml(self):
        for more in ("deciders: [@ana]", "a: 'b", "id: x\nid: y", "a: b: c", "\tx: 1", "tags: [a"):
            with self.subTest(more):
                self.assertEqual(
                    found(with_yaml(more)), [("frontmatter-parse", None, "frontmatter")]
                )

    def test_says_where_the_yaml_breaks_by_the_line_of_the_file(self):
        _, findings = read(with_yaml("deciders: [@ana]"))
        self.assertTrue(findings[0]["message"].startswith("line 6, column 12: "), findings)

    def test_no_map(self):
        for head in ("", "# only a comment", "- a", "text", "null", "[]"):
            with self.subTest(head):
                self.assertEqual(found("---\n%s\n---\n" % head), [("invalid-type", None, None)])

    def test_an_empty_map_lacks_the_required_fields(self):
        self.assertEqual(
            found("---\n{}\n---\n"),
            [
                ("invalid-enum-value", None, "status"),
                ("required-field", None, "date"),
                ("required-field", None, "id"),
                ("required-field", None, "title"),
            ],
        )

    def test_tell_the_id_when_it_is_a_string_however_malformed(self):
        for id, told in [
            ('"7"', "7"),
            ('""', ""),
            ("ADR-7", "ADR-7"),
            ("0042", None),
            ("[a]", None),
        ]:
            with self.subTest(id):
                source = with_yaml("x: 1").replace('id: "0001"', "id: " + id)
                self.assertEqual({finding_id for _, finding_id, _ in found(source)}, {told})

    def test_join_keys_and_indexes_by_dots_without_escapes(self):
        more = "tags: [a, B]\nevaluation: {scores: {a.b: x, '': y}}\n'': 1"
        self.assertEqual(
            found(with_yaml(more)),
            [
                ("invalid-format", "0001", "tags.1"),
                ("invalid-type", "0001", "evaluation.scores."),
                ("invalid-type", "0001", "evaluation.scores.a.b"),
                ("strict-unknown-key", "0001", ""),
            ],
        )

    def test_come_in_the_order_of_rule_and_field(self):
        more = "x: 1\ntags: [%s]\ndomain: 1\na: 2" % ", ".join(["A"] * 11)
        self.assertEqual(
            [(rule, field) for rule, _, field in found(with_yaml(more))],
            [("invalid-format", "tags.%s" % n) for n in (0, 1, 10, 2, 3, 4, 5, 6, 7, 8, 9)]
            + [
                ("invalid-type", "domain"),
                ("strict-unknown-key", "a"),
                ("strict-unknown-key", "x"),
                ("unique-items", "tags"),
            ],
        )

    def test_name_invariants_beside_malformed_values(self):
        source = "---\nid: '1'\ntitle: abc\nstatus: accepted\ndate: x\n---\n"
        self.assertEqual(
            found(source),
            [
                ("accepted-requires-decider-unless-imported", "1", "deciders"),
                ("invalid-format", "1", "date"),
                ("invalid-format", "1", "id"),
            ],
        )

    def test_an_unedited_template_is_named_and_breaks_nothing(self):
        more = "deciders: {list everyone | involved}\ntags: {a: {b}}"
        source = with_yaml(more).replace("status: draft", "status: {proposed | accepted}")
        self.assertIn(("invalid-enum-value", "0001", "status"), found(source))


if __name__ == "__main__":
    unittest.main()
