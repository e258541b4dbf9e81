"""`call` and `lint`: the corpus on the command line, for people, scripts and CI."""

from __future__ import annotations

import os
import sys

from .console import say
from .corpus.findings import in_order
from .corpus.lint import FORMATS, has_errors, report
from .corpus.loader import Corpus
from .corpus.roots import absolute
from .jsontext import JsonError, dumps, loads, quote
from .seal import seal
from .settings import UsageError
from .tools import TOOLS, InvalidArguments, call, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_EXAMPLE = """'{"query": "postgres"}'"""


def sealed_corpus(root: str, directory: str, report: Callable[[str], None]) -> Corpus:
    """The corpus, in a process that from here on can do nothing but read it."""
    corpus = Corpus(absolute(root), directory)
    seal(corpus.reading, report)
    return corpus


def call_tool(corpus: Corpus, words: list[str], as_text: bool) -> int:
    """One tool call, as a client would make it. Prints `structuredContent`, or the summary line.

    Returns 0 on an answer, 1 when the corpus became unavailable meanwhile. Raises UsageError on bad
    arguments, before the corpus is touched, and CorpusUnavailable.
    """
    if not words or len(words) > 2:
        raise UsageError("call takes a tool and its arguments as one JSON text")
    name = words[0]
    if name not in TOOLS:
        raise UsageError(
            "unknown tool %s: expected one of %s" % (ascii(name[:80]), ", ".join(TOOLS))
        )
    try:
        checked = check(name, _arguments(words[1] if len(words) == 2 else "{}"))
    except InvalidArguments as error:
        raise UsageError(str(error)) from None
    corpus.check()
    summary, structured = call(name, corpus, checked)
    say(summary if as_text else _json(structured))
    return 1 if structured["result"]["outcome"] == "corpus-unavailable" else 0


def lint(corpus: Corpus, format: str) -> int:
    """Prints the findings of the corpus and of its matchers: returns 1 when one is an error, else 0.

    Raises UsageError and CorpusUnavailable.
    """
    if format not in FORMATS:
        raise UsageError("--format: expected one of %s" % ", ".join(FORMATS))
    from .affects.matching import matcher_index

    projection = corpus.load()
    findings = in_order([*projection.findings, *matcher_index(projection).findings])
    text = report(projection, findings, corpus.sources(), format)
    if text:
        say(text)
    return 1 if has_errors(projection) else 0


def _arguments(text: str) -> dict[str, Any]:
    """The arguments of a call: a JSON object, or `-` for one on stdin. Raises UsageError."""
    # Bytes in any case: the locale has no say in what an argument means.
    data = _input() if text == "-" else os.fsencode(text)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("the arguments are not UTF-8") from None
    try:
        value = loads(text)
    except JsonError as error:
        raise UsageError(
            "the arguments are not JSON (%s): write an object such as %s" % (error, _EXAMPLE)
        ) from None
    if not isinstance(value, dict):
        raise UsageError("the arguments are not a JSON object such as %s" % _EXAMPLE)
    return value


def _input() -> bytes:
    """All of stdin, which is empty when it is closed."""
    return sys.stdin.buffer.read() if sys.stdin else b""


def _json(value: Any) -> str:
    """Compact for programs; on a terminal indented, and nothing in it that a terminal would obey."""
    if not os.isatty(1):
        return dumps(value)
    text = _indented(loads(dumps(value)), "\n")
    return "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)


def _indented(value: Any, margin: str) -> str:
    """JSON with a member or an item a line; `margin` is the line break and the indentation around it."""
    inner = margin + "  "
    if isinstance(value, dict) and value:
        members = [quote(key) + ": " + _indented(member, inner) for key, member in value.items()]
        return "{" + inner + ("," + inner).join(members) + margin + "}"
    if isinstance(value, list) and value:
        return "[" + inner + ("," + inner).join(_indented(i, inner) for i in value) + margin + "]"
    return dumps(value)


def _escape(char: str) -> str:
    """A character as JSON escapes it, in UTF-16 units."""
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join("\\u" + units[at : at + 4] for at in range(0, len(units), 4))
