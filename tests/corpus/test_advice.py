import unittest

from adrkit_mcp.corpus.source import read_record

HEAD = {"id": '"0001"', "title": "Use one queue", "status": "draft", "date": "2026-01-02"}

#: What people write in place of a field, the field that is named, and words of the message about it.
REPAIRS = [
    ({"id": "0007"}, "id", ['write id: "0007"', "without quotes"]),
    ({"id": "0010"}, "id", ['write id: "0010"']),
    ({"id": "0o10"}, "id", ['write id: "0008"']),
    ({"id": "0"}, "id", ['write id: "0000"']),
    ({"id": "ADR-0007"}, "id", ['write id: "0007"']),
    ({"id": '"7"'}, "id", ['write id: "0007"']),
    ({"id": "seven"}, "id", ["four or more digits", '"seven"']),
    ({"id": None}, "id", ["is missing"]),
    ({"status": "Accepted"}, "status", ["write status: accepted", "draft, proposed, accepted"]),
    ({"status": "Approved"}, "status", ["write status: accepted", '"Approved"']),
    ({"status": "superseded by ADR-0012"}, "status", ["status: superseded", 'supersededBy: "0012"']),
    ({"status": "superseded by 12"}, "status", ['supersededBy: "0012"']),
    ({"status": "null"}, "status", ["write status: proposed"]),
    ({"status": None}, "status", ["is missing", "draft, proposed, accepted"]),
    ({"status": "{proposed | accepted}"}, "status", ["template", "draft, proposed"]),
    ({"status": "superseded"}, "supersededBy", ['write supersededBy: "0012"']),
    ({"status": "accepted"}, "deciders", ['write deciders: ["@handle"]']),
    ({"deciders": '"@ana"'}, "deciders", ["expected a list", 'deciders: ["@ana"]']),
    ({"deciders": "[Ana]"}, "deciders.0", ['"@handle"', '"Ana"']),
    ({"deciders": ""}, "deciders", ["expected a list", "null", "leave the key out"]),
    ({"tags": "database"}, "tags", ["expected a list", 'tags: ["database"]']),
    ({"tags": "[Data Base]"}, "tags.0", ['write "data-base"']),
    ({"tags": "[a, a]"}, "tags", ["twice"]),
    ({"decision-makers": '["@ana"]'}, "decision-makers", ["did you mean deciders?"]),
    ({"superseded-by": '"0002"'}, "superseded-by", ["did you mean supersededBy?"]),
    ({"Title": "x"}, "Title", ["did you mean title?"]),
    ({"tag": "x"}, "tag", ["did you mean tags?"]),
    ({"replaces": "[]"}, "replaces", ["did you mean supersedes?"]),
    ({"favourite": "1"}, "favourite", ["unknown key"]),
    ({"affects": '["@uswds/elements"]'}, "affects.0", ["affects: [{type: path, pattern: "]),
    ({"affects": "src/**"}, "affects", ["affects: [{type: path, pattern: "]),
    ({"affects": "[{type: path, paths: a}]"}, "affects.0.pattern", ["is missing"]),
    ({"affects": "[{type: glob, pattern: a}]"}, "affects.0.type", ["path, entity, package", '"glob"']),
    ({"scope": "Component"}, "scope", ["write component"]),
    ({"supersedes": '"0002"'}, "supersedes", ["write it as a list", '["0002"]']),
    ({"supersedes": "[2]"}, "supersedes.0", ['write "0002"']),
    ({"supersedes": "[ADR-2]"}, "supersedes.0", ['write "0002"']),
    ({"title": "2026"}, "title", ["put it in quotes"]),
    ({"title": '"ab"'}, "title", ["3 to 120", "got 2"]),
    ({"date": "01.02.2026"}, "date", ["2026-01-31", '"01.02.2026"']),
    ({"externalRefs": "[{type: doc, url: example.com}]"}, "externalRefs.0.url", ["https://"]),
    ({"id": None}, "id", ['write id: "0007"']),
    ({"title": ""}, "title", ["write title: "]),
    ({"date": "2026"}, "date", ["write date: 2026-01-31"]),
    ({"deciders": "Ana, Bob"}, "deciders", ['@handle, team:slug', 'deciders: ["@handle"]']),
    ({"deciders": "\n  -@ana"}, "deciders", ["a space behind the dash"]),
    ({"status": '"{proposed | accepted}"'}, "status", ["template"]),
    ({"externalRefs": "[{type: doc, url: 'https://a.b', title: x}]"}, "externalRefs.0.title",
     ["unknown key: remove it"]),
    ({"review": "{quorum: 0}"}, "review.quorum", ["1 or more"]),
    ({"review": "{slaDays: -1}"}, "review.slaDays", ["0 or more"]),
    ({"evaluation": "{confidence: 2}"}, "evaluation.confidence", ["0 to 1"]),
]  # fmt: skip


