"""What the seal costs a warm call, beside the same server without it and with a hook that does nothing.

    python3 -m tests.bench.seal [--records 100,1000] [--rounds 200]

The three servers are asked in turn, in random order, so that all of them meet the machine in the same moods;
and on one processor where the system allows, since a wake-up across two takes longer than the seal.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path

from tests.bench.__main__ import Client, write_corpus

_START = "from adrkit_mcp import cli, service; service.seal = %s; cli.main()"
SERVERS = {
    "no hook": [sys.executable, "-c", _START % "lambda *args: None"],
    "empty hook": [
        sys.executable,
        "-c",
        "import sys; " + _START % "lambda *args: sys.addaudithook(lambda *event: None)",
    ],
    "seal": [sys.executable, "-m", "adrkit_mcp"],
}
CALLS = {
    "search_decisions": {"query": "tide quay"},
    "get_decision": {"ref": "0001"},
    "get_decision_context": {"files": ["src/tide/a.ts"]},
    "list_superseded": {},
}


def measure(count: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        write_corpus(Path(temporary), count)
        clients = {name: Client([*start, "--cwd", temporary]) for name, start in SERVERS.items()}
        for client in clients.values():
            client.initialize()
        print("%d records" % count)
        for tool, arguments in CALLS.items():
            times: dict[str, list[float]] = {name: [] for name in clients}
            for client in clients.values():
                client.call(tool, **arguments)
            for _ in range(rounds):
                for name in random.sample(list(clients), len(clients)):
                    times[name].append(clients[name].call(tool, **arguments))
            bare, *hooked = (statistics.median(times[name]) for name in SERVERS)
            told = "   ".join(
                "%s +%.1f %%" % (name, (with_hook / bare - 1) * 100)
                for name, with_hook in zip(list(SERVERS)[1:], hooked)
            )
            print("  %-22s %7.2f ms   %s" % (tool, bare * 1000, told))
        for client in clients.values():
            client.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m tests.bench.seal")
    parser.add_argument("--records", default="100,1000")
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for count in options.records.split(","):
        measure(int(count), options.rounds)


if __name__ == "__main__":
    main()
