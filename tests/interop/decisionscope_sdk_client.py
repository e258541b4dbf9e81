"""Drives `decisionscope mcp` with the official Python SDK, 1.x or 2.x, whichever this interpreter has.

    python3 tests/interop/decisionscope_sdk_client.py -- python3 -m adrkit_mcp.decisionscope

Behind it stands the tests' own endpoint, over TLS; then one that is made with the SDK itself, answering
as JSON and as an event stream. Exit 0 when all went as it should and the program ended in silence each
time; otherwise 1, after one line for each thing that was wrong.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from mcp import StdioServerParameters
from sdk_client import MODES, SDK_VERSION, SECONDS, Problems, connect, describe, wire

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.decisionscope.service import (  # noqa: E402
    CANARY,
    Service,
    Visit,
    answering,
    failing,
    structured,
)

TOOLS = ["query_decision", "list_decision_changes", "whoami"]
FOUND = {"result": "found", "answer": "Yes, on Monday.", "confidence": 0.9, "due_at": None}
PAGE = {"changes": [], "cursor": "7_", "has_more": False}
OWNER = {"org_id": "acme", "scopes": ["mcp:read"]}
DATA = {"query_decision": FOUND, "list_decision_changes": PAGE, "whoami": OWNER}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("query_decision", {"question": "Do we ship?", "type": "decision"}),
    ("list_decision_changes", {"since": "0_", "limit": 200}),
    ("whoami", {}),
]
AT_A_TIME = 8


def reply(visit: Visit) -> None:
    """What the tests' endpoint answers: the data of the tool, or an error where the question is one."""
    params = visit.message["params"]
    if params["arguments"].get("owner") == "nobody":
        failing({"code": -32000, "message": "No such owner"})(visit)
    else:
        answering(structured(DATA[params["name"]]))(visit)


@contextmanager
def sdk_endpoint(as_json: bool) -> Iterator[str]:
    """The URL of an endpoint made with the SDK, which runs in this process."""
    if SDK_VERSION.startswith("1."):
        from mcp.server.fastmcp import FastMCP

        server: Any = FastMCP("record", stateless_http=True, json_response=as_json)
        make_app = server.streamable_http_app
    else:
        from mcp.server import MCPServer

        server = MCPServer("record")

        def make_app() -> Any:
            return server.streamable_http_app(stateless_http=True, json_response=as_json)

    @server.tool()  # type: ignore[untyped-decorator]
    def query_decision(question: str, type: str = "") -> dict[str, Any]:
        return FOUND

    @server.tool()  # type: ignore[untyped-decorator]
    def list_decision_changes(since: str = "", limit: int = 50) -> dict[str, Any]:
        return PAGE

    @server.tool()  # type: ignore[untyped-decorator]
    def whoami() -> dict[str, Any]:
        return OWNER

    runner = uvicorn.Server(uvicorn.Config(make_app(), log_level="error"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=runner.run, kwargs={"sockets": [listener]})
        thread.start()
        while not runner.started and thread.is_alive():
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        runner.should_exit = True
        thread.join()


async def check_tools(client: Any, problems: Problems) -> None:
    tools = wire(await client.list_tools())["tools"]
    names = [tool["name"] for tool in tools]
    problems.expect(names == TOOLS, f"tools are {names}")
    for tool in tools:
        read_only = tool.get("annotations", {}).get("readOnlyHint")
        problems.expect(read_only is True, f"{tool['name']} is not marked as read-only")


async def check_calls(client: Any, problems: Problems) -> None:
    for tool, arguments in CALLS:
        result = wire(await client.call_tool(tool, arguments))
        got = result.get("structuredContent")
        problems.expect(got == DATA[tool], f"{tool} gives {result}")
        texts = [block.get("text", "") for block in result.get("content", [])]
        copied = bool(texts) and json.loads(texts[0]) == DATA[tool]
        problems.expect(copied, f"{tool} does not repeat its answer as text")


async def check_failures(client: Any, problems: Problems) -> None:
    for arguments, expected in (
        ({"question": "Do we ship?", "owner": "nobody"}, "the endpoint answered: No such owner"),
        ({"question": " "}, "question"),
    ):
        result = wire(await client.call_tool("query_decision", arguments))
        text = " ".join(block.get("text", "") for block in result.get("content", []))
        told = result.get("isError") is True and expected in text
        problems.expect(told, f"{arguments} does not fail with {expected!r}: {result}")
        problems.expect(CANARY not in text, "the token is in an error")


async def check_many(client: Any, problems: Problems) -> None:
    async def call() -> None:
        result = wire(await client.call_tool("whoami", {}))
        problems.expect(result.get("structuredContent") == OWNER, f"one of many gives {result}")

    async with anyio.create_task_group() as group:
        for _ in range(AT_A_TIME * 3):
            group.start_soon(call)


async def run(
    command: list[str],
    environment: dict[str, str],
    mode: str,
    checks: tuple[Any, ...],
    problems: Problems,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, "exit.json")
        recorder = str(Path(__file__).with_name("record_exit.py"))
        parameters = StdioServerParameters(
            command=sys.executable, args=[recorder, str(record), *command, "mcp"], env=environment
        )
        try:
            with anyio.fail_after(SECONDS):
                async with connect(parameters, mode) as (client, spoken):
                    problems.expect(spoken == MODES[mode], f"the revision is {spoken}")
                    for check in checks:
                        await check(client, problems)
        except Exception as error:
            problems.lines.append(describe(error))
        if not record.exists():
            problems.lines.append("the program did not end when its input did")
            return
        ended = json.loads(record.read_text(encoding="utf-8"))
        silent = {"returncode": 0, "stderr": ""}
        problems.expect(ended == silent, f"the program ended with {ended}")


def report(name: str, command: list[str], environment: dict[str, str], *checks: Any) -> int:
    """Run the checks in every mode of connecting: how many things were wrong."""
    wrong = 0
    given = {"PYTHONPATH": str(ROOT), "SSL_CERT_DIR": os.devnull, **environment}
    for mode in MODES:
        problems = Problems()
        logging.getLogger().addHandler(problems)
        anyio.run(run, command, given, mode, (check_tools, check_calls, *checks), problems)
        logging.getLogger().removeHandler(problems)
        for line in problems.lines or ["as expected"]:
            print(f"mcp {SDK_VERSION}, {mode}, {name}: {line}")
        wrong += len(problems.lines)
    return wrong


def main(words: list[str]) -> int:
    if words[:1] != ["--"] or len(words) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    command = words[1:]
    with Service(reply) as service:
        given = service.environment()
        wrong = report("own endpoint", command, given, check_failures, check_many)
    for as_json in (True, False):
        with sdk_endpoint(as_json) as url:
            given = {"RITHMO_MCP_TOKEN": CANARY, "RITHMO_MCP_URL": url}
            name = "endpoint of the SDK, " + ("JSON" if as_json else "event stream")
            wrong += report(name, command, given)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
