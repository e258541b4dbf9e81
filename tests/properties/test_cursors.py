import unittest

from hypothesis import given, settings
from hypothesis import strategies as st

from adrkit_mcp.tools.cursor import Channel

from ..support import Repository, governing, record

#: More records, and more findings, than the largest page holds.
COUNT = 130
IDS = ["%04d" % number for number in range(1, COUNT + 1)]
SUPERSEDED = IDS[2::3]
#: A tool, its arguments, and the ids of what it finds.
CALLS = [
    ("search_decisions", {"query": "queue"}, IDS),
    ("search_decisions", {"query": "queue", "status": ["superseded"]}, SUPERSEDED),
    ("search_decisions", {"query": "no record has this"}, []),
    ("get_decision_context", {"files": ["src/a.py", "lib/b"]}, IDS),
    ("list_superseded", {}, SUPERSEDED),
]

limits = st.integers(1, 12) | st.integers(1, 100)


def walk(read_page):
    """All pages: `read_page` takes a cursor, and gives items and the cursor of the next page."""
    pages = []
    cursor = None
    while cursor is not None or not pages:
        items, cursor = read_page(cursor)
        pages.append(items)
    return pages


def expected_sizes(count, limit):
    return [min(limit, count - start) for start in range(0, max(count, 1), limit)]


class ChannelTest(unittest.TestCase):
    @given(st.text(max_size=20), st.lists(st.text()), limits, st.integers(0, 300), st.text())
    def test_a_walk_yields_every_item_once_in_order(self, scope, shape, limit, count, fingerprint):
        def read_page(cursor):
            page = Channel(scope, shape, limit, cursor).page(range(count), fingerprint)
            return page.items, page.cursor

        pages = walk(read_page)
        self.assertEqual([item for page in pages for item in page], list(range(count)))
        self.assertEqual(list(map(len, pages)), expected_sizes(count, limit))


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)
        for id in IDS:
            fields = {"affects": governing("src/**", "/bad"), "relatesTo": ["9999"]}
            if id in SUPERSEDED:
                fields.update(status="superseded", supersededBy="9998")
            self.repository.write(id + "-record.md", record(id, **fields))

    @settings(max_examples=60)
    @given(st.sampled_from(CALLS), limits)
    def test_a_walk_through_items_yields_every_one_once(self, call, limit):
        tool, arguments, ids = call

        def read_page(cursor):
            cursors = {} if cursor is None else {"cursor": cursor}
            result = self.repository.result(tool, **arguments, limit=limit, **cursors)
            lists = ("items", "governing", "activeProposals", "history")
            return [item["id"] for name in lists for item in result.get(name, ())], result["cursor"]

        pages = walk(read_page)
        self.assertEqual(sorted(id for page in pages for id in page), ids)
        self.assertEqual(list(map(len, pages)), expected_sizes(len(ids), limit))

    @settings(max_examples=60)
    @given(st.sampled_from(CALLS), limits)
    def test_a_walk_through_findings_yields_every_one_once_in_order(self, call, limit):
        tool, arguments, _ = call

        def read_page_of(size):
            def read_page(cursor):
                cursors = {} if cursor is None else {"findingsCursor": cursor}
                result = self.repository.result(tool, **arguments, findingsLimit=size, **cursors)
                return result["findings"]["items"], result["findings"]["cursor"]

            return read_page

        pages = walk(read_page_of(limit))
        findings = [item for page in pages for item in page]
        self.assertGreater(len(findings), COUNT)
        self.assertEqual(len(set(map(repr, findings))), len(findings))
        self.assertEqual(findings, [item for page in walk(read_page_of(100)) for item in page])
        self.assertEqual(list(map(len, pages)), expected_sizes(len(findings), limit))
