"""The registry of the four tools, and the one way in which each of them is called."""

from __future__ import annotations

from ..arguments import InvalidArguments, check_arguments
from ..corpus.roots import CorpusUnavailable
from . import get_decision, get_decision_context, list_superseded, search_decisions
from .cursor import InvalidCursor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..corpus.loader import Corpus

#: In the order in which they are listed.
TOOLS = {
    module.NAME: module
    for module in (get_decision, get_decision_context, list_superseded, search_decisions)
}

_ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


def definition(name: str) -> dict[str, Any]:
    """A tool as `tools/list` shows it."""
    module = TOOLS[name]
    shown = {
        "name": name,
        "title": module.TITLE,
        "description": module.DESCRIPTION,
        "inputSchema": module.ARGUMENTS.json_schema(),
        "outputSchema": module.OUTPUT,
        "annotations": dict(_ANNOTATIONS),
    }
    meta = getattr(module, "META", None)
    return dict(shown, _meta=meta) if meta else shown


def check(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A tool's arguments with defaults filled; touches no file. Raises InvalidArguments."""
    return check_arguments(TOOLS[name].ARGUMENTS, arguments)


def call(name: str, corpus: Corpus, checked: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """(summary, structured content) of one call with checked arguments, on the corpus as it is now."""
    try:
        projection = corpus.load()
    except CorpusUnavailable as error:
        result = {"outcome": "corpus-unavailable", "reason": error.reason, "message": str(error)}
        return "The decisions cannot be read now: %s." % error, {"result": result}
    try:
        answer = TOOLS[name].answer(projection, checked)
    except InvalidCursor as error:
        result = {"outcome": "invalid-cursor", "reason": error.reason, "message": str(error)}
        return "The cursor cannot be used: %s." % error, {
            "corpusHealth": projection.health(),
            "result": result,
        }
    return answer.summary, {"corpusHealth": projection.health(), "result": answer.result}


__all__ = ["TOOLS", "InvalidArguments", "call", "check", "definition"]
