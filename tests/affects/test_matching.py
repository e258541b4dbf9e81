import unittest

from adrkit_mcp.affects.matching import matcher_index
from tests.support import Repository, accepted, governing, record


class MatchingTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def index(self, *affects):
        """The matchers of records 0001, 0002... with these values of `affects`."""
        for number, value in enumerate(affects, 1):
            self.repository.add(record("000%d" % number, affects=value))
        return matcher_index(self.repository.load())

    def fired(self, affects, *files):
        """The patterns of one record that fire on files."""
        return self.index(affects).fired(files).get(0, [])

    def findings(self, *affects):
        keys = ("rule", "severity", "id", "field", "pattern")
        return [tuple(item[key] for key in keys) for item in self.index(*affects).findings]


class FiredTest(MatchingTest):
    def test_one_matcher_and_one_file_suffice(self):
        self.assertEqual(self.fired(governing("x/**", "src/**"), "a", "src/b"), ["src/**"])
        self.assertEqual(self.fired(governing("src/**"), "a", "b"), [])

    def test_patterns_come_once_and_by_utf16_units(self):
        patterns = ["b*", "a*", "B*", "*", "a*", "\ue000*", "\U0001f6a2*", "_*"]
        files = ["a", "b", "B", "\ue000", "\U0001f6a2", "_"]
        self.assertEqual(
            self.fired(governing(*patterns), *files),
            ["*", "B*", "_*", "a*", "b*", "\U0001f6a2*", "\ue000*"],
        )

    def test_records_keep_their_order(self):
        index = self.index(governing("b"), governing("c"), governing("a", "b"), governing("a"))
        self.assertEqual(index.fired(["a", "b"]), {0: ["b"], 2: ["a", "b"], 3: ["a"]})
        self.assertEqual(list(index.fired(["a", "b"])), [0, 2, 3])

    def test_an_index_is_made_once_for_a_projection(self):
        self.repository.add(record("0001", affects=governing("a")))
        projection = self.repository.load()
        self.assertIs(matcher_index(projection), matcher_index(projection))
        self.repository.add(record("0001", affects=governing("b")))
        self.assertEqual(matcher_index(self.repository.load()).fired(["b"]), {0: ["b"]})


class NegatedTest(MatchingTest):
    def test_suppresses_the_record_wherever_it_stands(self):
        for affects in (
            governing("src/**") + governing("src/gen/**", negate=True),
            governing("src/gen/**", negate=True) + governing("src/**"),
        ):
            self.assertEqual(self.fired(affects, "src/a"), ["src/**"])
            self.assertEqual(self.fired(affects, "src/gen/a"), [])
            self.assertEqual(self.fired(affects, "src/a", "src/gen/a"), [])

    def test_selects_nothing_alone(self):
        self.assertEqual(self.fired(governing("a", negate=True), "b"), [])

    def test_counts_for_its_own_record_only(self):
        index = self.index(governing("a") + governing("b", negate=True), governing("b"))
        self.assertEqual(index.fired(["a", "b"]), {1: ["b"]})

    def test_the_same_pattern_may_select_and_exclude(self):
        self.assertEqual(self.fired(governing("a") + governing("a", negate=True), "a"), [])

    def test_a_bad_pattern_excludes_nothing(self):
        affects = governing("**") + governing("/a", negate=True)
        self.assertEqual(self.fired(affects, "a"), ["**"])


class RepoTest(MatchingTest):
    def test_of_another_repository_is_passed_over_in_silence(self):
        for member in ("path", "package", "api"):
            affects = [{"type": member, "pattern": "/a", "repo": "other"}]
            with self.subTest(member):
                self.assertEqual(self.fired(affects, "a"), [])
                self.assertEqual(self.findings(affects), [])

    def test_excludes_nothing(self):
        affects = governing("a") + governing("a", negate=True, repo="other")
        self.assertEqual(self.fired(affects, "a"), ["a"])

    def test_that_is_empty_is_this_one(self):
        self.assertEqual(self.fired(governing("a", repo=""), "a"), ["a"])
        self.assertEqual(len(self.findings([{"type": "api", "pattern": "a", "repo": ""}])), 1)


class FindingsTest(MatchingTest):
    def test_the_other_types_are_inert(self):
        types = ("package", "entity", "resource", "api", "data")
        affects = [{"type": type, "pattern": "x"} for type in types]
        self.assertEqual(self.fired(affects, "x"), [])
        self.assertEqual(
            self.findings(affects),
            [("affects-unresolvable", "info", "0001", "affects." + type, "x") for type in types],
        )

    def test_an_inert_matcher_excludes_nothing(self):
        affects = [*governing("a"), {"type": "api", "pattern": "a", "negate": True}]
        self.assertEqual(self.fired(affects, "a"), ["a"])

    def test_packages_are_looked_at_all_the_same(self):
        affects = [
            {"type": "package", "pattern": p} for p in ("pg@^8.0.0", "pg@latest", " ", "@a/b")
        ]
        self.assertEqual(
            [rule for rule, *_ in self.findings(affects)],
            [
                "affects-unresolvable",
                "affects-bad-pattern",
                "affects-bad-pattern",
                "affects-unresolvable",
            ],
        )

    def test_a_leading_slash_is_a_bad_pattern(self):
        self.assertEqual(
            self.findings(governing("/src/**")),
            [("affects-bad-pattern", "warn", "0001", "affects.path", "/src/**")],
        )
        self.assertEqual(self.fired(governing("/src/**"), "src/a", "/src/a"), [])

    def test_one_comes_for_each_matcher_negated_or_not_repeated_or_not(self):
        affects = governing("/a", "/a") + governing("/a", negate=True)
        affects += [
            {"type": "api", "pattern": "x"},
            {"type": "api", "pattern": "x", "negate": True},
        ]
        self.assertEqual(len(self.findings(affects, affects)), 10)

    def test_say_where_and_show_the_pattern_cut_short(self):
        self.repository.add(accepted("0001", affects=governing("/" + "x" * 500 + "\n")))
        (item,) = matcher_index(self.repository.load()).findings
        self.assertEqual(
            list(item), ["rule", "severity", "message", "path", "id", "field", "pattern"]
        )
        self.assertEqual(item["path"], "docs/adr/0001-record.md")
        self.assertEqual(item["pattern"], "/" + "x" * 500 + "\n")
        self.assertLess(len(item["message"]), 200)

    def test_everyday_patterns_have_none(self):
        patterns = ("**", "src/**/*.{ts,tsx}", "a?c", "[ab].py", "!(x)", "./a", "a b", ".github/**")
        self.assertEqual(self.findings(governing(*patterns)), [])


if __name__ == "__main__":
    unittest.main()
