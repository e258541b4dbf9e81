"""A program that serves stub tools on its standard streams: stub_server.py [inline|banner|pool|library]."""

import os
import sys
import time
from functools import partial

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from adrkit_mcp.mcp import stdio
from adrkit_mcp.mcp.calls import Tool, ToolResult
from adrkit_mcp.mcp.server import Server

LIMIT = 1024 * 1024
diagnostics = stdio.Diagnostics("stub")


def echo(arguments):
    return ToolResult("said", {"arguments": arguments})


def sleep(arguments):
    time.sleep(arguments["seconds"])
    return ToolResult("slept")


def big(arguments):
    return ToolResult("x" * arguments["size"])


def print_(arguments):
    print("printed")
    os.write(1, b"written\n")
    sys.stdout.flush()
    return ToolResult("printed")


def crash(arguments):
    raise RuntimeError("secret")


def stop(arguments):
    transport.stop()
    return ToolResult("stopping")


def peak(arguments):
    with open("/proc/self/status") as status:
        return ToolResult(next(line.split()[1] for line in status if line.startswith("VmHWM")))


def load_tools():
    calls = {"echo": echo, "sleep": sleep, "big": big, "print": print_, "crash": crash}
    calls.update(stop=stop, peak=peak)
    return [
        Tool(name, partial(dict, name=name, inputSchema={"type": "object"}), call)
        for name, call in calls.items()
    ]


def serve_in_a_thread():
    import signal
    import threading

    print("before", flush=True)
    former = signal.getsignal(signal.SIGINT)
    restore = stdio.handle_signals(transport.stop)
    thread = threading.Thread(target=lambda: codes.append(transport.run()))
    codes = []
    thread.start()
    thread.join()
    restore()
    assert signal.getsignal(signal.SIGINT) is former
    print("after", codes[0], transport.received)


mode = sys.argv[1] if len(sys.argv) > 1 else "inline"
server = Server("stub", "1.2.3", "Call echo.", load_tools, diagnostics)
if mode == "pool":
    from adrkit_mcp.mcp.pool import PooledTransport

    transport = PooledTransport(server, diagnostics, LIMIT, patience=1)
else:
    transport = stdio.StdioTransport(server, diagnostics, LIMIT)
if mode == "library":
    serve_in_a_thread()
else:
    if mode == "banner":
        sys.stdout.write("a banner in the buffer")
    os._exit(stdio.serve(transport))
