"""A small declarative schema: one declaration validates data, fills defaults, names every issue by path
and rule, and prints itself as JSON Schema 2020-12.

A node has `check(value, issues) -> normalized value`, `json_schema() -> dict`, `missing_rule` and
`expected` (what a message says was expected). Issues are collected, never raised, so one reading names
everything that is wrong. Rules and their quirks: contract notes, section 1.
"""

from __future__ import annotations

from .ecma import MAX_SAFE_INTEGER, sort_key, utf16_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Callable, Protocol

    class Node(Protocol):
        """What fields, lists and maps are made of."""

        missing_rule: str
        expected: str

        def check(self, value: Any, issues: list[Issue]) -> Any: ...

        def json_schema(self) -> dict[str, Any]: ...


HARD_RULES = frozenset(
    ("invalid-type", "required-field", "invalid-enum-value", "strict-unknown-key")
)
#: JavaScript objects cannot hold this as an own key set by assignment: it is ignored wherever it stands.
IGNORED_KEY = "__proto__"
#: The smallest integer that rounds to infinity as an IEEE 754 double.
_DOUBLE_OVERFLOW = 2**1024 - 2**970


class Issue:
    """One broken rule: `rule`, `path` (keys and indexes from the top), `message`, the `value` at fault."""

    __slots__ = ("message", "path", "rule", "value")

    def __init__(self, rule: str, message: str, value: Any = None, key: str | None = None) -> None:
        self.rule = rule
        self.message = message
        self.value = value
        self.path: list[str] = [] if key is None else [key]

    @property
    def hard(self) -> bool:
        """Whether the value's shape is wrong, so that rules about its meaning cannot be applied."""
        return self.rule in HARD_RULES


