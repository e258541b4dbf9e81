"""The command line: arguments -> a call and its answer as JSON, or the MCP server; exit codes."""

from __future__ import annotations

import os
import sys

from .. import __version__, jsontext
from ..arguments import InvalidArguments
from ..mcp.stdio import handle_signals
from .client import Client
from .contract import ARGUMENTS, check
from .failures import BadSetting, Failure, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SWITCHES = ("--help", "-h", "--version")
_WORDS = {"query_decision": ("question",)}
_NUMBERS = ("--limit",)
_STORES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_MOST_SHOWN = 2000
_INTERRUPTED = 130


class UsageError(Exception):
    """A command line that cannot be understood; the text says which word of it."""


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    handle_signals(lambda: os._exit(_INTERRUPTED))
    for variable in _STORES:
        if os.environ.get(variable) == "":
            del os.environ[variable]  # OpenSSL would take it for a store without certificates
    try:
        return _run(*_parse(sys.argv[1:] if argv is None else argv))
    except (UsageError, InvalidArguments) as error:
        from .usage import USAGE

        _complain(f"{error}\n{USAGE}")
        return 2
    except Failure as error:
        _complain(one_line(str(error), _MOST_SHOWN))
        return 2 if isinstance(error, BadSetting) else 1


def _run(words: list[str], flags: dict[str, str]) -> int:
    if "--help" in flags or "-h" in flags:
        from .usage import HELP

        return _print(HELP)
    if "--version" in flags:
        return _print(f"decisionscope {__version__}\n")
    if not words:
        raise UsageError("a command is missing")
    command, *rest = words
    if command in ARGUMENTS:
        return _call(command, check(command, _arguments(command, rest, flags)))
    if command != "mcp":
        raise UsageError(f"unknown command {_shown(command)}")
    if rest or flags:
        raise UsageError("mcp takes no arguments")
    from .mcp import serve

    os._exit(serve(os.environ))


def _call(tool: str, arguments: dict[str, Any]) -> int:
    data = Client(os.environ).call(tool, arguments).data
    return _print((_indented(data, "\n") if os.isatty(1) else jsontext.dumps(data)) + "\n")


def _parse(argv: list[str]) -> tuple[list[str], dict[str, str]]:
    """(words, flags): `--flag value`, `--flag=value` and switches, in any order; `--` ends flags."""
    words: list[str] = []
    flags: dict[str, str] = {}
    rest = iter([_decode(word) for word in argv])
    for word in rest:
        if word == "--":
            words.extend(rest)
        elif word == "-" or not word.startswith("-"):
            words.append(word)
        elif word in _SWITCHES:
            flags[word] = ""
        else:
            flag, equals, value = word.partition("=")
            flags[flag] = value if equals else next(rest, "")
    return words, flags


def _arguments(command: str, words: list[str], flags: dict[str, str]) -> dict[str, Any]:
    """The arguments of a tool; their values are checked later, by the rules for MCP clients."""
    names = _WORDS.get(command, ())
    if len(words) > len(names):
        hint = ": put the question in quotes" if names else ""
        raise UsageError(f"{_shown(words[len(names)])} is a word too many{hint}")
    arguments: dict[str, Any] = dict(zip(names, words))
    for flag, value in flags.items():
        name = flag[2:]
        if not flag.startswith("--") or name in names or name not in ARGUMENTS[command].fields:
            raise UsageError(f"{_shown(flag)} does not go with {command}")
        if not value:
            raise UsageError(f"{flag} needs a value")
        arguments[name] = _number(value) if flag in _NUMBERS else value
    return arguments


def _number(text: str) -> Any:
    try:
        return jsontext.loads(text)
    except jsontext.JsonError:
        return text


def _decode(word: str) -> str:
    """A word of the command line, which is UTF-8 whatever the locale says."""
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{_shown(word)} is not UTF-8") from None


def _indented(value: Any, margin: str) -> str:
    """JSON for a terminal: a member on each line, and nothing in it that a terminal would obey."""
    deeper = margin + "  "
    if isinstance(value, dict) and value:
        members = [f"{_visible(key)}: {_indented(member, deeper)}" for key, member in value.items()]
        return "{" + deeper + f",{deeper}".join(members) + margin + "}"
    if isinstance(value, list) and value:
        items = [_indented(item, deeper) for item in value]
        return "[" + deeper + f",{deeper}".join(items) + margin + "]"
    return _visible(value)


def _visible(value: Any) -> str:
    text = jsontext.dumps(value)
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join("\\u%02x%02x" % unit for unit in zip(units[::2], units[1::2]))


def _shown(word: str) -> str:
    """A word of the command line for a message, on one line and cut short."""
    return ascii(word[:80]) + ("..." if len(word) > 80 else "")


def _complain(text: str) -> None:
    """A diagnostic on stderr; a stderr that is closed or full changes nothing."""
    try:
        os.write(2, f"decisionscope: {text}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        pass


def _print(text: str) -> int:
    """Print a whole text; a reader that went away ends the program quietly."""
    data = jsontext.encode(text)
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return 1
    return 0
