"""JSON values that are hard to write as YAML: strings of indicators, white space and line feeds."""

from hypothesis import strategies as st

_WORDS = "a bc é😀 b: c# #d - -e ?f :g {x} [y], ' \" \\ 1 null 0x1 --- \u2028 & *z |".split()

_words = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5).map(" ".join)
_lines = st.lists(
    st.sampled_from((" ", "\t", "\n", "\n", "\n\n", "\n  ", "\n \n")) | _words, max_size=8
).map("".join)
_strings = st.one_of(_words, _lines, _lines, st.text(max_size=8))
_scalars = st.one_of(
    _strings,
    _strings,
    _strings,
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
)


def _collections(values):
    return st.lists(values, min_size=1, max_size=4) | st.dictionaries(
        _strings, values, min_size=1, max_size=4
    )


#: Maps and lists that are not empty.
DOCUMENTS = _collections(
    st.recursive(
        _scalars, lambda inner: _collections(inner) | st.sampled_from(([], {})), max_leaves=8
    )
)
