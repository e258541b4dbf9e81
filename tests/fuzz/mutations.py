"""Inputs that are nearly right, as a strategy: seeds cut, repeated and mixed with fragments."""

from hypothesis import strategies as st

from .checks import MAX_LENGTH

_places = st.integers(0, MAX_LENGTH)
_lengths = st.integers(0, 40)
_repeats = st.sampled_from((1, 1, 1, 1, 2, 3, 40, MAX_LENGTH))


def inputs(seeds, fragments):
    """Bytes: a seed with a few edits, or fragments in a row."""
    pieces = st.sampled_from(fragments) | st.binary(max_size=4)
    rows = st.lists(pieces, max_size=40).map(b"".join)
    edits = st.lists(st.tuples(_places, _lengths, _repeats, st.none() | pieces), max_size=5)
    return st.builds(_mutate, st.sampled_from(seeds) | rows, edits)


def _mutate(data, edits):
    """Replaces spans; an edit is (place, length, repeats, fragment, or None for the span itself)."""
    for place, length, repeats, fragment in edits:
        start = place % (len(data) + 1)
        new = data[start : start + length] if fragment is None else fragment
        times = min(repeats, MAX_LENGTH // (len(new) or 1))
        data = data[:start] + new * times + data[start + length :]
    return data[:MAX_LENGTH]
