"""JSON text: strict reading of untrusted text, and writing as JavaScript's `JSON.stringify` writes.

The first answer of the server needs JSON but no regular expression, and `json` imports `re`, which
costs more than all the rest of the start. So this module calls the same C scanner and string encoder
that `json` is made of, and falls back to `json` itself where an interpreter has none.
"""

from __future__ import annotations

try:
    from _json import encode_basestring as quote
    from _json import make_scanner as _make_scanner
except ImportError:  # an interpreter without the accelerator
    from json.encoder import encode_basestring as quote
    from json.scanner import make_scanner as _make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

__all__ = [
    "JsonError",
    "Number",
    "dumps",
    "encode",
    "loads",
    "loads_exact",
    "number",
    "quote",
    "scalar",
]

_WHITE = " \t\n\r"
_EXACT = 2**53


class JsonError(ValueError):
    """Text that is not JSON (RFC 8259), or JSON too deep or too large to hold."""


class Number(str):
    """The spelling of a JSON number, kept as it was written."""

    __slots__ = ()


class _Reader:
    """The options of the C scanner: strict strings, no `NaN` or `Infinity`."""

    strict = True
    object_hook = None
    object_pairs_hook = None

    def __init__(self, parse_int: Callable[[str], Any], parse_float: Callable[[str], Any]) -> None:
        self.parse_int = parse_int
        self.parse_float = parse_float
        self.memo: dict[str, str] = {}

    @staticmethod
    def parse_constant(name: str) -> Any:
        raise JsonError(name + " is not JSON")


_scan_values = _make_scanner(_Reader(int, float))  # type: ignore[arg-type]


def loads(text: str) -> Any:
    """The value of a JSON text; a repeated key takes its last value. Raises JsonError."""
    return _scan(_scan_values, text)


def loads_exact(text: str) -> Any:
    """Like `loads`, with every number as a `Number`, so that `dumps` writes it as it was read."""
    return _scan(_make_scanner(_Reader(Number, Number)), text)  # type: ignore[arg-type]


def _scan(scan_once: Callable[[str, int], tuple[Any, int]], text: str) -> Any:
    text = text.strip(_WHITE)
    try:
        value, end = scan_once(text, 0)
    except StopIteration:
        raise JsonError("not a JSON value") from None
    except RecursionError:
        raise JsonError("JSON nested too deeply") from None
    except JsonError:
        raise
    except ValueError:
        raise JsonError("not JSON") from None
    if end != len(text):
        raise JsonError("text after the end of the JSON value")
    return value


def dumps(value: Any) -> str:
    """Compact JSON, keys in their own order, numbers as ECMAScript spells them.

    A lone surrogate stays as it is in the text; `encode` turns it into its escape. Raises TypeError
    for what JSON cannot hold, infinities and NaN included.
    """
    parts: list[str] = []
    _write(value, parts.append)
    return "".join(parts)


def encode(text: str) -> bytes:
    """JSON text as UTF-8; lone surrogates, which can only stand in its strings, as `\\udxxx`."""
    return text.encode("utf-8", "backslashreplace")


def _write(value: Any, put: Callable[[str], object]) -> None:
    if isinstance(value, Number):
        put(value)
    elif isinstance(value, str):
        put(quote(value))
    elif isinstance(value, dict):
        separator = "{"
        for key, member in value.items():
            put(separator + quote(key) + ":")
            _write(member, put)
            separator = ","
        put("}" if value else "{}")
    elif isinstance(value, (list, tuple)):
        separator = "["
        for item in value:
            put(separator)
            _write(item, put)
            separator = ","
        put("]" if value else "[]")
    else:
        put(scalar(value))


def scalar(value: Any) -> str:
    """JSON of null, a boolean or a number."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return number(value)
    raise TypeError("not a JSON value: " + type(value).__name__)


def number(value: float) -> str:
    """ECMAScript's Number::toString in base 10; integers beyond 2**53 are rounded to doubles first."""
    if isinstance(value, int):
        if -_EXACT <= value <= _EXACT:
            return int.__repr__(value)
        value = float(value)
    if value - value != 0:
        raise TypeError("infinities and NaN are not JSON values")
    if value == 0:
        return "0"
    sign, digits, point = _shortest(value)
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    exponent = point - 1
    mantissa = digits if count == 1 else digits[0] + "." + digits[1:]
    return "%s%se%s%d" % (sign, mantissa, "+" if exponent > 0 else "-", abs(exponent))


def _shortest(value: float) -> tuple[str, str, int]:
    """Sign, shortest round-trip digits, and where the decimal point stands relative to the first."""
    mantissa, _, exponent = repr(value).partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return sign, digits.rstrip("0"), point
