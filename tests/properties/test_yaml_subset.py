import unittest

from hypothesis import given
from hypothesis import strategies as st

from adrkit_mcp.corpus.yaml_subset import parse

from .rendering import texts

_words = st.lists(
    st.sampled_from("a b: c# #d -e ?f :g é😀 \u2028 {x} [y], ' \" \\ 1 null".split(" "))
)
_strings = (
    st.text(max_size=12)
    | _words.map(" ".join)
    | st.builds("\n".join, st.lists(st.text("ab \t\n#:-")))
)
_scalars = st.one_of(
    _strings,
    _strings,
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
)
_keys = _strings.filter(lambda text: len(text) < 200)


def _collections(values):
    return st.lists(values, min_size=1, max_size=4) | st.dictionaries(
        _keys, values, min_size=1, max_size=4
    )


_values = st.recursive(
    _scalars, lambda v: _collections(v) | st.sampled_from(([], {})), max_leaves=12
)
_documents = _collections(_values)


class RenderingTest(unittest.TestCase):
    @given(_documents.flatmap(lambda value: st.tuples(st.just(value), texts(value))))
    def test_a_value_is_read_from_each_text_that_means_it(self, case):
        value, text = case
        self.assertEqual(repr(parse(text)), repr(value))
