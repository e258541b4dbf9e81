import calendar
import itertools
import json
import math
import os
import unittest

from adrkit_mcp.corpus.record import check_frontmatter, split_ref
from adrkit_mcp.corpus.source import read_record
from adrkit_mcp.ecma import canonical_bytes, trim
from adrkit_mcp.whatwg_url import is_absolute_url
from tests.support import accepted, record, superseded

with open(os.path.join(os.path.dirname(__file__), "frontmatter.json"), encoding="utf-8") as _file:
    CASES = json.load(_file)

BASE = {"id": "0001", "title": "Use one queue", "status": "draft", "date": "2026-01-02"}
ACCEPTED = {**BASE, "status": "accepted"}
ORDER = [
    *("schemaVersion", "id", "title", "status", "date", "created", "deciders", "consulted"),
    *("informed", "tags", "scope", "domain", "reversibility", "blastRadius", "supersedes"),
    *("supersededBy", "relatesTo", "conflictsWith", "affects", "assertions", "provenance"),
    *("review", "evaluation", "externalRefs", "complianceControls", "reviewBy"),
]
IMPORTED = {"sourceKind": "madr", "sourceRef": "r", "fingerprint": "f"}


def issues(data):
    """The rules that frontmatter breaks and where, sorted."""
    return sorted((issue.rule, ".".join(issue.path)) for issue in check_frontmatter(data)[1])


def rules(data):
    return [rule for rule, _ in issues(data)]


class FieldsTest(unittest.TestCase):
    def test_takes_valid_values(self):
        for name, values in CASES["valid"].items():
            for value in values:
                with self.subTest(name=name, value=value):
                    frontmatter, found = check_frontmatter({**BASE, name: value})
                    self.assertEqual([(i.rule, i.path) for i in found], [])
                    if not isinstance(value, (dict, list)):
                        self.assertEqual(frontmatter[name], value)

    def test_names_invalid_values_by_rule_and_field(self):
        for changes, expected in CASES["invalid"]:
            with self.subTest(changes):
                self.assertEqual(issues({**BASE, **changes}), [tuple(item) for item in expected])

    def test_takes_each_status(self):
        for status in ("draft", "proposed", "rejected", "deprecated"):
            with self.subTest(status):
                self.assertEqual(issues({**BASE, "status": status}), [])

    def test_bounds_titles_in_utf16_units(self):
        for title, expected in [
            ("a" * 120, []),
            ("a" * 121, ["invalid-size"]),
            ("\U0001f6a2" * 60, []),
            ("\U0001f6a2" * 60 + "a", ["invalid-size"]),
        ]:
            with self.subTest(len(title)):
                self.assertEqual(rules({**BASE, "title": title}), expected)

    def test_knows_the_last_day_of_every_month(self):
        for year in (1900, 1999, 2000, 2023, 2024):
            for month in range(1, 13):
                last = calendar.monthrange(year, month)[1]
                with self.subTest(year=year, month=month):
                    for day, expected in [(1, []), (last, []), (last + 1, ["invalid-format"])]:
                        date = "%04d-%02d-%02d" % (year, month, day)
                        self.assertEqual(rules({**BASE, "date": date}), expected)

    def test_takes_no_number_that_is_not_finite(self):
        for value in (math.nan, math.inf, -math.inf, 10**400):
            with self.subTest(str(value)[:9]):
                data = {**BASE, "evaluation": {"confidence": value, "scores": {"a": value}}}
                self.assertEqual(rules(data), ["invalid-type"] * 2)

    def test_requires_four_fields(self):
        self.assertEqual(
            issues({}),
            [
                ("invalid-enum-value", "status"),
                ("required-field", "date"),
                ("required-field", "id"),
                ("required-field", "title"),
            ],
        )

    def test_requires_a_map_at_the_top(self):
        for data in (None, [], "text", 7, True):
            with self.subTest(data):
                self.assertEqual(issues(data), [("invalid-type", "")])

    def test_takes_null_for_a_wrong_value_in_every_field(self):
        enums = {"status", "scope", "reversibility", "blastRadius"}
        for name in CASES["valid"]:
            with self.subTest(name):
                rule = "invalid-enum-value" if name in enums else "invalid-type"
                self.assertEqual(issues({**BASE, name: None}), [(rule, name)])

    def test_ignores_proto_at_every_level(self):
        data = {**BASE, "__proto__": 1, "review": {"__proto__": {}}}
        data["evaluation"] = {"scores": {"__proto__": "x"}}
        frontmatter, found = check_frontmatter(data)
        self.assertEqual(found, [])
        self.assertNotIn("__proto__", json.dumps(frontmatter))


