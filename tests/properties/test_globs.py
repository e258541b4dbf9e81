import unittest

from hypothesis import given, settings
from hypothesis import strategies as st

from adrkit_mcp.affects.glob import compile_glob

#: What a segment is made of: text, wildcards, a class, the opposite of one, a choice.
PIECES = ("a", "b", ".", "*", "?", "[ab]", "[^a]", "{a,b.a}")
ANY = ("**",)
CHARACTERS = "ab."

#: Segments with a meaning of their own: `./` in front is dropped, `***` is no wildcard here.
_segments = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3)
    .map(tuple)
    .filter(lambda segment: segment != (".",) and ("*", "*") not in zip(segment, segment[1:]))
)
_patterns = st.lists(_segments | st.just(ANY), min_size=2, max_size=4).filter(
    lambda pattern: (
        pattern != [ANY, ("*", ".", "*")]
    )  # the one such pattern that is read by other rules
)
_names = st.text(CHARACTERS, min_size=1, max_size=3).filter(lambda name: name not in (".", ".."))
_paths = st.lists(_names, min_size=1, max_size=4)


def applies(pattern, path):
    """Whether a pattern matches a path, both as segments, found in the plainest way."""
    if any(map(is_hidden, path)) and not any(is_hidden("".join(segment)) for segment in pattern):
        return False
    return matches(pattern, path)


def is_hidden(name):
    return name.startswith(".") and name not in (".", "..")


def matches(pattern, path):
    if not pattern:
        return not path
    if pattern[0] == ANY:
        return matches(pattern[1:], path) or (
            bool(path) and not path[0].startswith(".") and matches(pattern, path[1:])
        )
    if not path or not fits(pattern[0], path[0], True):
        return False
    # Behind a star, `/**` at the end asks for a directory.
    needs_more = pattern[0][-1] == "*" and set(pattern[1:]) == {ANY}
    return matches(pattern[1:], path[1:]) and not (needs_more and not path[1:])


def fits(segment, name, at_start=False):
    """Whether a segment matches a name; in front of it a star or a question mark matches no dot."""
    if not segment:
        return not name
    piece, rest = segment[0], segment[1:]
    if piece == "*":
        guarded = at_start and name.startswith(".")
        return not guarded and any(fits(rest, name[end:]) for end in range(len(name) + 1))
    if piece == "{a,b.a}":
        return any(name.startswith(text) and fits(rest, name[len(text) :]) for text in ("a", "b.a"))
    return bool(name) and name[0] in matched_by(piece, at_start) and fits(rest, name[1:])


def matched_by(piece, at_start):
    """The characters that a piece for one character matches."""
    if piece == "?":
        return "ab" if at_start else CHARACTERS
    return {"[ab]": "ab", "[^a]": "b."}.get(piece, piece)


class NaiveMatcherTest(unittest.TestCase):
    @settings(max_examples=2000)
    @given(_patterns, st.lists(_paths, min_size=1, max_size=6))
    def test_agrees(self, pattern, paths):
        text = "/".join(map("".join, pattern))
        match = compile_glob(text)
        for path in paths:
            self.assertEqual(match("/".join(path)), applies(pattern, path), (text, path))

    def test_the_naive_matcher_matches_and_refuses(self):
        for pattern, path, expected in [
            (["a", "*"], "a/b", True),
            (["a", "*"], "a/b/a", False),
            ([ANY, "b"], "b", True),
            ([ANY, "b"], "a/.a/b", False),
            ([(".", "a"), ANY], ".a/b/a", True),
            (["*", ANY], "a", False),
        ]:
            with self.subTest(pattern=pattern, path=path):
                segments = [tuple(segment) for segment in pattern]
                self.assertEqual(applies(segments, path.split("/")), expected)
