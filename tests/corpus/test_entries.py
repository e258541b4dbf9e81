import unittest
from unittest import mock

from adrkit_mcp.corpus import entries
from adrkit_mcp.corpus.entries import read_entries
from adrkit_mcp.corpus.record import check_frontmatter
from adrkit_mcp.corpus.yaml_subset import parse
from adrkit_mcp.ecma import canonical_json

BASE = 'id: "0001"\ntitle: Use one queue\nstatus: draft\ndate: 2026-01-02\n'

#: Frontmatter behind the required fields that is made of valid entries.
VALID = [
    "",
    "domain: a # comment\n",
    "domain: |\n  text\n  more\ntags: [a]\n",
    "domain: |+\n  text\n\n\ntags: [a]\n",
    "domain: >-\n\n  folded\n  text\n\n# comment\n\ntags: [a]\n",
    'domain: "two\n  lines"\ntags: [a]\n',
    "domain: plain\n  text\n   of three\ntags: [a]\n",
    "tags:\n- a\n- b\ndomain: x\n",
    "tags:\n  - a\n\n  # comment\n  - b\n",
    "tags: [a,\n  b,\n]\ndomain: x\n",
    "deciders: ['@ana', team:a, a@b.c]\r\ntags: []\r\n",
    "affects:\n  - type: path\n    pattern: 'src/**'\n  - {type: api, pattern: x, negate: true}\n",
    "provenance:\n  agent:\n    name: \U0001f6a2\n  authoredBy: human\nreview: {tier: async}\n",
    'evaluation:\n  scores: {b: 1.0, a: 1e-7, "10": 2, "9": 3}\n  confidence: 0.50\n',
    "externalRefs:\n  - type: pr\n    url: ' https://example.com/1 '\n",
]
#: Frontmatter that only reading it whole can judge, valid or not.
OTHER = {
    "nothing": "",
    "comment first": "# comment\n" + BASE,
    "blank line first": "\n" + BASE,
    "indented": "  " + BASE.replace("\n", "\n  ").rstrip(" "),
    "byte order mark": "\ufeff" + BASE,
    "quoted key": BASE + '"domain": x\n',
    "quoted key first": '"domain": x\n' + BASE,
    "key twice": BASE + "domain: x\ndomain: y\n",
    "required field missing": BASE.replace("status: draft\n", ""),
    "unknown key": BASE + "colour: red\n",
    "ignored key": BASE + "__proto__: x\n",
    "key that is no text": BASE + "null: x\n",
    "invalid value": BASE + "scope: planet\n",
    "null": BASE + "domain: null\n",
    "no value": BASE + "domain:\n",
    "no key": BASE + "domain\n",
    "brackets over two entries": BASE + "tags: [a,\nb]\n",
    "quotes over two entries": BASE + 'domain: "a\nb"\n',
    "document marker": BASE + "---\n",
    "alias": BASE + "domain: *a\n",
    "carriage return": BASE + "domain: a\rb\n",
    "no line end": BASE + "domain: a",
    "spaces last": BASE + "domain: a\n  ",
    "broken invariant": BASE.replace("draft", "superseded"),
    "not a map": "- a\n",
}


def read_whole(text):
    frontmatter, issues = check_frontmatter(parse(text))
    assert not issues, issues
    return frontmatter, canonical_json(frontmatter)


class ReadEntriesTest(unittest.TestCase):
    def test_has_the_value_of_the_whole(self):
        for text in VALID:
            with self.subTest(text):
                frontmatter, canonical = read_entries(BASE + text)
                whole, canonical_whole = read_whole(BASE + text)
                self.assertEqual(list(frontmatter.items()), list(whole.items()))
                self.assertEqual(canonical, canonical_whole)

    def test_leaves_other_frontmatter_to_the_reading_of_the_whole(self):
        for name, text in OTHER.items():
            with self.subTest(name):
                self.assertIsNone(read_entries(text))


class ReuseTest(unittest.TestCase):
    def setUp(self):
        entries._read_known.cache_clear()
        self.addCleanup(entries._read_known.cache_clear)

    def test_reads_what_records_share_once(self):
        read_entries(BASE)
        with mock.patch.object(entries, "parse", side_effect=parse) as parsing:
            read_entries(BASE.replace("0001", "0002"))
            parsing.assert_called_once_with('id: "0002"\n')

    def test_keeps_a_bounded_number_of_short_entries(self):
        for number in range(2000):
            read_entries(BASE.replace("0001", "%04d" % number))
        self.assertEqual(entries._read_known.cache_info().currsize, 1024)
        entries._read_known.cache_clear()
        read_entries(BASE + "domain: " + "x" * 510 + "\n")
        self.assertEqual(entries._read_known.cache_info().currsize, 4)


if __name__ == "__main__":
    unittest.main()