class NormalizedTest(unittest.TestCase):
    def test_fills_defaults_in_the_order_of_the_schema(self):
        frontmatter, _ = check_frontmatter(dict(reversed(list(BASE.items()))))
        self.assertEqual(
            list(frontmatter.items()),
            [
                ("schemaVersion", "0.1.0"),
                ("id", "0001"),
                ("title", "Use one queue"),
                ("status", "draft"),
                ("date", "2026-01-02"),
                ("deciders", []),
                ("consulted", []),
                ("informed", []),
                ("tags", []),
                ("scope", "component"),
                ("reversibility", "unknown"),
                ("blastRadius", "component"),
                ("supersedes", []),
                ("relatesTo", []),
                ("conflictsWith", []),
                ("affects", []),
                ("assertions", []),
                ("externalRefs", []),
                ("complianceControls", []),
            ],
        )

    def test_puts_every_field_in_its_place_whatever_the_order_of_the_source(self):
        data = {name: values[0] for name, values in reversed(list(CASES["valid"].items()))}
        data.update(status="superseded", supersededBy="0002")
        self.assertEqual(
            list(check_frontmatter(data)[0]),
            ORDER,
        )

    def test_fills_defaults_inside_maps(self):
        data = {
            **BASE,
            "provenance": {"agent": {}},
            "review": {"objections": [{"by": "@a"}]},
            "evaluation": {},
            "affects": [{"pattern": "a", "type": "path"}],
            "assertions": [{"severity": "info", "engine": "grep", "id": "a"}],
        }
        frontmatter, found = check_frontmatter(data)
        self.assertEqual(found, [])
        for name, value in [
            ("provenance", {"authoredBy": "human", "agent": {}}),
            ("review", {"approvals": [], "objections": [{"by": "@a", "resolved": False}]}),
            ("evaluation", {"escalationReasons": [], "deterministicFindings": []}),
            ("affects", [{"type": "path", "pattern": "a", "negate": False}]),
            (
                "assertions",
                [{"id": "a", "engine": "grep", "input": "source", "severity": "info"}],
            ),
        ]:
            with self.subTest(name):
                self.assertEqual(json.dumps(frontmatter[name]), json.dumps(value))

    def test_orders_scores_as_javascript_lists_keys(self):
        scores = {"b": 1, "10": 2, "a": 3, "9": 4}
        frontmatter, _ = check_frontmatter({**BASE, "evaluation": {"scores": scores}})
        self.assertEqual(list(frontmatter["evaluation"]["scores"]), ["9", "10", "b", "a"])

    def test_stores_urls_trimmed_and_otherwise_as_written(self):
        refs = [{"type": "doc", "url": " \u00a0HTTP://Example.com:80/a b \ufeff"}]
        frontmatter, found = check_frontmatter({**BASE, "externalRefs": refs})
        self.assertEqual(found, [])
        self.assertEqual(frontmatter["externalRefs"][0]["url"], "HTTP://Example.com:80/a b")

    def test_takes_whole_numbers_written_as_fractions(self):
        data = {**BASE, "review": {"slaDays": 3.0, "quorum": 4e0}}
        frontmatter, found = check_frontmatter(data)
        self.assertEqual(found, [])
        self.assertEqual(repr(frontmatter["review"]["slaDays"]), "3")


