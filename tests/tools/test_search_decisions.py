import unittest

from tests.support import Repository, accepted, record, superseded

STATUSES = ["draft", "proposed", "accepted", "rejected", "superseded", "deprecated"]


class SearchTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def search(self, query, **arguments):
        """(id, matched fields) of each hit."""
        result = self.repository.result("search_decisions", query=query, **arguments)
        self.assertEqual(result["outcome"], "results")
        return [(item["id"], item["matchedFields"]) for item in result["items"]]

    def ids(self, query, **arguments):
        return [id for id, _ in self.search(query, **arguments)]


class ResultsTest(SearchTest):
    def test_show_summaries_and_where_the_text_stands(self):
        self.repository.add(record("0001", "Adopt Postgres", "We use postgres.", tags=["db"]))
        self.assertEqual(
            self.repository.result("search_decisions", query="postgres"),
            {
                "outcome": "results",
                "items": [
                    {
                        "id": "0001",
                        "title": "Adopt Postgres",
                        "status": "draft",
                        "sourcePath": "docs/adr/0001-record.md",
                        "matchedFields": ["body", "title"],
                    }
                ],
                "cursor": None,
                "findings": {"items": [], "cursor": None},
            },
        )

    def test_name_fields_in_one_order(self):
        self.repository.add(record("0001", "Use 0001 twice", "0001", tags=["0001", "x-0001"]))
        self.assertEqual(self.search("0001"), [("0001", ["body", "id", "tag", "title"])])

    def test_may_be_none(self):
        self.repository.add(record("0001"))
        self.assertEqual(self.search("zzz"), [])

    def test_come_by_id_then_path(self):
        for name, id in [("0002-b.md", "0001"), ("0002-a.md", "0001"), ("0001-x.md", "0002")]:
            self.repository.write(name, record(id))
        result = self.repository.result("search_decisions", query="queue")
        self.assertEqual(
            [item["sourcePath"] for item in result["items"]],
            ["docs/adr/0002-a.md", "docs/adr/0002-b.md", "docs/adr/0001-x.md"],
        )


