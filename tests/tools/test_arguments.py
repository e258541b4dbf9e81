import unittest

from adrkit_mcp.tools import TOOLS, check
from tests.support import Repository, refusal

RIGHT = {
    "search_decisions": {"query": "a"},
    "get_decision": {"ref": "0001"},
    "get_decision_context": {"files": ["a"]},
    "list_superseded": {},
}
SHIP = "\U0001f6a2"


class ArgumentsTest(unittest.TestCase):
    def assertTaken(self, tool, **arguments):
        self.assertEqual(refusal(tool, **{**RIGHT[tool], **arguments}), "")

    def assertRefused(self, tool, name, *words, **arguments):
        """One argument is refused by its name, and the text tells what was expected."""
        text = refusal(tool, **{**RIGHT[tool], **arguments})
        self.assertTrue(text.startswith("Invalid arguments: %s" % name), text or arguments)
        for word in words:
            self.assertIn(word, text)


class PagesTest(ArgumentsTest):
    def test_have_defaults(self):
        for tool, arguments in RIGHT.items():
            with self.subTest(tool):
                checked = check(tool, arguments)
                self.assertEqual((checked["limit"], checked["findingsLimit"]), (20, 20))
                self.assertNotIn("cursor", checked)

    def test_limits_are_whole_numbers_from_1_to_100(self):
        for tool in RIGHT:
            for name in ("limit", "findingsLimit"):
                for value in (1, 100, 1.0, 100.0, 2e1):
                    with self.subTest(tool=tool, name=name, value=value):
                        self.assertTaken(tool, **{name: value})
                        checked = check(tool, {**RIGHT[tool], name: value})[name]
                        self.assertIs(type(checked), int)
                for value in (0, -0.0, 101, -1, 99.999, 1.5, "20", True, None, [], 10**400):
                    with self.subTest(tool=tool, name=name, value=str(value)[:20]):
                        self.assertRefused(tool, name, "whole number", **{name: value})

    def test_cursors_are_strings_of_at_most_4096_units(self):
        for tool in RIGHT:
            for name in ("cursor", "findingsCursor"):
                for value in ("", "x" * 4096, SHIP * 2048, " ", "start"):
                    with self.subTest(tool=tool, name=name, value=value[:9]):
                        self.assertTaken(tool, **{name: value})
                for value in ("x" * 4097, SHIP * 2048 + "x", None, 0, False, []):
                    with self.subTest(tool=tool, name=name, value=str(value)[:9]):
                        self.assertRefused(tool, name, **{name: value})

    def test_a_cursor_that_is_none_is_told_how_to_start(self):
        for value in (None, 0, False, []):
            with self.subTest(value):
                self.assertRefused(
                    "list_superseded", "cursor", "no such argument for the first page", cursor=value
                )


class UnknownTest(ArgumentsTest):
    def test_is_refused_with_the_names_that_there_are(self):
        for tool in RIGHT:
            with self.subTest(tool):
                self.assertRefused(tool, "q", "limit, findingsCursor, findingsLimit", q=1)
                self.assertRefused(tool, "Limit", "unknown", Limit=1)
                self.assertRefused(tool, '""', "unknown", **{"": 1})

    def test_proto_is_ignored(self):
        for tool in RIGHT:
            with self.subTest(tool):
                self.assertTaken(tool, __proto__={"limit": 0})

    def test_hostile_names_are_shown_on_one_line_and_cut(self):
        text = refusal("list_superseded", **{"\n\u202e" + "x" * 9000: 1})
        self.assertTrue(text.startswith("Invalid arguments: \\n\\u202exxx"), text)
        self.assertLess(len(text), 300)
        self.assertTrue(text.isprintable())

    def test_many_are_not_all_named(self):
        text = refusal("list_superseded", **{"x%d" % n: 1 for n in range(1000)})
        self.assertLess(len(text), 1000)
        self.assertIn("and 995 more", text)


class RefusalTest(ArgumentsTest):
    def test_names_everything_that_is_wrong_and_a_right_example(self):
        text = refusal("search_decisions", status="accepted", limit=0)
        for words in (
            "query: is missing",
            '"query": "postgres"',
            "status: expected a list",
            '"status": ["rejected"]',
            "limit: expected a whole number, 1 to 100",
        ):
            self.assertIn(words, text)

    def test_is_the_same_whatever_the_order_of_the_arguments(self):
        self.assertEqual(
            refusal("search_decisions", limit=0, query="", x=1),
            refusal("search_decisions", x=1, query="", limit=0),
        )

    def test_names_the_item(self):
        self.assertRefused("get_decision_context", "files.1", files=["a", "/a", "b"])
        self.assertRefused("search_decisions", "status.0", "draft, proposed", status=["open"])

    def test_comes_before_the_corpus_is_looked_at(self):
        repository = Repository(self)
        for tool in TOOLS:
            with self.subTest(tool):
                run = repository.command("--dir", "nowhere", "call", tool, '{"limit": 0}')
                self.assertEqual(run.returncode, 2)


