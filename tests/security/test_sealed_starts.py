"""However the program is installed and started, the seal is on, and nothing it rightly does is refused."""

import json
import os
import shutil
import subprocess
import sys
import unittest
import venv
import zipfile

from tests.support import (
    ENVELOPE,
    PROJECT,
    Repository,
    accepted,
    environment,
    governing,
    record,
    superseded,
)

#: What the copy that is started here does at its search, beside searching.
ATTACK = """

def answer(projection, arguments, answer=answer):
    if arguments["query"] == "attack":
        open(%r)
    return answer(projection, arguments)
"""
CALLS = (
    ("search_decisions", {"query": "Éclair", "status": ["draft"]}),
    ("search_decisions", {"query": "queue", "limit": 1}),
    ("search_decisions", {"query": ""}),
    ("search_decisions", {"query": "queue", "cursor": "?"}),
    ("get_decision", {"ref": "0001"}),
    ("get_decision", {"ref": "core:0001"}),
    ("get_decision", {"ref": "9999"}),
    ("get_decision_context", {"files": ["src/a.py", "src/[x]/b.md", "docs/ü.txt"]}),
    ("list_superseded", {}),
    ("search_decisions", {"query": "attack"}),
)
SERVE_UNSEALED = (
    "import sys; from adrkit_mcp import create_server; create_server(*sys.argv[1:]).start()"
)


