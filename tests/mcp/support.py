"""Messages to send and a server of stub tools to send them to."""

import json
from functools import partial

from adrkit_mcp.mcp.calls import Tool, ToolResult, Work
from adrkit_mcp.mcp.server import Server

PREFIX = "io.modelcontextprotocol/"
INFO = {"name": "stub", "version": "1.2.3"}
SERVER_META = {PREFIX + "serverInfo": INFO}
NAMES = ["echo", "refuse", "crash", "ready", "unencodable"]


def envelope(**changes):
    """The `_meta` of a modern request; a member that is given as None is left out."""
    members = {"protocolVersion": "2026-07-28", "clientCapabilities": {}, **changes}
    return {PREFIX + name: value for name, value in members.items() if value is not None}


def request(id, method, **params):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def modern(id, method, **params):
    return request(id, method, **params, _meta=envelope())


def notification(method, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params}


def initialize(id=0, version="2025-11-25"):
    info = {"name": "client", "version": "0"}
    return request(id, "initialize", protocolVersion=version, capabilities={}, clientInfo=info)


def line(message):
    """A message as a line; bytes are taken for one already."""
    return message if isinstance(message, bytes) else json.dumps(message).encode()


def echo(arguments):
    return ToolResult("said", {"arguments": arguments})


def refuse(arguments):
    return ToolResult("query: must be a string", is_error=True)


def crash(arguments):
    raise RuntimeError("secret of /home/someone")


def ready(arguments):
    content = [{"type": "text", "text": "made elsewhere"}]
    return ToolResult("unused", {"n": 1}, content=content)


def unencodable(arguments):
    return ToolResult("", {"n": float("inf")})


TOOLS = [
    Tool(name, partial(dict, name=name, title=name.title(), inputSchema={"type": "object"}), call)
    for name, call in zip(NAMES, [echo, refuse, crash, ready, unencodable])
]


class Connection:
    """One connection to a server of the stub tools, with calls run at once."""

    def __init__(self, load_tools=lambda: TOOLS):
        self.errors = []
        self.server = Server(
            INFO["name"], INFO["version"], "Call echo.", load_tools, self.errors.append
        )

    def send_raw(self, message):
        """The lines that answer a line, as bytes."""
        answers = [
            answer.run() if isinstance(answer, Work) else answer
            for answer in self.server.receive(line(message))
        ]
        return [answer for answer in answers if answer is not None]

    def send(self, message):
        """The one answer to a line, decoded; None where there is none."""
        answers = self.send_raw(message)
        assert len(answers) <= 1, answers
        return json.loads(answers[0]) if answers else None

    def code(self, message):
        """The code of the error that answers a line; None if it is no error."""
        return (self.send(message) or {}).get("error", {}).get("code")
