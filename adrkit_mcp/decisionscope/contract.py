"""The contract: three tools, their arguments and how `tools/list` shows them.

What they answer is the endpoint's and is passed on as it comes, so that no `outputSchema` is promised.
"""

from __future__ import annotations

from ..arguments import check_arguments
from ..schema import Choice, Form, Integer, Object, Text, defaulted, optional, required

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_QUESTION = Text(form=Form(str.strip, "a question that is not blank"))
_TYPE = Choice("action_item", "follow_up", "decision")
_FILTER = Text(minimum=1)

ARGUMENTS = {
    "query_decision": Object({
        "question": required(
            _QUESTION,
            "The question about a decision, in natural language.",
            '"Are we still shipping the new onboarding flow?"',
        ),
        "type": optional(_TYPE, "Only records of this type.", '"decision"'),
        "owner": optional(_FILTER, "Only records that this person owns.", '"Priya"'),
        "area": optional(_FILTER, "Only records of this area.", '"billing"'),
        "surface": optional(_FILTER, "Only records from this surface.", '"jira"'),
    }),
    "list_decision_changes": Object({
        "since": optional(
            _FILTER,
            "Cursor of the last answer, unchanged. Omit it to start from now; 0_ is the beginning.",
            '"0_"',
        ),
        "limit": defaulted(Integer(1, 200), 50, "Changes on a page, 1-200.", "50"),
    }),
    "whoami": Object({}),
}  # fmt: skip

_SHOWN = {
    "query_decision": (
        "Ask what was decided",
        "Before you act on a plan, ask the organization's decision record what was actually "
        "decided. The result is found (the answer is in answer), found_record (it is in "
        "subject.currentAnswer, which may be null) or no_record. Act only on an answer that is not "
        "blank; in every other case hold, do not proceed. A record.reason that starts with "
        "record_unavailable: means that the record could not be read: hold, and ask again later.",
    ),
    "list_decision_changes": (
        "List changed decisions",
        "List the decisions whose state changed since a cursor, in order: changes, cursor, "
        "has_more. Pass cursor on unchanged as since of the next call; while has_more is true "
        "there may be more, and an empty page is the end. A first call without since lists "
        "nothing and gives the cursor of now.",
    ),
    "whoami": (
        "Show the token's organization",
        "Show the organization (org_id) and the scopes of the configured token: call it to check "
        "the set-up.",
    ),
}
_ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": True,
}


def definition(name: str) -> dict[str, Any]:
    """A tool as `tools/list` shows it."""
    title, description = _SHOWN[name]
    return {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": ARGUMENTS[name].json_schema(),
        "annotations": dict(_ANNOTATIONS),
    }


def check(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments to forward: those that were given, no defaults added. Raises InvalidArguments."""
    checked = check_arguments(ARGUMENTS[name], arguments)
    return {name: value for name, value in checked.items() if name in arguments}
