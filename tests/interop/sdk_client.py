"""Drives a server with the official Python SDK, 1.x or 2.x, whichever this interpreter has.

    python3 tests/interop/sdk_client.py -- python3 -m adrkit_mcp --cwd . --dir tests/corpora/own

Every mode of connecting that the SDK has gets a process of its own. The corpus must hold a record
0001. Exit 0 when the server answered all as it should and ended in silence; otherwise 1, after one
line for each thing that was wrong.
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
from mcp import StdioServerParameters
from mcp.shared import exceptions

TOOLS = ["get_decision", "get_decision_context", "list_superseded", "search_decisions"]
CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("search_decisions", {"query": "yaml"}, "results"),
    ("get_decision", {"ref": "0001"}, "found"),
    ("get_decision_context", {"files": ["adrkit_mcp/corpus/yaml_subset.py"]}, "matches"),
    ("list_superseded", {}, "entries"),
]
BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("search_decisions", {}, "query"),
    ("search_decisions", {"query": "yaml", "limit": 1000}, "limit"),
    ("get_decision", {"ref": 1}, "ref"),
    ("get_decision_context", {"files": ["/etc/passwd"]}, "files"),
    ("list_superseded", {"unheard_of": 1}, "unheard_of"),
]
INVALID_PARAMS = -32602
MODERN = "2026-07-28"
SECONDS = 60

SDK_VERSION = version("mcp")
#: The mode of connecting, and the revision that it must arrive at.
MODES = (
    {"handshake": "2025-11-25"}
    if SDK_VERSION.startswith("1.")
    else {"legacy": "2025-11-25", "auto": MODERN, MODERN: MODERN}
)
McpError: type[Exception] = getattr(exceptions, "MCPError", None) or exceptions.McpError


class Problems(logging.Handler):
    """What was wrong, in order; the SDK's own complaints included, as it logs what it cannot read."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append("the SDK complains: " + record.getMessage())

    def expect(self, holds: bool, text: str) -> None:
        if not holds:
            self.lines.append(text)


@asynccontextmanager
async def connect(parameters: StdioServerParameters, mode: str) -> AsyncIterator[tuple[Any, str]]:
    """A client with `list_tools` and `call_tool`, and the revision it speaks."""
    if mode != "handshake":
        from mcp import Client

        async with Client(parameters, mode=mode) as client:
            yield client, client.protocol_version
        return
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client

    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        yield session, str((await session.initialize()).protocolVersion)


def wire(result: Any) -> dict[str, Any]:
    """A result of the SDK's, with the names it has on the wire."""
    members: dict[str, Any] = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return members


async def check_tools(client: Any, problems: Problems) -> None:
    tools = wire(await client.list_tools())["tools"]
    names = [tool["name"] for tool in tools]
    problems.expect(names == TOOLS, f"tools are {names}")
    for tool in tools:
        read_only = tool.get("annotations", {}).get("readOnlyHint")
        problems.expect(read_only is True, f"{tool['name']} is not marked as read-only")
        problems.expect("outputSchema" in tool, f"{tool['name']} has no outputSchema")


async def check_calls(client: Any, problems: Problems) -> None:
    """The SDK itself checks `structuredContent` against the tool's `outputSchema`, and raises."""
    for tool, arguments, outcome in CALLS:
        result = wire(await client.call_tool(tool, arguments))
        problems.expect(not result.get("isError"), f"{tool} {arguments} is an error: {result}")
        structured = result.get("structuredContent", {})
        got = structured.get("result", {}).get("outcome")
        problems.expect(got == outcome, f"{tool} {arguments} has outcome {got}, not {outcome}")
        problems.expect("corpusHealth" in structured, f"{tool} {arguments} has no corpusHealth")
        texts = [block.get("text", "") for block in result.get("content", [])]
        copied = bool(texts) and json.loads(texts[-1]) == structured
        problems.expect(copied, f"{tool} {arguments} does not repeat its answer as text")


async def check_refusals(client: Any, problems: Problems) -> None:
    for tool, arguments, name in BAD_CALLS:
        result = wire(await client.call_tool(tool, arguments))
        text = " ".join(block.get("text", "") for block in result.get("content", []))
        named = result.get("isError") is True and name in text
        problems.expect(named, f"{tool} {arguments} does not refuse {name}: {result}")
        bare = "structuredContent" not in result
        problems.expect(bare, f"{tool} {arguments} is refused with structuredContent")
    try:
        result = wire(await client.call_tool("no_such_tool", {}))
    except McpError as error:
        code = error.error.code  # type: ignore[attr-defined]
        problems.expect(code == INVALID_PARAMS, f"an unknown tool gives error {code}")
    else:
        problems.expect(False, f"an unknown tool gives a result: {result}")


async def check_subscription(client: Any, problems: Problems) -> None:
    """Nothing is ever announced, so a subscription is acknowledged and promises nothing."""
    async with client.listen(tools_list_changed=True) as subscription:
        honored = wire(subscription.honored)
        problems.expect(not honored, f"a subscription promises {honored}")


async def run(command: list[str], mode: str, revision: str, problems: Problems) -> None:
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, "exit.json")
        recorder = str(Path(__file__).with_name("record_exit.py"))
        parameters = StdioServerParameters(
            command=sys.executable, args=[recorder, str(record), *command]
        )
        try:
            with anyio.fail_after(SECONDS):
                async with connect(parameters, mode) as (client, spoken):
                    problems.expect(spoken == revision, f"the revision is {spoken}")
                    await check_tools(client, problems)
                    await check_calls(client, problems)
                    await check_refusals(client, problems)
                    if revision == MODERN:
                        await check_subscription(client, problems)
        except Exception as error:
            problems.lines.append(describe(error))
        if not record.exists():
            problems.lines.append("the server did not end when its input did")
            return
        ended = json.loads(record.read_text(encoding="utf-8"))
        silent = {"returncode": 0, "stderr": ""}
        problems.expect(ended == silent, f"the server ended with {ended}")


def describe(error: BaseException) -> str:
    """What an error says first; of a task group's, what those inside say."""
    inner = getattr(error, "exceptions", None)
    if inner:
        return "; ".join(map(describe, inner))
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0][:300]}"


def main(words: list[str]) -> int:
    if words[:1] != ["--"] or len(words) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    wrong = 0
    for mode, revision in MODES.items():
        problems = Problems()
        logging.getLogger().addHandler(problems)
        anyio.run(run, words[1:], mode, revision, problems)
        logging.getLogger().removeHandler(problems)
        for line in problems.lines or ["as expected"]:
            print(f"mcp {SDK_VERSION}, {mode}: {line}")
        wrong += len(problems.lines)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