class MatchingTest(SearchTest):
    def test_is_literal(self):
        self.repository.add(record("0001", "Use a.b (c)", "100% of [x] and src\\a"))
        for query in ("a.b", "(c)", "100%", "[x]", "src\\a", "of [", "\\"):
            with self.subTest(query):
                self.assertEqual(self.ids(query), ["0001"])
        for query in ("a?b", "a.*b", ".b.", "^use", "use queue"):
            with self.subTest(query):
                self.assertEqual(self.ids(query), [])

    def test_ignores_case_and_compatibility_forms(self):
        self.repository.add(
            record(
                "0001",
                "Messger\u00e4t w\u00e4hlen",
                "\ufb01le \uff30\uff4f\uff53\uff54",
                tags=["one"],
            )
        )
        for query in ("MESSGER\u00c4T", "messgera\u0308t", "FILE", "post", " \uff2f\uff2e\uff25 "):
            with self.subTest(query):
                self.assertEqual(self.ids(query), ["0001"])

    def test_keeps_a_final_sigma_as_lower_casing_makes_it(self):
        self.repository.add(record("0001", "\u039f\u0394\u039f\u03a3 one"))
        self.assertEqual(self.ids("\u03bf\u03b4\u03bf\u03c3"), [])
        self.assertEqual(self.ids("\u03bf\u03b4\u03bf\u03c2"), ["0001"])

    def test_trims_each_field_alone(self):
        self.repository.add(record("0001", "abc", "\n  body  \n", tags=["x", "y"]))
        for query, found in [("body", 1), ("body  ", 1), ("abc\0", 0), ("x y", 0), ("c0001", 0)]:
            with self.subTest(query):
                self.assertEqual(len(self.ids(query)), found)

    def test_finds_no_text_across_fields_whatever_stands_between_them(self):
        self.repository.add(record("0001", "abc", "def", tags=["x", "y"]))
        for query in ("abc\x000001", "0001\0x", "x\0y", "y\0def", "\0", "y\0\0def"):
            with self.subTest(query):
                self.assertEqual(self.ids(query), [])

    def test_finds_nul_where_it_is(self):
        self.repository.add(record("0001", "abc", "one\0two"))
        self.assertEqual(self.search("e\0t"), [("0001", ["body"])])
        self.assertEqual(self.search("\0"), [("0001", ["body"])])

    def test_ignores_the_case_of_ids(self):
        self.repository.write("0001-x.md", record("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        self.assertEqual(self.search("01arz3")[0][1], ["id"])

    def test_looks_into_nothing_else(self):
        self.repository.add(
            accepted("0001", deciders=["@zaphod"], domain="zaphod", relatesTo=["0042"])
        )
        for query in ("zaphod", "0042", "accepted", "record.md", "docs/adr"):
            with self.subTest(query):
                self.assertEqual(self.ids(query), [])

    def test_needs_no_other_normalization_than_the_query(self):
        self.repository.add(record("0001", "Caf\u00e9 ol\u00e9"))
        self.assertEqual(self.ids("cafe\u0301"), ["0001"])
        self.assertEqual(self.ids("cafe"), [])


class FiltersTest(SearchTest):
    def setUp(self):
        super().setUp()
        for number, status in enumerate(STATUSES, 1):
            source = superseded if status == "superseded" else accepted
            more = {"by": "0001"} if status == "superseded" else {"status": status}
            scope = ("component", "domain", "org")[number % 3]
            tags = ["all", "a" if number % 2 else "b", "n%d" % number]
            self.repository.add(source("%04d" % number, scope=scope, tags=tags, **more))

    def test_the_graveyard_is_in_by_default(self):
        self.assertEqual(self.ids("queue"), ["0001", "0002", "0003", "0004", "0005", "0006"])

    def test_status_is_any_of(self):
        self.assertEqual(self.ids("queue", status=["rejected"]), ["0004"])
        self.assertEqual(self.ids("queue", status=["superseded", "draft"]), ["0001", "0005"])

    def test_scope_is_any_of(self):
        self.assertEqual(self.ids("queue", scope=["org"]), ["0002", "0005"])
        self.assertEqual(
            self.ids("queue", scope=["org", "domain"]), ["0001", "0002", "0004", "0005"]
        )

    def test_scope_counts_its_default(self):
        self.repository.add(record("0009"))
        self.assertIn("0009", self.ids("queue", scope=["component"]))

    def test_tags_are_all_of(self):
        self.assertEqual(self.ids("queue", tags=["all", "a"]), ["0001", "0003", "0005"])
        self.assertEqual(self.ids("queue", tags=["a", "b"]), [])

    def test_tags_are_compared_exactly(self):
        for tag in ("A", "al", "all ", "\uff41"):
            with self.subTest(tag):
                self.assertEqual(self.ids("queue", tags=[tag]), [])

    def test_are_combined_with_and(self):
        self.assertEqual(
            self.ids("queue", status=["superseded", "draft"], scope=["org"], tags=["a"]), ["0005"]
        )
        self.assertEqual(self.ids("zzz", status=["draft"]), [])


class PagesTest(SearchTest):
    def test_go_on_behind_the_last_hit_and_count_what_is_known(self):
        for number in range(25):
            self.repository.add(record("%04d" % number))
        result = self.repository.result("search_decisions", query="queue")
        self.assertEqual(len(result["items"]), 20)
        more = self.repository.result("search_decisions", query="queue", cursor=result["cursor"])
        self.assertEqual(
            [item["id"] for item in more["items"]], ["0020", "0021", "0022", "0023", "0024"]
        )
        self.assertIsNone(more["cursor"])
        for cursor, told in [
            ({}, "Matching: at least 21 of 25 decisions. Showing 20 (pass cursor for more): 0000 "),
            ({"cursor": result["cursor"]}, "Matching: 25 of 25 decisions. Showing 5: 0020 "),
        ]:
            with self.subTest(told):
                summary = self.repository.summary("search_decisions", query="queue", **cursor)
                self.assertTrue(summary.startswith(told), summary)

    def test_findings_are_the_whole_corpus_s_whatever_was_found(self):
        self.repository.add(record("0001", relatesTo=["0009"]))
        self.repository.write("0002-x.md", "x")
        for query in ("queue", "zzz"):
            with self.subTest(query):
                result = self.repository.result("search_decisions", query=query)
                self.assertEqual(result["findings"]["items"], self.repository.load().findings)
                self.assertEqual(len(result["findings"]["items"]), 2)


if __name__ == "__main__":
    unittest.main()
