"""Tools, and the calls of them that are waiting or running."""

from __future__ import annotations

from .. import jsontext
from . import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Any

    Envelope = Callable[[dict[str, Any]], dict[str, Any]]


class Tool:
    """A tool: its name, what makes its member of `tools/list`, and the function that takes its arguments."""

    __slots__ = ("call", "define", "name")

    def __init__(
        self,
        name: str,
        define: Callable[[], dict[str, Any]],
        call: Callable[[dict[str, Any]], ToolResult],
    ) -> None:
        self.name = name
        self.define = define
        self.call = call


class ToolResult:
    """What a tool answers.

    `text` is the first text block; `structured`, when there is any, follows as a second block of
    JSON and as `structuredContent`: some clients show the model only the one, some only the other.
    `content` replaces both blocks, for a result that was made elsewhere.
    """

    __slots__ = ("content", "is_error", "structured", "text")

    def __init__(
        self,
        text: str,
        structured: dict[str, Any] | None = None,
        is_error: bool = False,
        content: list[Any] | None = None,
    ) -> None:
        self.text = text
        self.structured = structured
        self.is_error = is_error
        self.content = content

    def members(self) -> dict[str, Any]:
        """The members of the wire result. Raises TypeError when JSON cannot hold `structured`."""
        members: dict[str, Any] = {"content": self.content}
        if self.content is None:
            members["content"] = [{"type": "text", "text": self.text}]
        if self.structured is not None:
            copy = jsontext.dumps(self.structured)
            if self.content is None:
                members["content"].append({"type": "text", "text": copy})
            members["structuredContent"] = jsontext.Encoded(copy)
        if self.is_error:
            members["isError"] = True
        return members


class Work:
    """An answer still to be worked out, by the transport's own thread or by another."""

    __slots__ = ("_respond", "cancelled")

    def __init__(self, respond: Callable[[], bytes | None]) -> None:
        self._respond = respond
        self.cancelled = False

    def run(self) -> bytes | None:
        """The response, once; None when there is none to send, as after a cancellation."""
        # Lets go of what it knows, which may be this object itself and megabytes of arguments.
        respond, self._respond = self._respond, lambda: None
        response = None if self.cancelled else respond()
        return None if self.cancelled else response


class Calls:
    """The tools of one connection and its running calls.

    `load_tools` is called when the first request needs them. `envelope` puts the members of a result into
    the shape of the connection's era. `on_error` gets a line for each tool that fails.
    """

    def __init__(
        self,
        load_tools: Callable[[], Sequence[Tool]],
        envelope: Envelope,
        on_error: Callable[[str], None],
    ) -> None:
        self._tools = {tool.name: tool for tool in load_tools()}
        self._listing: jsontext.Encoded | None = None
        self._envelope = envelope
        self._on_error = on_error
        self._running: dict[tuple[type, jsonrpc.Id], Work] = {}

    def listing(self) -> jsontext.Encoded:
        """The tools as `tools/list` shows them."""
        if self._listing is None:
            shown = [tool.define() for tool in self._tools.values()]
            self._listing = jsontext.Encoded(jsontext.dumps(shown))
        return self._listing

    def call(self, request: jsonrpc.Request) -> Work:
        """The work of a `tools/call`. Raises Refusal."""
        name = request.params.get("name")
        if not isinstance(name, str):
            text = "name must be a string: the name of a tool"
            raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, text)
        tool = self._tools.get(name)
        if tool is None:
            text = "Unknown tool: " + jsonrpc.shown(name)
            raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, text)
        arguments = request.params.get("arguments", {})
        if not isinstance(arguments, dict):
            raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, "arguments must be an object")
        key = jsonrpc.id_key(request.id)

        def respond() -> bytes:
            response = self._run(tool, arguments, request.id)
            if self._running.get(key) is work:
                self._running.pop(key, None)  # a cancellation may have been quicker
            return response

        work = self._running[key] = Work(respond)
        return work

    def cancel(self, id: jsonrpc.Id) -> None:
        """Nothing is sent any more for a call that is waiting or running."""
        work = self._running.pop(jsonrpc.id_key(id), None)
        if work is not None:
            work.cancelled = True

    def _run(self, tool: Tool, arguments: dict[str, Any], id: jsonrpc.Id) -> bytes:
        try:
            return jsonrpc.result(id, self._envelope(tool.call(arguments).members()))
        except Exception as error:
            if not getattr(error, "is_told", False):
                self._on_error(f"tool {tool.name} failed: {describe(error)}")
            text = "The tool failed because of an error of the server, not of the call."
            return jsonrpc.result(id, self._envelope(ToolResult(text, is_error=True).members()))


def together(answers: Sequence[bytes | Work]) -> Work:
    """One batch of the answers to the members of a batch; no answer when there are none."""

    def respond() -> bytes | None:
        ready = [item.run() if isinstance(item, Work) else item for item in answers]
        responses = [item for item in ready if item is not None]
        return jsonrpc.batch(responses) if responses else None

    return Work(respond)


def describe(error: Exception) -> str:
    """The kind of an error and where it was raised; not its text, which may be private."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{type(error).__name__} in {file}, line {trace.tb_lineno}"
