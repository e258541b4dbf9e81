"""What the patterns of `affects` mean, by the type of their matcher."""

from __future__ import annotations

from ..ecma import trim


def package_rule(pattern: str) -> str:
    """The rule of the finding that a `package` matcher, `NAME` or `NAME@RANGE`, gives.

    `affects-bad-pattern` when the name is blank or npm knows no such range; else
    `affects-unresolvable`, for packages are not looked up. An `@` in front belongs to the name.
    """
    name, _, text = pattern.rpartition("@")
    if not name:
        return "affects-unresolvable" if trim(pattern) else "affects-bad-pattern"
    if not trim(name) or not _is_package_range(trim(text)):
        return "affects-bad-pattern"
    return "affects-unresolvable"


def _is_package_range(text: str) -> bool:
    """As for npm, but not empty: after an `@` a range is expected."""
    from .semver import is_range  # not on the way of a server that meets no package matcher

    return text != "" and is_range(text)