class QueryTest(ArgumentsTest):
    def test_has_1_to_256_units(self):
        for query in ("a", "x" * 256, SHIP * 128, "\0", "\x85", "\u200b", " a "):
            with self.subTest(ascii(query[:9])):
                self.assertTaken("search_decisions", query=query)
        for query in ("", "x" * 257, SHIP * 128 + "a", SHIP * 256, None, 7, ["a"], True):
            with self.subTest(ascii(query)[:20]):
                self.assertRefused("search_decisions", "query", '"postgres"', query=query)

    def test_is_not_only_white_space(self):
        for query in (" ", "\t\n\v\f\r", "\u00a0\u2028\ufeff\u3000"):
            with self.subTest(ascii(query)):
                self.assertRefused("search_decisions", "query", "white space", query=query)

    def test_is_required(self):
        self.assertIn("query: is missing", refusal("search_decisions"))


class FiltersTest(ArgumentsTest):
    ALL = ("draft", "proposed", "accepted", "rejected", "superseded", "deprecated")

    def test_status_is_a_set_of_the_six(self):
        self.assertTaken("search_decisions", status=list(self.ALL))
        self.assertTaken("search_decisions", status=["draft"])
        for value in (
            [],
            ["draft", "draft"],
            [*self.ALL, "draft"],
            ["Draft"],
            [None],
            "draft",
            None,
            {},
        ):
            with self.subTest(value):
                self.assertRefused("search_decisions", "status", status=value)

    def test_counts_are_told(self):
        self.assertRefused("search_decisions", "status", "expected 1 to 6 items, got 0", status=[])
        self.assertRefused(
            "search_decisions", "tags", "1 to 32 items, got 33", tags=["t%d" % n for n in range(33)]
        )

    def test_scope_is_a_set_of_the_three(self):
        self.assertTaken("search_decisions", scope=["component", "domain", "org"])
        for value in ([], ["org", "org"], ["backend"], "org", None):
            with self.subTest(value):
                self.assertRefused("search_decisions", "scope", scope=value)

    def test_tags_are_1_to_32_texts_of_1_to_64_units(self):
        many = ["t%d" % n for n in range(32)]
        for value in (many, ["No Slug!"], ["x" * 64], [SHIP * 32], [" "], ["\xe9", "e\u0301"]):
            with self.subTest(value[0]):
                self.assertTaken("search_decisions", tags=value)
        for value in (
            [],
            [*many, "x"],
            [""],
            ["x" * 65],
            [SHIP * 32 + "x"],
            ["a", "a"],
            [1],
            "a",
            None,
        ):
            with self.subTest(str(value)[:20]):
                self.assertRefused("search_decisions", "tags", tags=value)


class RefTest(ArgumentsTest):
    def test_is_a_reference_of_at_most_128_units(self):
        for ref in (
            "0001",
            "1" * 128,
            "core:0001",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "a-1:" + "0" * 26,
        ):
            with self.subTest(ref[:30]):
                self.assertTaken("get_decision", ref=ref)
        for ref in (
            "1" * 129,
            "",
            "core:",
            "x",
            "0001 ",
            "Core:0001",
            "0001\n",
            "\u0661\u0661\u0661\u0661",
        ):
            with self.subTest(ref[:30]):
                self.assertRefused("get_decision", "ref", '"0007"', ref=ref)

    def test_is_no_number_and_is_never_padded(self):
        for ref in (7, 7.0, "7", "007", "ADR-0007", None, ["0007"]):
            with self.subTest(ref):
                self.assertRefused("get_decision", "ref", '"0007"', ref=ref)

    def test_is_required(self):
        self.assertIn("ref: is missing", refusal("get_decision"))


class FilesTest(ArgumentsTest):
    def test_are_1_to_256_texts_of_1_to_1024_units(self):
        for files in (
            ["a"],
            ["a", "a"],
            ["x" * 1024],
            [SHIP * 512],
            ["f%d" % n for n in range(256)],
        ):
            with self.subTest(len(files)):
                self.assertTaken("get_decision_context", files=files)
        for files in (
            [],
            [""],
            ["x" * 1025],
            [SHIP * 512 + "x"],
            ["a"] * 257,
            "a",
            None,
            [None],
            [1],
            {},
        ):
            with self.subTest(str(files)[:20]):
                self.assertRefused(
                    "get_decision_context", "files", '["src/db/pool.ts"]', files=files
                )

    def test_are_relative_posix_paths(self):
        for path in (
            *(
                "a/",
                "a//b",
                ".",
                "./a",
                "a\nb",
                "\0",
                "..a",
                "a..",
                "...",
                " ../a",
                "%2e%2e",
                "\u2025/a",
            ),
            *("ab:c", "1:x", ":", "\xe9:x", "a b", " ", "*", "~/a"),
        ):
            with self.subTest(path):
                self.assertTaken("get_decision_context", files=[path])
        for path in (
            *("/", "/x", "//x", "..", "../a", "a/..", "a/../b", "a:", "c:x", "C:/x", "Z:\\x"),
            *("\\", "src\\db\\pool.ts", "a\\", "\\\\server\\x"),
        ):
            with self.subTest(path):
                self.assertRefused(
                    "get_decision_context", "files.0", "forward slashes", "relative", files=[path]
                )

    def test_are_required(self):
        self.assertIn("files: is missing", refusal("get_decision_context"))


if __name__ == "__main__":
    unittest.main()
