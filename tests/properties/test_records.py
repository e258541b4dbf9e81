import os
import unittest

from hypothesis import given, settings
from hypothesis import strategies as st

from adrkit_mcp.corpus.loader import Corpus
from adrkit_mcp.corpus.source import read_record

from ..support import Repository
from .frontmatter import DEFAULTS, FRONTMATTER, OPTIONAL, REQUIRED
from .rendering import texts

FIELDS = {**REQUIRED, **OPTIONAL}
NAMES = ("0001-a.md", "0002-b.md", "0003-c.md", "0004-d e.md")

_bodies = st.text(max_size=20)
_records = st.tuples(FRONTMATTER, _bodies)
_corpora = st.dictionaries(st.sampled_from(NAMES), _records, min_size=1, max_size=3)


@st.composite
def files(draw, corpus):
    """The files of a corpus, in some style, the top-level fields in some order."""
    written = {}
    for name, (frontmatter, body) in corpus.items():
        fields = draw(st.permutations(list(frontmatter)))
        text = draw(texts({field: frontmatter[field] for field in fields}))
        written[name] = ("---\n%s---\n%s" % (text, body)).encode("utf-8")
    return written


@st.composite
def changed(draw, corpus):
    """The corpus with one record changed, removed, moved or added."""
    corpus = dict(corpus)
    name = draw(st.sampled_from(sorted(corpus)))
    frontmatter, body = corpus[name]
    edit = draw(st.sampled_from(("field", "field", "field", "body", "remove", "move", "add")))
    if edit == "field":
        field = draw(st.sampled_from(sorted(FIELDS)))
        frontmatter = {**frontmatter, field: draw(FIELDS[field])}
        if field in OPTIONAL and draw(st.booleans()):
            del frontmatter[field]
        corpus[name] = frontmatter, body
    elif edit == "body":
        place = draw(st.integers(0, len(body)))
        corpus[name] = frontmatter, body[:place] + draw(_bodies) + body[place:]
    elif edit == "add":
        corpus[draw(st.sampled_from(NAMES))] = draw(_records)
    else:
        record = corpus.pop(name)
        if edit == "move":
            corpus[draw(st.sampled_from(NAMES))] = record
    return corpus


def content(corpus):
    """What a corpus says, with what absent fields stand for."""
    return {
        name: ({**DEFAULTS, **frontmatter}, body) for name, (frontmatter, body) in corpus.items()
    }


class FrontmatterTest(unittest.TestCase):
    @given(FRONTMATTER.flatmap(lambda value: st.tuples(st.just(value), texts(value))))
    def test_is_read_from_each_text_that_means_it(self, case):
        frontmatter, text = case
        record, findings = read_record(b"---\n%s---\nbody" % text.encode("utf-8"), "x.md")
        self.assertEqual(findings, [])
        self.assertEqual(record.frontmatter, {**DEFAULTS, **frontmatter})
        self.assertEqual(record.body, "body")


class FingerprintTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def fingerprint(self, files):
        """The fingerprint of these files alone, to a reader that saw others before as to one that did not."""
        for name in os.listdir(self.repository.path()):
            os.unlink(self.repository.path(name))
        for name, source in files.items():
            self.repository.write(name, source)
        projection = self.repository.load()
        self.assertEqual(len(projection.records), len(files), projection.findings)
        fresh = Corpus(self.repository.root, self.repository.dir).load()
        self.assertEqual(projection.fingerprint, fresh.fingerprint)
        return projection.fingerprint

    @settings(max_examples=100)
    @given(_corpora.flatmap(lambda corpus: st.tuples(files(corpus), files(corpus))))
    def test_is_the_same_in_another_style(self, written):
        self.assertEqual(*map(self.fingerprint, written))

    @settings(max_examples=300)
    @given(st.data())
    def test_is_another_exactly_if_the_content_is(self, data):
        before = data.draw(_corpora)
        after = data.draw(changed(before))
        fingerprints = {self.fingerprint(data.draw(files(corpus))) for corpus in (before, after)}
        self.assertEqual(len(fingerprints), 1 if content(before) == content(after) else 2)
