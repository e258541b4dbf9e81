"""The registry of the four tools, and the one way in which each of them is called."""

from __future__ import annotations

from ..arguments import InvalidArguments, check_arguments
from ..corpus.roots import CorpusUnavailable
from .cursor import InvalidCursor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from ..corpus.loader import Corpus
    from ..corpus.projection import Projection
    from ..schema import Object
    from .answer import Answer

    class Implementation(Protocol):
        """What the module of each tool holds. Some hold `META` too, the `_meta` of their definition."""

        TITLE: str
        DESCRIPTION: str
        ARGUMENTS: Object

        def answer(self, projection: Projection, arguments: dict[str, Any]) -> Answer: ...


#: Their names, in the order in which they are listed.
TOOLS = ("get_decision", "get_decision_context", "list_superseded", "search_decisions")


def implementation(name: str) -> Implementation:
    """The module of the tool with this name, one of TOOLS; imported when it is first asked for."""
    if name == "get_decision":
        from . import get_decision

        return get_decision
    if name == "get_decision_context":
        from . import get_decision_context

        return get_decision_context
    if name == "list_superseded":
        from . import list_superseded

        return list_superseded
    from . import search_decisions

    return search_decisions


def check(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A tool's arguments with defaults filled; touches no file. Raises InvalidArguments."""
    return check_arguments(implementation(name).ARGUMENTS, arguments)


def call(name: str, corpus: Corpus, checked: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """(summary, structured content) of one call with checked arguments, on the corpus as it is now.

    The content is to be written as JSON: where the JSON of a part is at hand, an `Encoded` stands for it.
    """
    try:
        projection = corpus.load()
    except CorpusUnavailable as error:
        result = {"outcome": "corpus-unavailable", "reason": error.reason, "message": str(error)}
        return "The decisions cannot be read now: %s." % error, {"result": result}
    try:
        answer = implementation(name).answer(projection, checked)
    except InvalidCursor as error:
        result = {"outcome": "invalid-cursor", "reason": error.reason, "message": str(error)}
        return "The cursor cannot be used: %s." % error, {
            "corpusHealth": projection.health(),
            "result": result,
        }
    return answer.summary, {"corpusHealth": projection.health(), "result": answer.result}


__all__ = ["TOOLS", "InvalidArguments", "call", "check", "implementation"]
