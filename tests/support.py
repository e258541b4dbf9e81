"""A repository made for a test, and two ways to ask about it: in this process, and as a client does."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from adrkit_mcp.arguments import InvalidArguments
from adrkit_mcp.corpus.loader import Corpus
from adrkit_mcp.jsontext import dumps, loads
from adrkit_mcp.tools import call, check

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OWN_CORPUS = os.path.join(PROJECT, "tests", "corpora", "own")
COMMAND = [sys.executable, "-m", "adrkit_mcp"]
PREFIX = "io.modelcontextprotocol/"
CLIENT = {"name": "test", "version": "0"}
ENVELOPE = {
    PREFIX + "protocolVersion": "2026-07-28",
    PREFIX + "clientInfo": CLIENT,
    PREFIX + "clientCapabilities": {},
}


def record(id="0001", title="Use one queue", body="", **fields):
    """The text of a record; `fields` are added to the required ones, a field given as None is left out."""
    frontmatter = {"id": id, "title": title, "status": "draft", "date": "2026-01-02", **fields}
    lines = [
        "%s: %s"
        % (name if name.isidentifier() else json.dumps(name), json.dumps(value, ensure_ascii=False))
        for name, value in frontmatter.items()
        if value is not None
    ]
    return "---\n%s\n---\n%s" % ("\n".join(lines), body)


def accepted(id="0001", title="Use one queue", body="", **fields):
    return record(id, title, body, **{"status": "accepted", "deciders": ["@ana"], **fields})


def superseded(id, by, title="Use one queue", **fields):
    return record(id, title, status="superseded", supersededBy=by, **fields)


def governing(*patterns, **members):
    """The value of `affects` with a path matcher for each pattern."""
    return [{"type": "path", "pattern": pattern, **members} for pattern in patterns]


class Repository:
    """A repository in a temporary directory, removed at the end of the test."""

    def __init__(self, test, directory="docs/adr"):
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="adrkit-mcp-test-"))
        test.addCleanup(shutil.rmtree, self.base, ignore_errors=True)
        self.root = os.path.join(self.base, "repo")
        self.dir = directory
        self.corpus = Corpus(self.root, directory)
        os.makedirs(os.path.join(self.root, ".git"))
        os.makedirs(self.path(), exist_ok=True)

    def path(self, name=""):
        """The path of a file in the corpus directory, or of the directory."""
        return os.path.normpath(os.path.join(self.root, self.dir, name))

    def write(self, name, content=""):
        """Write a file of the corpus, text as UTF-8; its path."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def add(self, *sources):
        """Write records under names of their ids, in the order given; the repository."""
        for source in sources:
            id = source.split('"')[1]
            self.write("%s-record.md" % id, source)
        return self

    def load(self):
        """The projection as it is now, of a corpus that is kept."""
        return self.corpus.load()

    def call(self, tool, **arguments):
        """The structured content of a call in this process."""
        return _structured(tool, self.corpus, arguments)

    def result(self, tool, **arguments):
        """The outcome of a call in this process."""
        return self.call(tool, **arguments)["result"]

    def summary(self, tool, **arguments):
        """The summary line of a call in this process."""
        return call(tool, self.corpus, check(tool, arguments))[0]

    def fresh(self, tool, **arguments):
        """The structured content of the same call by a reader that has never read the corpus before."""
        return _structured(tool, Corpus(self.root, self.dir), arguments)

    def findings(self):
        """What the corpus says of itself: (rule, severity, path below the directory, id, field)."""
        prefix = self.dir + "/"
        keys = ("rule", "severity", "path", "id", "field")
        return [
            tuple((item.get(key) or "").replace(prefix, "") if key == "path" else item.get(key)
                  for key in keys)
            for item in self.load().findings
        ]  # fmt: skip

    def command(self, *words, **options):
        """A finished run of the command line on this repository, text in, text out."""
        return run("--cwd", self.root, "--dir", self.dir, *words, **options)


def _structured(tool, corpus, arguments):
    return loads(dumps(call(tool, corpus, check(tool, arguments))[1]))


def own_repository(test):
    """A repository with a copy of the project's own records, which also lie in archives without Git."""
    repository = Repository(test)
    shutil.copytree(OWN_CORPUS, repository.path(), dirs_exist_ok=True)
    return repository


def refusal(tool, **arguments):
    """The text that refuses arguments, "" for arguments that are right."""
    try:
        check(tool, arguments)
    except InvalidArguments as error:
        return str(error)
    return ""


def environment(**variables):
    """This process's environment without the server's own variables, able to find the package."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ADRKIT_")}
    return {**kept, "PYTHONPATH": PROJECT, **variables}


def run(*words, input="", cwd=PROJECT, **variables):
    """A finished run of the command line: `returncode`, `stdout`, `stderr` as text."""
    return subprocess.run(
        [*COMMAND, *words],
        input=input,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment(**variables),
        timeout=60,
    )


class Client:
    """A client of a server process, in one era; a context that ends the server and checks how it ended."""

    def __init__(self, root, directory, era="modern", cwd=PROJECT, **variables):
        self.era = era
        self._id = 0
        self._server = subprocess.Popen(
            [*COMMAND, *(("--cwd", root) if root else ()), "--dir", directory],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment(**variables),
        )

    def __enter__(self):
        """The client of a server that has started, which its first answer proves."""
        if self.era == "modern":
            self.hello = self.request("server/discover")
        else:
            self.hello = self.request(
                "initialize",
                {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT},
            )
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, kind, *rest):
        try:
            out, err = self._server.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self._server.kill()
            out, err = self._server.communicate()
        if kind is None:
            ended = (self._server.returncode, out, err)
            assert ended == (0, b"", b""), "the server did not end in silence: %r" % (ended,)

    def send(self, message):
        self._server.stdin.write(json.dumps(message).encode("ascii") + b"\n")
        self._server.stdin.flush()

    def request(self, method, params=None):
        """The answer to a request: a whole JSON-RPC message."""
        self._id += 1
        params = dict(params or {})
        if self.era == "modern":
            params["_meta"] = ENVELOPE
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        line = self._server.stdout.readline()
        assert line.endswith(b"\n"), "the server ended: %r" % self._server.stderr.read()
        answer = json.loads(line)
        assert answer["id"] == self._id, answer
        return answer

    def call(self, tool, **arguments):
        """The result of a call, its structured content proven to be what its text says."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        if not result.get("isError"):
            summary, copy = result["content"]
            assert json.loads(copy["text"]) == result["structuredContent"]
            assert len(summary["text"]) <= 512
        return result

    def structured(self, tool, **arguments):
        return self.call(tool, **arguments)["structuredContent"]


#: Root reads everything, Windows has other permissions: then a file cannot be made unreadable.
HAS_PERMISSIONS = hasattr(os, "geteuid") and os.geteuid() != 0
