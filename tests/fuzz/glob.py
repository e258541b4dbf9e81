"""Globs: a GlobError for the few patterns that have one, else an answer for every path."""

from adrkit_mcp.affects.glob import GlobError, compile_glob

from .checks import outcome, timely

_SEPARATOR = b"\0"  # between the pattern and the paths of an input
_EXAMPLES = """
src/** src/a.ts src src/.a
**/*.{ts,tsx} a.ts x/a.tsx
*.test.js a.test.js
**/node_modules/** x/node_modules/y
src/[a-c]?/[^x]*.py src/aa/b.py
[[:alpha:]]+/[![:digit:]] ab/c
!(a|*.test).ts b.ts
@(a|b)/+(c|d)*(e)?(f) a/ce
x/{a,b{c,d}}/{1..3} x/bc/2
a\\d/\\*\\.x a5/*.x
(a|b)/\\1 a/a
(?:a|b)(?!c)(?<=a)x ax
+(a|ab|b)c abababababc
{,a}{,a}{,a}b aab
"a*b"/* a*b/c
./.x/!(a)/** .x/b/c
a|b++$$ a
*/**/***/? a/b/c/d
"""

SEEDS = [b"\0".join(line.encode().split()) for line in _EXAMPLES.strip().splitlines()]
FRAGMENTS = [
    *(bytes([byte]) for byte in b'\0/.*?[]{}()!@+|\\"^$-,:ab1 \n'),
    *(
        b"**/",
        b"/**",
        b"./",
        b"../",
        b"//",
        b"!(",
        b"@(",
        b"+(",
        b"*(",
        b"?(",
        b"(?:",
        b"(?=",
        b"(?!",
    ),
    *(b"(?<=", b"(?<!", b"(?<n>", b"\\1", b"\\d", b"\\b", b"\\u0041", b"\\x41", b"[^a]", b"[a-z]"),
    *(b"[[:alpha:]]", b"[z-a]", b"{a,b}", b"{1..3}", b"{01..3}", b"***", b"*.", b".*", b"a|aa"),
    *("é".encode(), "😀".encode(), "\u2028".encode(), b"\xff", b"a" * 50, b"a/" * 50),
]


def check(data):
    pattern, *paths = [part.decode("utf-8", "replace") for part in data.split(_SEPARATOR)]
    match, error = timely(outcome, GlobError, compile_glob, pattern)
    if error is not None:
        slash = pattern.startswith("/")
        assert error.reason == ("leading-slash" if slash else "invalid-glob"), error.reason
        return
    assert not match("")
    for path in [*paths, pattern]:
        _check_answer(match, path)


def _check_answer(match, path):
    answer = timely(match, path)
    assert type(answer) is bool
    assert match(path) is answer
    assert match(path.replace("/", "\\")) is answer
    if not path.startswith(("./", ".\\")):
        assert match("./" + path) is answer
