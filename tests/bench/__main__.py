"""A benchmark of the server against the machine's own limits.

    python3 -m tests.bench [--records 100,1000] [--rounds 9] [--json] [-- COMMAND ...]

COMMAND starts a server (default: this package with this Python); `--cwd CORPUS` is appended. Every time is a
median, and told as a ratio to something that the same machine does in the same run, since times of
different machines and of different hours say little about each other:

  start    from spawn to the answer of `initialize`, to a bare `python3 -I -c pass`
  first    the first search, to reading every byte of the corpus once
  warm     a later call of each tool, to the same
  edit     a search after one record was rewritten, to the same
  memory   peak resident size, in MiB

Where the time goes (1,000 records of 5 KiB, CPython 3.11 on Linux, in units of one read of the corpus): a
warm call lists the directory (0.1), opens, reads and compares every file (0.4) and examines each (0.2); a
search goes through the normalized texts until its page is full, which takes up to 0.4 more. After an edit
the hash of the whole corpus (0.5) comes on top. Of a first call imports without bytecode take about 30 %,
reading the frontmatter 25 %, reading and examining the files 20 %, making records 10 %, the hash 5 %.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = "ledger buoy tide quay harbour crane pilot lantern anchor ferry dredge beacon mooring hull".split()
PROJECT = Path(__file__).resolve().parent.parent.parent


def write_corpus(root: Path, count: int) -> Path:
    """A repository of `count` records of about 5 KiB, the same for the same count."""
    chosen = random.Random(count)
    directory = root / "docs" / "adr"
    directory.mkdir(parents=True)
    (root / ".git").mkdir()
    for number in range(1, count + 1):
        title = " ".join(chosen.sample(WORDS, 3))
        superseded = number > 1 and chosen.random() < 0.1
        status = "superseded" if superseded else chosen.choice(["accepted", "proposed", "rejected"])
        successor = 'supersededBy: "%04d"\n' % (number - 1) if superseded else ""
        paragraphs = [" ".join(chosen.choices(WORDS, k=70)) for _ in range(10)]
        (directory / ("%04d-%s.md" % (number, title.replace(" ", "-")))).write_text(
            f'---\nid: "{number:04d}"\ntitle: Use the {title}\nstatus: {status}\ndate: 2026-11-30\n'
            f'deciders: ["@ana", "team:harbour"]\ntags: [{chosen.choice(WORDS)}]\n{successor}'
            f'affects:\n  - type: path\n    pattern: "src/{chosen.choice(WORDS)}/**"\n'
            f"provenance:\n  authoredBy: human\n---\n\n# {title}\n\n"
            + "\n\n".join(paragraphs)
            + "\n",
            encoding="utf-8",
        )
    return directory


def read_corpus(directory: Path) -> float:
    """Seconds to read every byte once, with as little around it as Python can do."""
    started = time.perf_counter()
    for name in sorted(os.listdir(directory)):
        descriptor = os.open(directory / name, os.O_RDONLY)
        os.fstat(descriptor)
        os.read(descriptor, 65_537)
        os.close(descriptor)
    return time.perf_counter() - started


class Client:
    """A server process and a connection to it."""

    def __init__(self, command: list[str]) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT
        )
        self._id = 0

    def request(self, method: str, params: dict) -> float:
        """Seconds until the answer, which has to be a result."""
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        started = time.perf_counter()
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        took = time.perf_counter() - started
        if "result" not in answer or answer["result"].get("isError"):
            raise SystemExit("unexpected answer: %s" % json.dumps(answer)[:500])
        return took

    def initialize(self) -> float:
        """Seconds from the spawn to the answer."""
        client = {"name": "bench", "version": "0"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        self.request("initialize", params)
        return time.perf_counter() - self.started

    def call(self, tool: str, **arguments: object) -> float:
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def peak_mib(self) -> float | None:
        """Peak resident size, where the system tells it."""
        try:
            status = Path("/proc/%d/status" % self.process.pid).read_text()
        except OSError:
            return None
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if "VmHWM" in line)

    def close(self) -> None:
        self.process.stdin.close()
        if self.process.wait(10) != 0:
            raise SystemExit("the server ended with %d" % self.process.returncode)


def measure_start(command: list[str], rounds: int) -> float:
    ratios = []
    for _ in range(rounds):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)
        bare = time.perf_counter() - started
        client = Client(command)
        ratios.append(client.initialize() / bare)
        client.close()
    return statistics.median(ratios)


def measure(command: list[str], count: int, rounds: int) -> dict[str, float | None]:
    """All figures for one size of corpus."""
    with tempfile.TemporaryDirectory() as temporary:
        directory = write_corpus(Path(temporary), count)
        command = [*command, "--cwd", temporary]
        unit = statistics.median(read_corpus(directory) for _ in range(rounds))
        figures: dict[str, float | None] = {"records": count, "read_ms": unit * 1000}
        figures["start"] = measure_start(command, rounds)
        client = Client(command)
        client.initialize()
        figures["first"] = client.call("search_decisions", query="tide quay") / unit
        calls = {
            "search": lambda: client.call("search_decisions", query="tide quay"),
            "get": lambda: client.call("get_decision", ref="%04d" % count),
            "context": lambda: client.call("get_decision_context", files=["src/tide/a.ts"]),
            "superseded": lambda: client.call("list_superseded"),
        }
        for name, call in calls.items():
            call()
            figures["warm " + name] = statistics.median(call() for _ in range(rounds)) / unit
        edits = []
        for path in sorted(directory.iterdir())[:rounds]:
            with path.open("a", encoding="utf-8") as record:
                record.write("\nEdited.\n")
            edits.append(calls["search"]())
        figures["edit"] = statistics.median(edits) / unit
        figures["memory_mib"] = client.peak_mib()
        client.close()
    return figures


def show(figures: dict[str, float | None]) -> None:
    print("%d records, one read %.1f ms" % (figures["records"], figures["read_ms"]))
    for name, value in figures.items():
        if name not in ("records", "read_ms") and value is not None:
            unit = "MiB" if name == "memory_mib" else "x"
            print("  %-16s %8.2f %s" % (name.partition("_")[0], value, unit))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.bench", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--records", default="100,1000")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true", help="one JSON list instead of tables")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = [word for word in options.command if word != "--"] or [
        sys.executable,
        "-m",
        "adrkit_mcp",
    ]
    measured = [
        measure(command, int(count), options.rounds) for count in options.records.split(",")
    ]
    if options.json:
        print(json.dumps(measured))
    else:
        for figures in measured:
            show(figures)


if __name__ == "__main__":
    main()
