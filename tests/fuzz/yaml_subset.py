"""The YAML parser: a JSON value or a YamlError that names a place in the text, always the same."""

import glob
import os

from adrkit_mcp.corpus.yaml_subset import YamlError, parse

from .checks import outcome, timely

_DOCUMENTS = os.path.join(os.path.dirname(__file__), os.pardir, "corpus", "yaml", "*.yaml")


def _seeds():
    """The documents of the parser's tests, each a few lines of it."""
    for name in sorted(glob.glob(_DOCUMENTS)):
        with open(name, "rb") as file:
            lines = file.readlines()
        for start in range(0, len(lines), 12):
            yield b"".join(lines[start : start + 18])


SEEDS = list(_seeds())
_TEXTS = (
    *"abx:-?#,[]{}&*!|>'\"%@`~\\ \t\n\r.0+<=/\0\ufeff\x85\u2028é😀",
    *("a: ", "b:", ": ", " #", "# c", "- ", "? ", "\n ", "\n  ", "\n   ", "\n\n", "\r\n", "\n\t"),
    *("---", "...", "\n---\n", "%YAML 1.2\n", "<<: ", "a: |", "b: >", ">2-", "|+\n", "|1\n"),
    *("[a, b]", "{a: 1}", "[[", "{{", "]]", "}}", "{a", ", ", "''", '""', "'a'", '"a"', "\\\n"),
    *("\\x41", "\\u00e9", "\\ud83d\\ude00", "\\U0001F680", "\\_", "\\ ", "null", "true"),
    *("0o17", "0x1F", "-1.5e3", ".inf", "-.INF", ".nan", "010", "1_000", "12:30", "9" * 40),
)
FRAGMENTS = [*(text.encode() for text in _TEXTS), b"\xff", b"\xed\xa0\x80"]


def check(data):
    text = data.decode("utf-8", "replace")
    value, error = timely(outcome, YamlError, parse, text)
    again, error_again = outcome(YamlError, parse, text)
    assert repr(value) == repr(again)
    assert str(error) == str(error_again)
    if error is None:
        _check_json(value)
    else:
        _check_place(error, text)


def _check_json(value):
    if type(value) is list:
        for item in value:
            _check_json(item)
    elif type(value) is dict:
        for key, item in value.items():
            assert type(key) is str, key
            _check_json(item)
    else:
        assert value is None or type(value) in (bool, int, float, str), type(value)


def _check_place(error, text):
    """The place is in the text or just behind its end; the message is one printable line."""
    lines = text.split("\n")
    assert error.problem.isprintable(), error.problem
    assert 1 <= error.line <= len(lines) + 1, error
    rest = lines[error.line - 1] if error.line <= len(lines) else ""
    assert 1 <= error.column <= len(rest) + 1, error