def findings(changes):
    head = {name: value for name, value in {**HEAD, **changes}.items() if value is not None}
    source = "---\n%s\n---\n" % "\n".join("%s: %s" % item for item in head.items())
    return read_record(source.encode("utf-8"), "docs/adr/0001-x.md")[1]


class AdviceTest(unittest.TestCase):
    def test_tells_what_was_expected_and_what_to_write(self):
        for changes, field, wanted in REPAIRS:
            with self.subTest(changes):
                messages = [f["message"] for f in findings(changes) if f.get("field") == field]
                self.assertEqual(len(messages), 1, findings(changes))
                for words in wanted:
                    self.assertIn(words, messages[0])

    def test_gives_a_repair_only_where_it_fits(self):
        for changes, field, words in [
            ({"status": "superseded by us"}, "status", "supersededBy"),
            ({"status": "open"}, "status", "write status"),
            ({"status": "{a: 1}"}, "status", "template"),
            ({"review": "{owner: x}"}, "review.owner", "did you mean"),
            ({"affects": "[{type: path, pattern: a, decision-makers: x}]"}, None, "did you mean"),
            ({"affects": "[{type: path, pattern: a, note: [x]}]"}, None, "affects: ["),
            ({"tags": "[a, a]"}, "tags", "write"),
            ({"title": "[a, b, c]"}, "title", "quotes"),
            ({"domain": ""}, "domain", "quotes"),
        ]:
            with self.subTest(changes):
                (item,) = findings(changes)
                self.assertEqual(item["field"], field or item["field"])
                self.assertNotIn(words, item["message"])

    def test_tells_to_write_a_map_when_there_is_none(self):
        message = read_record(b"---\n---\n", "p")[1][0]["message"]
        self.assertIn("write id, title, status and date", message)

    def test_asks_an_agent_s_record_for_who_ratified_it(self):
        changes = {
            "status": "accepted",
            "deciders": '["@ana"]',
            "provenance": "{authoredBy: agent}",
        }
        self.assertIn('ratifiedBy: "@handle"', findings(changes)[0]["message"])

    def test_shows_values_cut_short_and_on_one_line(self):
        long = "'" + "word " * 400 + "'"
        for changes in (
            {"status": long},
            {"id": long},
            {"deciders": "[%s]" % long},
            {"tags": long},
        ):
            with self.subTest(list(changes)):
                for item in findings(changes):
                    self.assertLess(len(item["message"]), 300)

    def test_escapes_what_would_not_show(self):
        message = findings({"status": '"a\\u202e\\u200b\\nb\\"c"'})[0]["message"]
        self.assertIn('"a\\u202e\\u200b\\nb\\"c"', message)

    def test_gives_no_repair_that_would_be_wrong_as_well(self):
        for changes in ({"id": "123456789012"}, {"id": "0.5"}, {"id": "true"}, {"id": "[7]"}):
            with self.subTest(changes):
                message = findings(changes)[0]["message"]
                self.assertNotIn("write id", message)

    def test_an_invariant_is_not_taken_for_a_missing_value(self):
        (item,) = findings({"status": "accepted", "deciders": '["@a"]', "supersededBy": '"0002"'})
        self.assertEqual(item["field"], "status")
        self.assertNotIn("write status: proposed", item["message"])


if __name__ == "__main__":
    unittest.main()
