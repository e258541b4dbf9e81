"""The seal, attacked from inside a tool call in each way that it is to refuse, and what it cannot refuse."""

import json
import os
import re
import subprocess
import sys
import unittest
import zipfile

from tests.security import attacks
from tests.support import ENVELOPE, PROJECT, Repository, record

with open(
    os.path.join(PROJECT, "tests", "decisionscope", "certificates", "authority.pem")
) as _file:
    CERTIFICATE = _file.read()
HERE = os.path.dirname(os.path.abspath(__file__))
#: What may be on stderr for a refusal: that it was refused, and which tool failed for it.
REFUSED = re.compile(r"adrkit-mcp: sealed: refused [a-z_A-Z./0-9]+")
FAILED = re.compile(r"adrkit-mcp: tool \w+ failed: \w+ in \S+, line \d+")


def message(id, method, **params):
    params["_meta"] = ENVELOPE
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n"


class Sealed:
    """A running `sealed_server.py`; a context at whose end it has to end well."""

    def __init__(self, base, *words):
        self._errors = os.path.join(base, "stderr")
        self._id = 0
        with open(self._errors, "wb") as errors:
            self._popen = subprocess.Popen(
                [sys.executable, "-I", os.path.join(HERE, "sealed_server.py"), base, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=os.path.join(base, "repo"),
                encoding="utf-8",
            )
        self._seen = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        out, _ = self._popen.communicate(timeout=20)
        if kind is None:
            assert (self._popen.returncode, out) == (0, ""), (self._popen.returncode, out)

    def call(self, tool, **arguments):
        """(result, the lines on stderr) of a call."""
        self._id += 1
        self._popen.stdin.write(message(self._id, "tools/call", name=tool, arguments=arguments))
        self._popen.stdin.flush()
        line = self._popen.stdout.readline()
        with open(self._errors, encoding="utf-8") as errors:
            errors.seek(self._seen)
            lines = errors.read().splitlines()
            self._seen = errors.tell()
        assert line, lines
        answer = json.loads(line)
        assert answer["id"] == self._id, answer
        return answer["result"], lines


def tree(base):
    """Everything below a directory: path -> (mode, owner, size, time, content)."""
    found = {}
    for folder, folders, names in os.walk(base):
        for name in folders + names:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            content = ""
            if name in names and not os.path.islink(path):
                with open(path, "rb") as file:
                    content = file.read()
            found[path] = status.st_mode, status.st_uid, status.st_size, status.st_mtime_ns, content
    return found


class SealTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self).add(record())
        self.base = self.repository.base
        at = attacks.Place(self.base)
        os.makedirs(at.folder)
        os.makedirs(at.corpus + "-private")
        planted = "open(%r, 'w').close()\n" % at.new
        for path, content in (
            (at.secret, "secret"),
            (at.certificate, CERTIFICATE),
            (at.module, planted),
            (os.path.join(at.root, ".git", "config"), ""),
            (os.path.join(at.root, "docs", "plan.md"), "secret"),
            (os.path.join(at.corpus + "-private", "0001-record.md"), "secret"),
        ):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        with zipfile.ZipFile(at.archive, "w") as archive:
            archive.writestr("planted.py", planted)
        if hasattr(os, "symlink"):
            os.symlink(at.secret, at.link)

    def assertRefused(self, server, name):
        result, lines = server.call("search_decisions", query=name)
        self.assertTrue(result.get("isError"), result)
        self.assertIn("error of the server", result["content"][0]["text"])
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], REFUSED)
        result, lines = server.call("get_decision", ref="0001")
        self.assertEqual(result["structuredContent"]["result"]["outcome"], "found")
        self.assertEqual(lines, [])

    def assertAllRefused(self, names):
        before = tree(self.base)
        with Sealed(self.base) as server:
            before.update(
                (path, entry) for path, entry in tree(self.base).items() if "stderr" in path
            )
            for name in names:
                with self.subTest(name):
                    self.assertRefused(server, name)
        after = tree(self.base)
        self.assertEqual(
            {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)},
            {os.path.join(self.base, "stderr")},
        )

    def test_network(self):
        self.assertAllRefused(attacks.NETWORK)

    def test_processes(self):
        self.assertAllRefused(attacks.PROCESSES)

    def test_foreign_code(self):
        self.assertAllRefused(attacks.FOREIGN_CODE)

    def test_writes(self):
        self.assertAllRefused(attacks.WRITES)

    def test_reads(self):
        self.assertAllRefused(attacks.READS)

    def test_reads_while_the_corpus_is_read(self):
        with Sealed(self.base) as server:
            for name in attacks.READS_WHILE_LOADING:
                with self.subTest(name):
                    server.call("search_decisions", query=name)  # arms the next
                    result, lines = server.call("list_superseded")
                    self.assertTrue(result.get("isError"), result)
                    self.assertEqual(len(list(filter(REFUSED.fullmatch, lines))), 1, lines)
                    result, lines = server.call("get_decision", ref="0001")
                    self.assertFalse(result.get("isError"))
                    self.assertEqual(lines, [])

    def test_modules_that_lead_there(self):
        with Sealed(self.base, "bare") as server:
            for name in attacks.MODULES:
                with self.subTest(name):
                    result, lines = server.call("search_decisions", query=name)
                    self.assertTrue(result.get("isError"), result)
                    self.assertTrue(lines)
                    for line in lines:
                        self.assertTrue(REFUSED.fullmatch(line) or FAILED.fullmatch(line), lines)
                    self.assertFalse(server.call("get_decision", ref="0001")[0].get("isError"))
        self.assertFalse(os.path.exists(attacks.Place(self.base).new))

    def test_what_is_swallowed_is_told_all_the_same(self):
        with Sealed(self.base) as server:
            for name in attacks.SWALLOWED:
                with self.subTest(name):
                    result, lines = server.call("search_decisions", query=name)
                    self.assertFalse(result.get("isError"), lines)
                    self.assertEqual(len(lines), 1)
                    self.assertRegex(lines[0], REFUSED)

    @unittest.skipIf(sys.version_info >= (3, 15), "known of the versions before")
    def test_what_an_audit_hook_does_not_see(self):
        """The limits that the README tells: should one of these be refused one day, tell it there."""
        with Sealed(self.base) as server:
            for name in attacks.UNSEEN:
                with self.subTest(name):
                    result, lines = server.call("search_decisions", query=name)
                    self.assertEqual((result.get("isError"), lines), (None, []))
                    self.assertIn("got through", result["content"][0]["text"])


if __name__ == "__main__":
    unittest.main()
