"""npm version ranges: whether a text is one, as npm's `semver` package decides in strict mode.

The published range grammar is the core. Around it stands what npm also lets through (build metadata
anywhere, a space after an operator, repeated `v` and `=`, one stray `*` in a comparator) and what
it refuses beyond the grammar: versions too long, and bounds that are no safe integers.
"""

from __future__ import annotations

import re

from ..ecma import MAX_SAFE_INTEGER, WHITE_SPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_VERSION_LENGTH = 256

_NUMBER = "(?:0|[1-9][0-9]{0,256})"
_IDENTIFIER = "(?:%s|[0-9]{0,256}[A-Za-z-][0-9A-Za-z-]{0,250})" % _NUMBER
_PRERELEASE = rf"-{_IDENTIFIER}(?:\.{_IDENTIFIER})*"
_BUILD = r"\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_COMPONENT = "(%s|[xX*])" % _NUMBER
#: Five groups: the whole, up to three components, the prerelease.
_PARTIAL = rf"([v= ]*{_COMPONENT}(?:\.{_COMPONENT}(?:\.{_COMPONENT}({_PRERELEASE})?)?)?)"

_spaces = re.compile("[%s]+" % WHITE_SPACE)
_build = re.compile(_BUILD)
_version = re.compile(rf"v?({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:{_PRERELEASE})?(?:{_BUILD})?")
_hyphen_range = re.compile(f" ?{_PARTIAL} - {_PARTIAL} ?")
_comparator = re.compile(r"(~>?|\^|[<>]?=?)" + _PARTIAL)
_relation = re.compile("[<>]?=?")
_any_version = re.compile(r"[<>]?=?\*")
# One space may stand between an operator and its version, two where build metadata left the second.
_space_after_relation = re.compile("([<>]=?|(?<![v=<>])(?<![> ] )=) (?=[v=]*[0-9xX*])")
_space_after_caret_or_tilde = re.compile(r"(?:(~)>?|(\^)) (?: (?=[v=]*[0-9xX*]))?")


def is_range(text: str) -> bool:
    """Whether `text` is a version range; the empty text is one, it means any version."""
    return all(
        _is_comparator_set(_build.sub("", alternative.strip(" ")))
        for alternative in _spaces.sub(" ", text).split("||")
    )


def _is_comparator_set(text: str) -> bool:
    match = _hyphen_range.fullmatch(text)
    if match:
        low, high = match.groups()[:5], match.groups()[5:]
        return _is_low_end(*low) and _is_high_end(*high)
    text = _space_after_relation.sub(r"\1", text)
    text = _space_after_caret_or_tilde.sub(r"\1\2", text)
    return all(map(_is_comparator, text.split(" ")))


def _is_low_end(text: str, major: str, *rest: str | None) -> bool:
    numbers = _numbers((major, *rest[:2]))
    return _is_comparator_set(">=" + text) if len(numbers) == 3 else _are_safe(numbers)


def _is_high_end(text: str, major: str, *rest: str | None) -> bool:
    numbers = _numbers((major, *rest[:2]))
    if len(numbers) < 3:
        return _are_safe(numbers, raised=len(numbers) - 1)
    return _is_comparator_set("<=" + (text.lstrip("v= ") if rest[2] else text))


def _is_comparator(text: str) -> bool:
    match = _comparator.fullmatch(text)
    if not match:
        return _is_exact(_any_version.sub("", text, count=1))
    operator, operand = match.group(1, 2)
    components = match.group(3, 4, 5)
    numbers = _numbers(components)
    if operator == "^":
        return _is_anchor(operand, numbers, raised=_first_nonzero(numbers))
    if operator.startswith("~"):
        return _is_anchor(operand, numbers, raised=min(1, len(numbers) - 1))
    if len(numbers) == 3:
        return _is_version(operand)
    if any(component and component.isdigit() for component in components[len(numbers) :]):
        return False
    return _are_safe(numbers, raised=-1 if operator in (">=", "<") else len(numbers) - 1)


def _is_anchor(operand: str, numbers: list[int], raised: int) -> bool:
    """The version after `^` or `~`; the number at index `raised` plus one is the bound above."""
    complete = len(numbers) == 3
    return _are_safe(numbers, raised) and (not complete or _is_version(operand.lstrip("v=")))


def _is_exact(text: str) -> bool:
    """A complete version with at most a relation before it, or nothing at all."""
    return not text or _is_version(_relation.sub("", text, count=1))


def _is_version(text: str) -> bool:
    match = _version.fullmatch(text)
    if not match or len(text) > MAX_VERSION_LENGTH:
        return False
    return _are_safe(_numbers(match.groups()))


def _numbers(components: Iterable[str | None]) -> list[int]:
    """The numbers before the first component that is a wildcard or absent."""
    numbers: list[int] = []
    for component in components:
        if not component or component in "xX*":
            break
        numbers.append(int(component))
    return numbers


def _first_nonzero(numbers: list[int]) -> int:
    return next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)


def _are_safe(numbers: list[int], raised: int = -1) -> bool:
    """Whether all are safe integers, also when the one at index `raised` is one higher."""
    return all(
        number + (index == raised) <= MAX_SAFE_INTEGER for index, number in enumerate(numbers)
    )
