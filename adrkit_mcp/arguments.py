"""Arguments of a tool, checked strictly against its declaration before anything else is done."""

from __future__ import annotations

from .schema import Issue, by_path, dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .schema import Object

_MAX_ISSUES = 5


class InvalidArguments(Exception):
    """Arguments that break the declaration; the text names each of them, the rule and a right example."""


def check_arguments(declared: Object, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with their defaults filled. Raises InvalidArguments."""
    issues: list[Issue] = []
    checked: dict[str, Any] = declared.check(arguments, issues)
    if issues:
        raise InvalidArguments(_explain(declared, issues))
    return checked


def _explain(declared: Object, issues: list[Issue]) -> str:
    first = {dotted(issue.path): issue for issue in sorted(issues, key=by_path, reverse=True)}
    lines = [_explain_one(declared, first[path]) for path in sorted(first)[:_MAX_ISSUES]]
    if len(first) > _MAX_ISSUES:
        lines.append("and %d more" % (len(first) - _MAX_ISSUES))
    return "Invalid arguments: " + "; ".join(lines) + "."


def _explain_one(declared: Object, issue: Issue) -> str:
    if issue.rule == "strict-unknown-key":
        return "%s: unknown argument, this tool takes %s" % (
            _shown(issue.path),
            ", ".join(declared.fields),
        )
    field = declared.fields[issue.path[0]]
    example = ', for example "%s": %s' % (issue.path[0], field.example) if field.example else ""
    return "%s: %s%s" % (_shown(issue.path), issue.message, example)


def _shown(path: list[str]) -> str:
    """A path as the caller wrote it, cut to a sane length, control and invisible characters escaped."""
    text = dotted(path)[:80]
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text) or '""'
