"""A stub server as a process, to be driven over real pipes."""

import json
import os
import subprocess
import sys

from tests.mcp.support import initialize, line, request

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stub_server.py")


def call(id, name, **arguments):
    return request(id, "tools/call", name=name, arguments=arguments)


def lines(*messages):
    return b"".join(line(message) + b"\n" for message in messages)


class Process:
    """A running stub server; a context that leaves no process behind."""

    def __init__(self, mode="inline", stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options):
        options.setdefault("stderr", subprocess.PIPE)
        command = [sys.executable, "-I", SCRIPT, mode]
        self.popen = subprocess.Popen(command, stdin=stdin, stdout=stdout, bufsize=0, **options)
        self._buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.popen.kill()
        self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if stream is not None:
                stream.close()

    def write(self, data):
        rest = memoryview(data)
        while rest:
            rest = rest[self.popen.stdin.write(rest) :]

    def send(self, *messages):
        self.write(lines(*messages))

    def read_line(self):
        """The next line of output, decoded."""
        while b"\n" not in self._buffer:
            chunk = os.read(self.popen.stdout.fileno(), 65536)
            assert chunk, "the output ended"
            self._buffer += chunk
        first, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(first)

    def ask(self, message):
        self.send(message)
        return self.read_line()

    def open_session(self):
        assert "result" in self.ask(initialize())
        return self

    def end(self, data=b""):
        """(exit code, answers, stderr) once more input was written and stdin closed."""
        out, err = self.popen.communicate(data, timeout=20)
        return self.popen.returncode, decode(self._buffer + out), err

    def exit(self):
        """(exit code, answers, stderr) of a process that ends by itself."""
        out, err = self.popen.stdout.read(), self.popen.stderr.read()
        return self.popen.wait(20), decode(self._buffer + out), err


def decode(output):
    """The messages of some output, which must be whole lines."""
    assert not output or output.endswith(b"\n"), output[-100:]
    assert b"\r" not in output
    return [json.loads(message) for message in output.split(b"\n")[:-1]]


def converse(data, mode="inline"):
    """(exit code, answers, stderr) of a process fed those bytes."""
    with Process(mode) as process:
        return process.end(data)
