"""A server that does nothing but what no answer can do without: the floor below the benchmark's figures.

    python3 -m tests.bench -- python3 -m tests.bench.floor

Each call lists the corpus directory, opens, reads and compares every file, examines each once more, and
hashes all of it when something changed. It checks no argument, parses no record, is not sealed, and sends
the same 5 KiB of text, twice as answers carry it. What the real server takes more than this is what
there is to gain with this interpreter.
"""

from __future__ import annotations

import json
import os
import sys
from hashlib import sha256
from operator import attrgetter

FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
TEXT = json.dumps([{"id": "0001", "title": "Use one queue", "sourcePath": "docs/adr/x.md"}] * 64)
ANSWER = json.dumps(
    {"content": [{"type": "text", "text": TEXT}], "structuredContent": json.loads(TEXT)}
)
signature = attrgetter("st_dev", "st_ino", "st_size", "st_mtime_ns", "st_ctime_ns")


class Corpus:
    def __init__(self, root: str) -> None:
        self._path = os.path.join(root, "docs", "adr")
        self._known: dict[str, tuple[bytes, tuple[int, ...]]] = {}

    def load(self) -> None:
        directory = os.open(self._path, os.O_RDONLY)
        with os.scandir(directory) as entries:
            names = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
        changed = False
        for name in names if names != self._known.keys() else self._known:
            descriptor = os.open(name, FLAGS, dir_fd=directory)
            content = self._known[name][0] if name in self._known else b""
            now = os.read(descriptor, len(content) + 1)
            if now != content:
                now += os.read(descriptor, 65_536)
                self._known[name] = now, signature(os.fstat(descriptor))
                changed = True
            os.close(descriptor)
        for name, (_, then) in self._known.items():
            if signature(os.stat(name, dir_fd=directory, follow_symlinks=False)) != then:
                raise SystemExit("the corpus changed during a load")
        os.close(directory)
        if changed:
            digest = sha256()
            for content, _ in self._known.values():
                digest.update(content)
            digest.hexdigest()


def main() -> None:
    corpus = Corpus(sys.argv[sys.argv.index("--cwd") + 1])
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" not in message:
            continue
        if message["method"] == "tools/call":
            corpus.load()
        answer = '{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (message["id"], ANSWER)
        os.write(1, answer.encode())


if __name__ == "__main__":
    main()
