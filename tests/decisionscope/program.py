"""The program as users start it, in an environment that holds nothing but what a test gives it."""

import json
import os
import subprocess
import sys

from tests.decisionscope.service import CANARY
from tests.mcp.support import initialize, modern, request
from tests.support import PROJECT

COMMAND = [sys.executable, "-m", "adrkit_mcp.decisionscope"]
SECONDS = 20


def environment(**variables):
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return {**kept, "PYTHONPATH": PROJECT, "SSL_CERT_DIR": os.devnull, **variables}


def assert_no_token(output):
    """Not even the beginning of the token is printed, in whatever case."""
    assert CANARY[:8].lower().encode() not in output.lower(), output


def run(*words, cwd=PROJECT, stdin=b"", **variables):
    """A finished run; the token is proven to be in none of its output."""
    ended = subprocess.run(
        [*COMMAND, *words],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(**variables),
        timeout=SECONDS,
    )
    assert_no_token(ended.stdout + ended.stderr)
    return ended


def start(*words, **variables):
    """A running program with pipes on its streams."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, *words],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        cwd=PROJECT,
        env=environment(**variables),
    )


def stop(process):
    """End a program that a test has left running, and close its pipes."""
    if process.poll() is None:
        process.kill()
    process.communicate()


class Session:
    """A client of `decisionscope mcp` in one era; a context that leaves no process behind."""

    def __init__(self, era="modern", **variables):
        self._make = modern if era == "modern" else request
        self.process = start("mcp", **variables)
        if era == "legacy":
            self.send(initialize())
            assert self.read()["id"] == 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        stop(self.process)

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, id, method, **params):
        self.send(self._make(id, method, **params))

    def call(self, id, name, **arguments):
        self.ask(id, "tools/call", name=name, arguments=arguments)

    def cancel(self, id):
        params = {"requestId": id}
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    def read(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), self.process.stderr.read()
        assert_no_token(line)
        return json.loads(line)

    def end(self):
        """(exit code, messages, stderr) once the input is closed."""
        out, err = self.process.communicate(timeout=SECONDS)
        assert_no_token(out + err)
        return self.process.returncode, [json.loads(line) for line in out.splitlines()], err
