"""The tools as `tools/list` shows them."""

from __future__ import annotations

from . import implementation
from .shapes import OUTPUTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


def definition(name: str) -> dict[str, Any]:
    """The member of `tools/list` of the tool with this name."""
    tool = implementation(name)
    shown = {
        "name": name,
        "title": tool.TITLE,
        "description": tool.DESCRIPTION,
        "inputSchema": tool.ARGUMENTS.json_schema(),
        "outputSchema": OUTPUTS[name],
        "annotations": dict(_ANNOTATIONS),
    }
    meta = getattr(tool, "META", None)
    return dict(shown, _meta=meta) if meta else shown