class InvariantsTest(unittest.TestCase):
    def test_superseded_requires_superseded_by(self):
        self.assertEqual(
            issues({**BASE, "status": "superseded"}),
            [("superseded-requires-supersededBy", "supersededBy")],
        )
        self.assertEqual(issues({**BASE, "status": "superseded", "supersededBy": "0002"}), [])

    def test_superseded_by_requires_superseded_status(self):
        for status in ("draft", "proposed", "rejected", "deprecated"):
            with self.subTest(status):
                self.assertEqual(
                    issues({**BASE, "status": status, "supersededBy": "0002"}),
                    [("supersededBy-requires-superseded-status", "status")],
                )

    def test_accepted_requires_a_decider_unless_imported(self):
        missing = [("accepted-requires-decider-unless-imported", "deciders")]
        self.assertEqual(issues(ACCEPTED), missing)
        self.assertEqual(issues({**ACCEPTED, "deciders": []}), missing)
        self.assertEqual(issues({**ACCEPTED, "provenance": {}}), missing)
        self.assertEqual(issues({**ACCEPTED, "deciders": ["@ana"]}), [])
        self.assertEqual(issues({**ACCEPTED, "provenance": {"importedFrom": IMPORTED}}), [])

    def test_accepted_by_an_agent_requires_a_ratifier_also_when_imported(self):
        missing = [("agent-accepted-requires-ratifier", "provenance.ratifiedBy")]
        for author in ("agent", "agent-drafted"):
            for more in ({}, {"importedFrom": IMPORTED}):
                with self.subTest(author=author, more=more):
                    data = {**ACCEPTED, "deciders": ["@ana"]}
                    data["provenance"] = {"authoredBy": author, **more}
                    self.assertEqual(issues(data), missing)
                    data["provenance"]["ratifiedBy"] = "@ana"
                    self.assertEqual(issues(data), [])
        draft = {**BASE, "provenance": {"authoredBy": "agent"}}
        self.assertEqual(issues(draft), [])

    def test_one_way_door_disallows_auto(self):
        data = {**BASE, "reversibility": "one-way-door", "review": {"tier": "auto"}}
        self.assertEqual(issues(data), [("one-way-door-disallows-auto", "review.tier")])
        self.assertEqual(issues({**data, "reversibility": "two-way-door"}), [])
        self.assertEqual(issues({**data, "review": {"tier": "arb"}}), [])

    def test_each_runs_on_its_own(self):
        data = {
            **ACCEPTED,
            "supersededBy": "0002",
            "reversibility": "one-way-door",
            "review": {"tier": "auto"},
            "provenance": {"authoredBy": "agent"},
        }
        self.assertEqual(len(issues(data)), 4)

    def test_run_beside_malformed_values(self):
        self.assertEqual(
            rules({**ACCEPTED, "date": "x"}),
            ["accepted-requires-decider-unless-imported", "invalid-format"],
        )

    def test_do_not_run_beside_wrong_shapes_anywhere(self):
        for changes, rule in [
            ({"domain": 1}, "invalid-type"),
            ({"scope": "x"}, "invalid-enum-value"),
            ({"x": 1}, "strict-unknown-key"),
            ({"externalRefs": [{"type": "doc"}]}, "required-field"),
        ]:
            with self.subTest(rule):
                self.assertEqual(rules({**ACCEPTED, **changes}), [rule])

    def test_look_at_values_as_written_well_formed_or_not(self):
        self.assertEqual(rules({**ACCEPTED, "deciders": ["nonsense"]}), ["invalid-format"])
        by_agent = {"authoredBy": "agent", "ratifiedBy": "nobody"}
        data = {**ACCEPTED, "deciders": ["@ana"], "provenance": by_agent}
        self.assertEqual(rules(data), ["invalid-format"])
        self.assertEqual(
            rules({**BASE, "supersededBy": "x"}),
            ["invalid-format", "supersededBy-requires-superseded-status"],
        )

    def test_take_empty_text_for_absent(self):
        self.assertEqual(
            rules({**BASE, "status": "superseded", "supersededBy": ""}),
            ["invalid-format", "superseded-requires-supersededBy"],
        )
        self.assertEqual(rules({**BASE, "supersededBy": ""}), ["invalid-format"])


