"""The command line: arguments and environment -> settings -> serve, call or lint; exit codes."""

from __future__ import annotations

import os
import sys

from . import __version__
from .console import complain, say
from .corpus.roots import CorpusUnavailable
from .settings import CWD_FLAG, DIR_FLAG, UsageError, read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .settings import Settings

_COMMANDS = {
    "serve": {CWD_FLAG, DIR_FLAG},
    "call": {CWD_FLAG, DIR_FLAG, "--text"},
    "lint": {CWD_FLAG, DIR_FLAG, "--format"},
}
_SWITCHES = ("--help", "-h", "--version", "--text")


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    try:
        words, flags = _parse(sys.argv[1:] if argv is None else argv)
        if "--help" in flags or "-h" in flags:
            return _help()
        if "--version" in flags:
            say("adrkit-mcp " + __version__)
            return 0
        command = words.pop(0) if words else "serve"
        _check_command(command, words, flags)
        settings = read_settings(flags, os.environ)
        try:
            return _run(command, words, flags, settings)
        except CorpusUnavailable as error:
            return _report_unavailable(error, settings)
    except UsageError as error:
        return _report_usage(error)


def _run(command: str, words: list[str], flags: dict[str, str], settings: Settings) -> int:
    root, directory = settings.root.value, settings.directory.value
    if command == "serve":
        from .service import serve

        # Nothing is left to flush, and a signal during the interpreter's own end would change the code.
        os._exit(serve(root, directory))
    from . import commands

    corpus = commands.sealed_corpus(root, directory, complain)
    if command == "call":
        return commands.call_tool(corpus, words, "--text" in flags)
    return commands.lint(corpus, flags.get("--format", "text"))


def _parse(argv: list[str]) -> tuple[list[str], dict[str, str]]:
    """(words, flags): `--flag value`, `--flag=value` and switches, in any order; `--` ends the flags."""
    words: list[str] = []
    flags: dict[str, str] = {}
    known = set().union(*_COMMANDS.values(), _SWITCHES)
    rest = iter(argv)
    for word in rest:
        if word == "--":
            words.extend(rest)
        elif word == "-" or not word.startswith("-"):
            words.append(word)
        else:
            flag, equals, value = word.partition("=")
            if flag not in known:
                raise UsageError("unknown option %s" % _shown(flag))
            if flag in _SWITCHES:
                if equals:
                    raise UsageError("%s takes no value" % flag)
            elif not equals:
                value = _next_value(flag, rest)
            if flag not in _SWITCHES and not value:
                raise UsageError("%s needs a value" % flag)
            flags[flag] = value
    return words, flags


def _next_value(flag: str, rest: Iterator[str]) -> str:
    """The next word, if any; only a value that is joined by `=` may look like a flag."""
    value = next(rest, "")
    if value.startswith("-"):
        raise UsageError("%s needs a value, got %s: write %s=VALUE" % (flag, _shown(value), flag))
    return value


def _check_command(command: str, words: list[str], flags: dict[str, str]) -> None:
    if command not in _COMMANDS or (command == "serve" and words):
        raise UsageError("unknown command %s" % _shown(command))
    if command == "lint" and words:
        raise UsageError("lint takes no %s: the directory is --dir" % _shown(words[0]))
    for flag in flags:
        if flag not in _COMMANDS[command]:
            raise UsageError("%s does not go with %s" % (flag, command))


def _report_unavailable(error: CorpusUnavailable, settings: Settings) -> int:
    from .diagnosis import diagnose

    complain(diagnose(error.reason, settings))
    return 1


def _report_usage(error: UsageError) -> int:
    from .usage import USAGE

    complain("%s\n%s" % (error, USAGE))
    return 2


def _help() -> int:
    from .usage import HELP

    say(HELP)
    return 0


def _shown(word: str) -> str:
    """A word of the command line for a message, on one line and cut short."""
    return ascii(word[:80]) + ("..." if len(word) > 80 else "")
