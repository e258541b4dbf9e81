"""Inputs from hypothesis: seeds with spans replaced, repeated and mixed with fragments."""

import time

from .checks import MAX_LENGTH

_ROUND = 2_000  # a longer one would need ever more memory


class _TimeIsUp(BaseException):
    """Ends a round in the middle."""


def run(target, seconds):
    """(the number of inputs checked, the one that crashed or None)."""
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings

    end = time.monotonic() + seconds
    executions = 0
    last = b""

    def execute(data):
        nonlocal executions, last
        if time.monotonic() > end:
            raise _TimeIsUp
        executions += 1
        last = data
        target.check(data)

    checked_round = settings(
        max_examples=_ROUND,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        phases=(Phase.generate,),
    )(given(inputs(target.SEEDS, target.FRAGMENTS))(execute))
    try:
        while True:
            checked_round()
    except _TimeIsUp:
        return executions, None
    except Exception:
        return executions, last


def inputs(seeds, fragments):
    """The strategy of what is nearly right: seeds, or fragments in a row, with a few edits."""
    from hypothesis import strategies as st

    pieces = st.sampled_from(fragments) | st.binary(max_size=4)
    return edited(st.sampled_from(seeds) | st.lists(pieces, max_size=40).map(b"".join), pieces)


def edited(originals, pieces):
    """The strategy of originals with spans replaced: by pieces, by repetitions, by nothing."""
    from hypothesis import strategies as st

    places = st.integers(0, MAX_LENGTH)
    lengths = st.integers(0, 40)
    repeats = st.sampled_from((1, 1, 1, 1, 2, 3, 40, MAX_LENGTH))
    edits = st.lists(st.tuples(places, lengths, repeats, st.none() | pieces), max_size=5)
    return st.builds(_mutate, originals, edits)


def _mutate(data, edits):
    """Replaces spans; an edit is (place, length, repeats, fragment, or None for the span itself)."""
    for place, length, repeats, fragment in edits:
        start = place % (len(data) + 1)
        new = data[start : start + length] if fragment is None else fragment
        times = min(repeats, MAX_LENGTH // (len(new) or 1))
        data = data[:start] + new * times + data[start + length :]
    return data[:MAX_LENGTH]