def requests():
    """A session in which everything is asked for, as bytes."""
    lines = [{"id": 0, "method": "tools/list", "params": {}}]
    lines += [
        {"id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for id, (name, arguments) in enumerate(CALLS, 1)
    ]
    for line in lines:
        line["jsonrpc"] = "2.0"
        line["params"]["_meta"] = ENVELOPE
    return "".join(json.dumps(line) + "\n" for line in lines).encode("ascii")


def fill(repository):
    repository.add(
        accepted(
            "0001", "Use one éclair queue", affects=governing("src/**/*.{py,md}", "docs/[!a]*")
        ),
        record("0002", "ÉCLAIR", externalRefs=[{"type": "doc", "url": "https://example.com/ü"}]),
        superseded("0003", "0001"),
        superseded("0004", "core:0001"),
        record("0005", "Use a queue", evaluation={"confidence": 0.1}),
    )
    repository.write("0006-broken.md", "---\na: [\n---\n")
    repository.write("0007-日本.md", record("0007"))
    repository.write("0008-large.md", "x" * 70_000)
    repository.write("below/deep/0009-record.md", record("0009"))
    return repository


class StartsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.repository = Repository(cls)
        fill(cls.repository)
        cls.secret = os.path.join(cls.repository.base, "secret")
        with open(cls.secret, "w"):
            pass
        cls.clone = os.path.join(cls.repository.base, "clone")
        cls.package = os.path.join(cls.clone, "adrkit_mcp")
        shutil.copytree(
            os.path.join(PROJECT, "adrkit_mcp"),
            cls.package,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        with open(os.path.join(cls.package, "tools", "search_decisions.py"), "a") as file:
            file.write(ATTACK % cls.secret)
        unsealed = [sys.executable, "-c", SERVE_UNSEALED]
        cls.expected = cls.serve(cls, unsealed, PYTHONPATH=cls.clone).stdout.splitlines()
        assert len(cls.expected) == len(CALLS) + 1
        shutil.rmtree(os.path.join(cls.package, "__pycache__"))

    @classmethod
    def addCleanup(cls, function, *arguments, **options):
        cls.addClassCleanup(function, *arguments, **options)

    def serve(self, command, **variables):
        words = [self.repository.root, self.repository.dir]
        if "-c" not in command:
            words = ["--cwd", words[0], "--dir", words[1]]
        variables = {"PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "", **variables}
        return subprocess.run(
            [*command, *words],
            input=requests(),
            capture_output=True,
            cwd=self.repository.base,
            env=environment(**variables),
            timeout=60,
        )

    def assertServes(self, command, **variables):
        """Sealed, and twice, since the second start finds the bytecode that the first left."""
        for _ in range(2):
            ended = self.serve(command, **variables)
            *answers, refusal = ended.stdout.splitlines()
            self.assertEqual(answers, self.expected[:-1], ended.stderr)
            self.assertIn(b'"isError":true', refusal)
            self.assertRegex(ended.stderr, rb"\Aadrkit-mcp: sealed: refused open\n")
            self.assertNotIn(b"sealed", ended.stderr.partition(b"\n")[2])
            self.assertEqual(ended.returncode, 0)

    def module(self, *options):
        return [sys.executable, *options, "-m", "adrkit_mcp"]

    def test_a_clone(self):
        self.assertServes(self.module(), PYTHONPATH=self.clone)

    def test_a_clone_without_bytecode(self):
        self.assertServes(self.module(), PYTHONPATH=self.clone, PYTHONDONTWRITEBYTECODE="1")

    def test_bytecode_kept_apart(self):
        apart = os.path.join(self.repository.base, "bytecode")
        self.assertServes(self.module(), PYTHONPATH=self.clone, PYTHONPYCACHEPREFIX=apart)
        self.assertTrue(os.listdir(apart))

    def test_bytecode_of_everything_kept_apart(self):
        apart = os.path.join(self.repository.base, "compiled")
        subprocess.run(
            [
                sys.executable,
                "-m",
                "compileall",
                "-q",
                self.package,
                os.path.dirname(json.__file__),
            ],
            env=environment(PYTHONPYCACHEPREFIX=apart),
            check=True,
        )
        self.assertServes(self.module(), PYTHONPATH=self.clone, PYTHONPYCACHEPREFIX=apart)

    def test_options_of_the_interpreter(self):
        for options in (["-OO"], ["-X", "dev", "-W", "error"]):
            with self.subTest(options):
                self.assertServes(self.module(*options), PYTHONPATH=self.clone)

    def test_a_single_file(self):
        subprocess.run(
            [sys.executable, "-m", "adrkit_mcp.pack", self.repository.base],
            cwd=self.clone,
            env=environment(PYTHONPATH=self.clone, SOURCE_DATE_EPOCH="0"),
            check=True,
        )
        archive = os.path.join(self.repository.base, "adrkit-mcp.pyz")
        self.assertServes([sys.executable, archive])
        self.assertServes([sys.executable, "-I", "adrkit-mcp.pyz"])

    def test_a_plain_archive(self):
        archive = os.path.join(self.repository.base, "adrkit_mcp.zip")
        with zipfile.ZipFile(archive, "w") as file:
            for folder, _, names in os.walk(self.package):
                for name in names:
                    path = os.path.join(folder, name)
                    file.write(path, os.path.relpath(path, self.clone))
        self.assertServes(self.module(), PYTHONPATH=archive)

    def test_installed(self):
        home = os.path.join(self.repository.base, "venv")
        venv.create(home, symlinks=os.name == "posix")
        folder = "Scripts" if os.name == "nt" else "bin"
        python = os.path.join(home, folder, os.path.basename(sys.executable))
        packages = next(path for path, _, _ in os.walk(home) if path.endswith("site-packages"))
        shutil.copytree(self.package, os.path.join(packages, "adrkit_mcp"))
        self.assertServes([python, "-I", "-m", "adrkit_mcp"])
        script = os.path.join(home, folder, "adrkit-mcp")
        with open(script, "w") as file:
            file.write("import sys\nfrom adrkit_mcp.__main__ import main\nsys.exit(main())\n")
        self.assertServes([python, script])


@unittest.skipUnless(hasattr(os, "symlink"), "no symbolic links")
class MovedTest(unittest.TestCase):
    def test_a_linked_folder_that_is_pointed_elsewhere_while_serving(self):
        from tests.support import Client

        repository = Repository(self, "first").add(record("0001"))
        other = os.path.join(repository.root, "second")
        os.mkdir(other)
        with open(os.path.join(other, "0002-record.md"), "w") as file:
            file.write(record("0002"))
        link = os.path.join(repository.root, "adr")
        os.symlink("first", link)
        with Client(repository.root, "adr") as client:
            for target in ("first", "second", "first"):
                os.unlink(link)
                os.symlink(target, link)
                items = client.structured("search_decisions", query="queue")["result"]["items"]
                self.assertEqual([item["sourcePath"].split("/")[0] for item in items], [target])
            os.unlink(link)
            os.symlink(repository.base, link)
            result = client.structured("list_superseded")["result"]
            self.assertEqual(result["reason"], "dir-outside-root")


if __name__ == "__main__":
    unittest.main()