def kind(value: Any) -> str:
    """What a message calls the type of a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "a map"


def _wrong_type(node: Node, value: Any, issues: list[Issue]) -> None:
    issues.append(
        Issue("invalid-type", "expected %s, got %s" % (node.expected, kind(value)), value)
    )


def _locate(issues: list[Issue], start: int, key: str) -> None:
    for index in range(start, len(issues)):
        issues[index].path.insert(0, key)


class Form:
    """A form that strings have to have: its test, and what a message says was expected."""

    __slots__ = ("expected", "matches")

    def __init__(self, matches: Callable[[str], object], expected: str) -> None:
        self.matches = matches
        self.expected = expected


class Text:
    """A string, its length in UTF-16 units, and its form."""

    missing_rule = "required-field"
    expected = "a string"

    def __init__(
        self, minimum: int = 0, maximum: int | None = None, form: Form | None = None
    ) -> None:
        self._minimum = minimum
        self._maximum = maximum
        self._bounded = minimum > 0 or maximum is not None
        self._form = form

    def check(self, value: Any, issues: list[Issue]) -> Any:
        if value.__class__ is not str:
            _wrong_type(self, value, issues)
            if self._bounded:
                self._check_borrowed_length(value, issues)
            return value
        if self._bounded:
            self._check_length(utf16_length(value), value, issues)
        if self._form is not None and not self._form.matches(value):
            issues.append(Issue("invalid-format", "expected " + self._form.expected, value))
        return value

    def _check_length(self, length: float, value: Any, issues: list[Issue]) -> None:
        if length >= self._minimum and (self._maximum is None or length <= self._maximum):
            return
        if self._maximum is None:
            wanted = "%d or more characters" % self._minimum
        else:
            wanted = "%d to %d characters" % (self._minimum, self._maximum)
        found = ", got %d" % length if isinstance(value, str) else ""
        issues.append(Issue("invalid-size", "expected " + wanted + found, value))

    def _check_borrowed_length(self, value: Any, issues: list[Issue]) -> None:
        """A list has a length too, and a map may have a key of that name: JavaScript measures both."""
        length = (
            len(value)
            if isinstance(value, list)
            else value.get("length")
            if isinstance(value, dict)
            else None
        )
        if isinstance(length, (int, float)) and not isinstance(length, bool):
            self._check_length(length, value, issues)

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string"}


class Choice:
    """One of a few strings."""

    missing_rule = "invalid-enum-value"

    def __init__(self, *values: str) -> None:
        self.values = values
        self.expected = "one of " + ", ".join(values)

    def check(self, value: Any, issues: list[Issue]) -> Any:
        if value.__class__ is not str or value not in self.values:
            issues.append(Issue("invalid-enum-value", "expected " + self.expected, value))
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.values)}


class Boolean:
    """true or false."""

    missing_rule = "required-field"
    expected = "true or false"

    def check(self, value: Any, issues: list[Issue]) -> Any:
        if value is not True and value is not False:
            _wrong_type(self, value, issues)
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Number:
    """A finite number within bounds."""

    missing_rule = "required-field"
    expected = "a number"

    def __init__(self, minimum: float | None = None, maximum: float | None = None) -> None:
        self._minimum = minimum
        self._maximum = maximum

    def check(self, value: Any, issues: list[Issue]) -> Any:
        if (value.__class__ is not int and value.__class__ is not float) or not self._fits_type(
            value
        ):
            _wrong_type(self, value, issues)
            return value
        self._check_bounds(value, issues)
        return value

    @staticmethod
    def _fits_type(value: float) -> bool:
        return _is_finite(value)

    def _check_bounds(self, value: float, issues: list[Issue]) -> None:
        low, high = self._minimum, self._maximum
        if (low is None or value >= low) and (high is None or value <= high):
            return
        bounds = "%g or more" % (low or 0) if high is None else "%g to %g" % (low or 0, high)
        issues.append(Issue("invalid-size", "expected %s, %s" % (self.expected, bounds), value))

    def json_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "number"}
        if self._minimum is not None:
            schema["minimum"] = self._minimum
        if self._maximum is not None:
            schema["maximum"] = self._maximum
        return schema


class Integer(Number):
    """A whole number that JavaScript holds exactly, within bounds; `20.0` is one."""

    expected = "a whole number"

    def check(self, value: Any, issues: list[Issue]) -> Any:
        before = len(issues)
        value = super().check(value, issues)
        if len(issues) > before and issues[before].rule == "invalid-type":
            return value
        if abs(value) > MAX_SAFE_INTEGER:
            issues.append(
                Issue("invalid-size", "expected a whole number of at most 2^53 - 1", value)
            )
        return int(value)

    @staticmethod
    def _fits_type(value: float) -> bool:
        return _is_finite(value) and (isinstance(value, int) or value.is_integer())

    def json_schema(self) -> dict[str, Any]:
        return dict(super().json_schema(), type="integer")


def _is_finite(value: float) -> bool:
    """Whether a double can hold the number; integers of the source are exact and may be too large."""
    if isinstance(value, int):
        return abs(value) < _DOUBLE_OVERFLOW
    return value - value == 0


class ListOf:
    """A list of one kind of item; `unique` compares items exactly, once none has the wrong shape."""

    missing_rule = "required-field"
    expected = "a list"

    def __init__(
        self, item: Node, minimum: int = 0, maximum: int | None = None, unique: bool = False
    ) -> None:
        self._item = item
        self._minimum = minimum
        self._maximum = maximum
        self._unique = unique

    def check(self, value: Any, issues: list[Issue]) -> Any:
        if value.__class__ is not list:
            _wrong_type(self, value, issues)
            return value
        start = len(issues)
        result = []
        check_item = self._item.check
        for index, item in enumerate(value):
            before = len(issues)
            result.append(check_item(item, issues))
            if len(issues) > before:
                _locate(issues, before, str(index))
        if len(value) < self._minimum or (self._maximum is not None and len(value) > self._maximum):
            wanted = "expected %d to %d items, got %d" % (
                self._minimum,
                self._maximum or 0,
                len(value),
            )
            issues.append(Issue("invalid-size", wanted, value))
        comparable = self._unique and not any(issue.hard for issue in issues[start:])
        if comparable and len(set(result)) < len(result):
            issues.append(Issue("unique-items", "expected no item twice", value))
        return result

    def json_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "array", "items": self._item.json_schema()}
        if self._minimum:
            schema["minItems"] = self._minimum
        if self._maximum is not None:
            schema["maxItems"] = self._maximum
        return schema


class MapOf:
    """A map of free keys to one kind of value, in the order in which JavaScript lists its keys."""

    missing_rule = "required-field"
    expected = "a map"

    def __init__(self, item: Node) -> None:
        self._item = item

    def check(self, value: Any, issues: list[Issue]) -> Any:
        if value.__class__ is not dict:
            _wrong_type(self, value, issues)
            return value
        result = {}
        for key in _property_order(value):
            before = len(issues)
            result[key] = self._item.check(value[key], issues)
            if len(issues) > before:
                _locate(issues, before, key)
        return result

    def json_schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self._item.json_schema()}


def _property_order(keys: Iterable[str]) -> list[str]:
    """Array indexes first, ascending, then the others as they came (ECMA-262 OrdinaryOwnPropertyKeys)."""
    named = [key for key in keys if key != IGNORED_KEY]
    return sorted(filter(_is_array_index, named), key=int) + [
        k for k in named if not _is_array_index(k)
    ]


def _is_array_index(key: str) -> bool:
    if not (key.isascii() and key.isdigit()) or len(key) > 10 or (key[0] == "0" and key != "0"):
        return False
    return int(key) < 2**32 - 1


class Field:
    """A field of an `Object`. Made by `required`, `optional` and `defaulted`."""

    __slots__ = ("default", "description", "example", "is_required", "node")

    def __init__(
        self, node: Node, is_required: bool, default: Any, description: str, example: str
    ) -> None:
        self.node = node
        self.is_required = is_required
        self.default = default
        self.description = description
        self.example = example


def required(node: Node, description: str = "", example: str = "") -> Field:
    return Field(node, True, None, description, example)


def optional(node: Node, description: str = "", example: str = "") -> Field:
    return Field(node, False, None, description, example)


def defaulted(node: Node, default: Any, description: str = "", example: str = "") -> Field:
    """A field filled with `default` where it is absent; the value is shared, so nobody may change it."""
    return Field(node, False, default, description, example)


class Object:
    """A map with named fields and no others; what it returns has them in the order of the declaration."""

    missing_rule = "required-field"
    expected = "a map"

    def __init__(self, fields: dict[str, Field]) -> None:
        self.fields = fields
        self._checks = [
            (name, f.node.check, f.is_required, f.default) for name, f in fields.items()
        ]

    def check(self, value: Any, issues: list[Issue]) -> Any:
        if value.__class__ is not dict:
            _wrong_type(self, value, issues)
            return value
        result = {}
        for name, check_field, is_required, default in self._checks:
            if name in value:
                before = len(issues)
                result[name] = check_field(value[name], issues)
                if len(issues) > before:
                    _locate(issues, before, name)
            elif default is not None:
                result[name] = default
            elif is_required:
                node = self.fields[name].node
                issues.append(
                    Issue(node.missing_rule, "is missing: expected " + node.expected, None, name)
                )
        for key in value:
            if key not in self.fields and key != IGNORED_KEY:
                issues.append(Issue("strict-unknown-key", "unknown key", value[key], key))
        return result

    def json_schema(self) -> dict[str, Any]:
        properties = {}
        for name, field in self.fields.items():
            schema = field.node.json_schema()
            if field.description:
                schema["description"] = field.description
            if field.default is not None:
                schema["default"] = field.default
            properties[name] = schema
        schema = {"type": "object", "properties": properties}
        needed = [name for name, field in self.fields.items() if field.is_required]
        if needed:
            schema["required"] = needed
        schema["additionalProperties"] = False
        return schema


def dotted(path: list[str]) -> str:
    """A path as findings and messages show it: keys and indexes joined by dots, nothing escaped."""
    return ".".join(path)


def by_path(issue: Issue) -> tuple[str, str]:
    """Sort key that puts issues in a fixed order whatever order the data had."""
    return sort_key(dotted(issue.path)), issue.rule
