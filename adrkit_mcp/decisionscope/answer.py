"""The answer of a tool, as the endpoint's result holds it."""

from __future__ import annotations

from .. import jsontext
from .failures import Failure, RemoteError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NOTHING = object()


class Answer:
    """`data`, the JSON value that was asked for, and `content`, the blocks of MCP that show it."""

    __slots__ = ("content", "data")

    def __init__(self, data: Any, content: list[Any]) -> None:
        self.data = data
        self.content = content

    @property
    def structured(self) -> dict[str, Any] | None:
        """The data, where it is an object: other values are no `structuredContent`."""
        return self.data if isinstance(self.data, dict) else None


def read_answer(result: Any) -> Answer:
    """The answer in the result of `tools/call`. A result that is not wrapped as in MCP is the data itself.

    Raises RemoteError for a result that is an error, and Failure for one that is only a question back.
    """
    if not isinstance(result, dict) or not _is_wrapped(result):
        return Answer(result, [_text_block(result)])
    if result.get("resultType", "complete") != "complete":
        raise Failure("the endpoint asks for more input, which this client cannot give")
    content = result.get("content")
    blocks: list[Any] = content if isinstance(content, list) else []
    if result.get("isError") is True:
        raise RemoteError(_joined(blocks) or jsontext.dumps(result))
    data = result.get("structuredContent")
    if data is None:
        return Answer(_data_of(blocks), blocks)
    if not any(_parsed(block) == data for block in blocks):
        blocks = [_text_block(data), *blocks]
    return Answer(data, blocks)


def _is_wrapped(result: dict[str, Any]) -> bool:
    return (
        isinstance(result.get("content"), list)
        or "structuredContent" in result
        or "resultType" in result
    )


def _text_block(data: Any) -> dict[str, str]:
    return {"type": "text", "text": jsontext.dumps(data)}


def _data_of(blocks: list[Any]) -> Any:
    """What the first text block says: JSON, or else the text itself; without one, the blocks."""
    for block in blocks:
        text = _text(block)
        if text is not None:
            data = _parsed(block)
            return text if data is _NOTHING else data
    return blocks


def _joined(blocks: list[Any]) -> str:
    return "\n".join(filter(None, map(_text, blocks)))


def _parsed(block: Any) -> Any:
    text = _text(block)
    try:
        return _NOTHING if text is None else jsontext.loads_exact(text)
    except jsontext.JsonError:
        return _NOTHING


def _text(block: Any) -> str | None:
    if not isinstance(block, dict) or block.get("type") != "text":
        return None
    text = block.get("text")
    return text if isinstance(text, str) else None
