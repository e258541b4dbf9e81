"""JSON text: strict reading of untrusted text, and writing as JavaScript's `JSON.stringify` writes.

The first answer of the server needs JSON but no regular expression, and `json` imports `re`, which
costs more than all the rest of the start. So this module calls the same C scanner and encoders
that `json` is made of, and falls back to `json` itself where an interpreter has none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Callable

    Members = Iterable[tuple[str, Any]]
    Scanner = Callable[[str, int], tuple[Any, int]]

__all__ = [
    "Encoded",
    "JsonError",
    "Number",
    "dumps",
    "dumps_sorted",
    "encode",
    "loads",
    "loads_exact",
    "number",
    "quote",
    "quoted",
    "scalar",
]

_ESCAPES = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\t", b"\\t"))
#: Control characters that need an escape and are none of the above.
_RARE = bytes(set(range(0x20)) - set(b"\n\r\t"))
_WHITE = " \t\n\r"
_EXACT = 2**53
#: Longer integers are infinite as doubles; `int` takes quadratic time for them, or refuses them.
_MOST_DIGITS = 310


class JsonError(ValueError):
    """Text that is not JSON (RFC 8259), or JSON too deep or too large to hold."""


class Encoded(str):
    """The JSON text of a value, which stands for the value and is written as it is."""

    __slots__ = ()


class Number(Encoded):
    """The spelling of a JSON number, kept as it was written."""

    __slots__ = ()


def _refuse_constant(name: str) -> Any:
    raise JsonError(name + " is not JSON")


try:
    from _json import encode_basestring as quote
    from _json import make_encoder as _make_encoder
    from _json import make_scanner as _make_scanner
except ImportError:  # an interpreter without the accelerator
    from json.decoder import JSONDecoder
    from json.encoder import encode_basestring as quote

    def _scanner(parse_int: Callable[[str], Any], parse_float: Callable[[str], Any]) -> Scanner:
        decoder = JSONDecoder(
            parse_int=parse_int, parse_float=parse_float, parse_constant=_refuse_constant
        )
        return decoder.scan_once  # type: ignore[attr-defined, no-any-return]

    def _sorted_chunks(value: Any, level: int) -> Iterable[str]:
        return [dumps(value, lambda members: sorted(members.items()))]
else:

    class _Options:
        """What the C scanner asks of a decoder: strict strings, no `NaN` or `Infinity`, no hooks."""

        strict = True
        object_hook = None
        object_pairs_hook = None
        array_hook = None  # asked for since Python 3.15
        parse_constant = staticmethod(_refuse_constant)

        def __init__(
            self, parse_int: Callable[[str], Any], parse_float: Callable[[str], Any]
        ) -> None:
            self.parse_int = parse_int
            self.parse_float = parse_float
            self.memo: dict[str, str] = {}

    def _scanner(parse_int: Callable[[str], Any], parse_float: Callable[[str], Any]) -> Scanner:
        return _make_scanner(_Options(parse_int, parse_float))  # type: ignore[arg-type]

    def _refuse(value: Any) -> Any:
        raise TypeError("not a JSON value: " + type(value).__name__)

    # By position: no search for cycles, what to do with other values, how to write strings, no indentation,
    # the separators, keys sorted, none skipped, no `NaN` or `Infinity`.
    _sorted_chunks = _make_encoder(  # type: ignore[assignment]
        None, _refuse, quote, None, ":", ",", True, False, False
    )


def _integer(text: str) -> float:
    """An integer; one that no double can hold is infinite, as in JavaScript."""
    return int(text) if len(text) <= _MOST_DIGITS else float(text)


_scan_values = _scanner(_integer, float)


def loads(text: str) -> Any:
    """The value of a JSON text; a repeated key takes its last value. Raises JsonError."""
    return _scan(_scan_values, text)


def loads_exact(text: str) -> Any:
    """Like `loads`, with every number as a `Number`, so that `dumps` writes it as it was read."""
    return _scan(_scanner(Number, Number), text)


def _scan(scan_once: Scanner, text: str) -> Any:
    text = text.strip(_WHITE)
    try:
        value, end = scan_once(text, 0)
    except StopIteration:
        raise JsonError("not a JSON value") from None
    except RecursionError:
        raise JsonError("JSON nested too deeply") from None
    except JsonError:
        raise
    except (ValueError, SystemError):
        # Until Python 3.13 the scanner finds no exception to raise while `json.decoder` is not imported,
        # which the interpreter reports as a SystemError.
        raise JsonError("not JSON") from None
    if end != len(text):
        raise JsonError("text after the end of the JSON value")
    return value


def dumps(value: Any, order: Callable[[dict[str, Any]], Members] = dict.items) -> str:
    """Compact JSON, numbers as ECMAScript spells them, members of objects as `order` gives them: by
    default their own.

    A lone surrogate stays as it is in the text; `encode` turns it into its escape. Raises TypeError
    for what JSON cannot hold, infinities and NaN included.
    """
    # Nearly all values are plain strings in objects and lists: those take no call of this function.
    if isinstance(value, dict):
        members = [
            quote(key) + ":" + (quote(item) if item.__class__ is str else dumps(item, order))
            for key, item in order(value)
        ]
        return "{" + ",".join(members) + "}"
    if isinstance(value, (list, tuple)):
        items = [quote(item) if item.__class__ is str else dumps(item, order) for item in value]
        return "[" + ",".join(items) + "]"
    if isinstance(value, str):
        return value if isinstance(value, Encoded) else quote(value)
    return scalar(value)


def dumps_sorted(value: Any) -> str:
    """Like `dumps`, with the members sorted by their keys, in a third of the time.

    For values whose keys are ASCII and whose numbers are integers up to 2**53, which the C encoder that
    `json` is made of spells the same way; it knows no `Encoded`. Raises TypeError or ValueError for what JSON
    cannot hold.
    """
    return "".join(_sorted_chunks(value, 0))


def encode(text: str) -> bytes:
    """JSON text as UTF-8; lone surrogates, which can only stand in its strings, as `\\udxxx`."""
    return text.encode("utf-8", "backslashreplace")


def quoted(text: bytes) -> bytes:
    """The JSON string of UTF-8 text, bytes that are not UTF-8 as U+FFFD.

    The same as `quote` of the decoded text, and several times faster for the usual text of many lines,
    which holds no control characters but tabs and line ends.
    """
    try:
        usual = len(text.translate(None, _RARE)) == len(text) and (text.isascii() or text.decode())
    except UnicodeDecodeError:
        usual = False
    if not usual:
        return encode(quote(text.decode("utf-8", "replace")))
    for character, escape in _ESCAPES:
        text = text.replace(character, escape)
    return b'"' + text + b'"'


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
