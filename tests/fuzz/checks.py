"""What several targets check."""

import json
import time

#: Bytes of an input.
MAX_LENGTH = 4096
#: Seconds of processor time for a call on one input.
TIME_LIMIT = 0.5
_ATTEMPTS = 3


def timely(function, *arguments):
    """What a function returns within TIME_LIMIT; a loaded machine gets further attempts."""
    for _ in range(_ATTEMPTS):
        start = time.process_time()
        result = function(*arguments)
        seconds = time.process_time() - start
        if seconds < TIME_LIMIT:
            return result
    raise AssertionError("took %.1f seconds" % seconds)


def outcome(expected, function, *arguments):
    """(what a function returned, None), or (None, the error of the expected kind that it raised)."""
    try:
        return function(*arguments), None
    except expected as error:
        return None, error


def strict_json(text):
    """The value of a JSON text without NaN, infinities and repeated keys."""
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)


def _unique(pairs):
    members = dict(pairs)
    assert len(members) == len(pairs), "repeated key"
    return members


def _refuse(name):
    raise AssertionError("%s is not JSON" % name)