class UrlTest(unittest.TestCase):
    PARTS = (
        ("https", "http", "ftp", "HTTP", " https"),
        ("://", ":", "//", ":///"),
        *(
            ("", "a", "a1", "1a", "1", "0x1", "a-", "xn--a", "xn--", "A", "a b", "\u00e9", "a@b"),
            ("", ".", "..", ".a", ".1", ".0x", ".-", ".com", ".a:80", ".a:99999", "?q", "\\x", "%"),
        ),
        ("", "/", "/ \u00e9%\t[", "/\\@:99999", "?", "\n"),
    )

    def test_usual_ones_are_those_of_the_standard_too(self):
        for parts in itertools.product(*self.PARTS):
            url = "".join(parts)
            refs = [{"type": "doc", "url": url}]
            found = check_frontmatter({**BASE, "externalRefs": refs})[1]
            if (not found) != is_absolute_url(trim(url)):
                self.fail(ascii(url))


class SplitRefTest(unittest.TestCase):
    def test_tells_the_log_from_the_id(self):
        ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        for text, parts in [
            ("0007", (None, "0007")),
            (ulid, (None, ulid)),
            ("core:0007", ("core", "0007")),
            ("c-1:" + ulid, ("c-1", ulid)),
            ("7", None),
            ("core:7", None),
            ("Core:0007", None),
            (":0007", None),
            ("0007\n", None),
            ("a:b:0007", None),
            ("", None),
        ]:
            with self.subTest(text):
                self.assertEqual(split_ref(text), parts)


class RecordTest(unittest.TestCase):
    def read(self, source):
        made, findings = read_record(source.encode("utf-8"), "docs/adr/0001-x.md")
        self.assertEqual(findings, [])
        return made

    def test_shows_a_summary(self):
        self.assertEqual(
            self.read(superseded("0003", "0004", title="Old way")).summary(),
            {
                "id": "0003",
                "title": "Old way",
                "status": "superseded",
                "sourcePath": "docs/adr/0001-x.md",
            },
        )

    def test_gives_its_frontmatter_again_with_defaults(self):
        made = self.read(record(tags=["a"]))
        self.assertEqual(made.frontmatter, check_frontmatter({**BASE, "tags": ["a"]})[0])

    def test_keeps_its_body_untouched(self):
        for body in ("", "\n\n# A\r\n\tb  \n", "---\nnot yaml: [\n---\n", "\ufeffx\0\x85\u2028"):
            with self.subTest(body):
                self.assertEqual(self.read(record(body=body)).body, body)

    def test_has_its_canonical_json_whatever_it_holds(self):
        for name, values in CASES["valid"].items():
            if name in BASE:
                continue
            for value in values:
                data = {**BASE, "title": "\u00e9\n\U0001f6a2", name: value}
                if name == "supersededBy":
                    data["status"] = "superseded"
                with self.subTest(name=name, value=value):
                    made = self.read("---\n%s\n---\nbody" % json.dumps(data))
                    whole = {
                        "sourcePath": made.source_path,
                        "frontmatter": made.frontmatter,
                        "body": made.body,
                    }
                    self.assertEqual(made.canonical, b"," + canonical_bytes(whole))

    def test_knows_an_incomplete_import(self):
        provenance = {"importedFrom": IMPORTED}
        for source, incomplete in [
            (accepted(deciders=None, provenance=provenance), True),
            (accepted(provenance=provenance), False),
            (record(provenance=provenance), False),
        ]:
            with self.subTest(source):
                self.assertEqual(self.read(source).import_incomplete, incomplete)


if __name__ == "__main__":
    unittest.main()
