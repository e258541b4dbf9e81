"""The README: every block marked `sh` works as it stands, and the others are what they say they are."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from adrkit_mcp.corpus.source import read_record

PROJECT = Path(__file__).resolve().parent.parent
TEXT = (PROJECT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


class Commands(unittest.TestCase):
    """Blocks marked `sh` run in order on a fresh copy; those marked `console` need more than that."""

    @unittest.skipUnless(os.name == "posix", "the blocks are for a POSIX shell")
    def test_every_command_works(self) -> None:
        with tempfile.TemporaryDirectory() as temporary:
            root = Path(temporary) / "a clone"
            for name in ("adrkit_mcp", "tests/corpora"):
                shutil.copytree(
                    PROJECT / name, root / name, ignore=shutil.ignore_patterns("__pycache__")
                )
            (root / ".git").mkdir()
            binaries = Path(temporary) / "bin"
            binaries.mkdir()
            (binaries / "python3").symlink_to(sys.executable)
            environment = {**os.environ, "PATH": "%s:%s" % (binaries, os.environ["PATH"])}
            for block in blocks("sh"):
                if "unittest" in block:
                    continue  # this very run
                with self.subTest(block):
                    done = subprocess.run(
                        ["bash", "-e", "-o", "pipefail", "-c", block],
                        cwd=root,
                        env=environment,
                        capture_output=True,
                        text=True,
                    )
                    self.assertEqual((0, ""), (done.returncode, done.stderr), done.stdout)
                    self.assertTrue(done.stdout)

    def test_the_shown_search_is_what_comes_out(self) -> None:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "adrkit_mcp", "call", "search_decisions"),
                *('{"query": "yaml"}', "--dir", "tests/corpora/own"),
            ],
            cwd=PROJECT,
            capture_output=True,
        )
        if not (PROJECT / ".git").exists():
            self.skipTest("not a clone: there is no .git")
        answer = json.loads(done.stdout)
        shown = json.loads(blocks("json")[0])
        self.assertEqual(
            shown["corpusHealth"]["recordCount"], answer["corpusHealth"]["recordCount"]
        )
        found = {(i["id"], i["title"], i["status"]) for i in answer["result"]["items"]}
        for item in shown["result"]["items"]:
            self.assertIn((item["id"], item["title"], item["status"]), found)


class Examples(unittest.TestCase):
    def test_json_is_json(self) -> None:
        for block in blocks("json"):
            with self.subTest(block):
                json.loads(block)

    def test_toml_is_toml(self) -> None:
        try:
            import tomllib
        except ImportError:
            self.skipTest("tomllib comes with Python 3.11")
        for block in blocks("toml"):
            with self.subTest(block):
                tomllib.loads(block)

    def test_python_compiles(self) -> None:
        for block in blocks("python"):
            with self.subTest(block):
                compile(block, "README.md", "exec")

    def test_the_shown_record_is_one(self) -> None:
        shown = [block for block in blocks("md") if block.startswith("---\n")]
        self.assertEqual(1, len(shown))
        record, findings = read_record(shown[0].encode(), "docs/adr/0007-adopt-postgres.md")
        self.assertEqual([], findings)
        self.assertIsNotNone(record)

    def test_the_only_comment_is_the_name_for_the_registry(self) -> None:
        self.assertEqual(
            ["mcp-name: io.github.adrkit-mcp/adrkit-mcp"], re.findall(r"<!-- (.*?) -->", TEXT)
        )


if __name__ == "__main__":
    unittest.main()
