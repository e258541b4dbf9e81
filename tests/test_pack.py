"""The archives and what belongs to a release: reproducible, complete, and in step with each other."""

import ast
import hashlib
import io
import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile
import zlib
from unittest import mock

from adrkit_mcp import __version__
from adrkit_mcp.pack import entry
from adrkit_mcp.pack.__main__ import main
from adrkit_mcp.pack.archive import zip_archive
from adrkit_mcp.pack.deflate import deflate
from adrkit_mcp.pack.modules import needed_files
from adrkit_mcp.pack.untyped import untyped

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAIN = "__main__.py"
HELLO = "def main():\n    print('hello')\n    return 3\n"


def directory(test):
    path = os.path.realpath(tempfile.mkdtemp(prefix="adrkit-mcp-test-"))
    test.addCleanup(shutil.rmtree, path)
    return path


def write(root, files):
    for name, text in files.items():
        path = os.path.join(root, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)


def read(*path):
    with open(os.path.join(*path), "rb") as stream:
        return stream.read()


class Deflate(unittest.TestCase):
    def assert_inflates(self, data):
        self.assertEqual(zlib.decompress(deflate(data), -15), data)

    def test_any_bytes_come_back(self):
        rng = random.Random(1)
        for size in (0, 1, 2, 3, 4, 1000):
            for alphabet in (1, 2, 256):
                with self.subTest(size=size, alphabet=alphabet):
                    self.assert_inflates(bytes(rng.randrange(alphabet) for _ in range(size)))

    def test_matches_of_every_length(self):
        for length in range(3, 262):
            with self.subTest(length=length):
                word = bytes(range(1, 256)) + b"abcdefgh"
                self.assert_inflates(word[:length] + b"\0" + word[:length])

    def test_matches_at_far_distances_and_not_beyond_the_window(self):
        for distance in [2**power + nudge for power in range(2, 16) for nudge in (-1, 0, 1)]:
            with self.subTest(distance=distance):
                self.assert_inflates(b"word" + bytes(max(0, distance - 4)) + b"word")

    def test_source_shrinks_to_half(self):
        source = read(PROJECT, "adrkit_mcp", "mcp", "server.py")
        self.assertLess(len(deflate(source)), len(source) / 2)


class Modules(unittest.TestCase):
    def needed(self, files, entry="p.a"):
        root = directory(self)
        write(root, {"p/__init__.py": "", **files})
        return sorted(needed_files(root, entry))

    def test_imports_wherever_they_are(self):
        files = {
            "p/a.py": "import p.b\ndef f():\n    if f:\n        from . import c\n",
            "p/b.py": "from .d import name\n",
            "p/c.py": "",
            "p/d.py": "",
            "p/e.py": "",
        }
        self.assertEqual(
            self.needed(files), ["p/__init__.py", "p/a.py", "p/b.py", "p/c.py", "p/d.py"]
        )

    def test_packages_bring_their_parents(self):
        files = {
            "p/a.py": "from .s.m import x",
            "p/s/__init__.py": "",
            "p/s/m.py": "from ..b import y",
            "p/b.py": "",
        }
        self.assertEqual(
            self.needed(files), ["p/__init__.py", "p/a.py", "p/b.py", "p/s/__init__.py", "p/s/m.py"]
        )

    def test_a_package_imports_relative_to_itself(self):
        files = {
            "p/a.py": "from . import s",
            "p/s/__init__.py": "from .m import x",
            "p/s/m.py": "",
            "p/m.py": "",
        }
        self.assertEqual(
            self.needed(files), ["p/__init__.py", "p/a.py", "p/s/__init__.py", "p/s/m.py"]
        )

    def test_not_what_only_type_checkers_import(self):
        files = {
            "p/a.py": "if TYPE_CHECKING:\n    from . import b\nelse:\n    from . import c\n",
            "p/b.py": "",
            "p/c.py": "",
        }
        self.assertEqual(self.needed(files), ["p/__init__.py", "p/a.py", "p/c.py"])

    def test_not_what_the_library_imports_when_called(self):
        files = {
            "p/__init__.py": "from . import b\ndef f():\n    from . import c\n",
            "p/a.py": "",
            "p/b.py": "",
            "p/c.py": "",
        }
        self.assertEqual(self.needed(files), ["p/__init__.py", "p/a.py", "p/b.py"])

    def test_the_standard_library_stays_outside(self):
        self.assertEqual(
            self.needed({"p/a.py": "import os\nfrom json import loads"}),
            ["p/__init__.py", "p/a.py"],
        )

    def test_a_module_that_is_missing_is_an_error(self):
        for text in ("from .nothing import x", "import p.nothing.x"):
            with self.subTest(text), self.assertRaisesRegex(ValueError, "nothing"):
                self.needed({"p/a.py": text})

    def test_a_folder_that_is_no_package_is_an_error(self):
        with self.assertRaisesRegex(ValueError, r"p\.s"):
            self.needed({"p/a.py": "from .s.m import x", "p/s/m.py": ""})


class WithoutTypes(ast.NodeTransformer):
    """Does to a syntax tree what `untyped` does to its text."""

    def visit_arg(self, node):
        node.annotation = None
        return node

    def visit_FunctionDef(self, node):
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node):
        return ast.Assign([node.target], node.value) if node.value else ast.Pass()

    def visit_If(self, node):
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = [ast.Pass()]
        return self.generic_visit(node)

    def visit_ImportFrom(self, node):
        return None if node.module == "__future__" else node


class Untyped(unittest.TestCase):
    def test_what_is_left_out(self):
        for typed, expected in (
            (
                "def f(a: int, *b: str, c: x = 1, **d: y) -> z: pass",
                "def f(a, *b, c = 1, **d): pass",
            ),
            ("async def f() -> list[int]:\n    return 1", "async def f():\n    return 1"),
            ("def f(\n    a: int,  # why\n) -> int: pass", "def f(\n    a,  # why\n): pass"),
            ("def f(a=lambda b: b, c=' -> '): pass", "def f(a=lambda b: b, c=' -> '): pass"),
            ("def f(é: int): pass", "def f(é): pass"),
            ("a: int = 1; b: str = 'é'; c: int = 2", "a = 1; b = 'é'; c = 2"),
            ("a.b: int = 1", "a.b = 1"),
            ("class A:\n    a: int\n    b = 1", "class A:\n    pass\n    b = 1"),
            ("'Doc -> x: y'\n# a: int", "'Doc -> x: y'\n# a: int"),
            ("from __future__ import annotations\na = 1", "\na = 1"),
            (
                "if TYPE_CHECKING:\n    import a\n    b: int\nelse:\n    c: int = 1",
                "if TYPE_CHECKING:\n    pass\n\nelse:\n    c = 1",
            ),
        ):
            with self.subTest(typed):
                self.assertEqual(untyped(typed.encode()).decode(), expected)


class Archive(unittest.TestCase):
    def members(self, files, mtime=0, **options):
        archive = zipfile.ZipFile(io.BytesIO(zip_archive(files, mtime, **options)))
        self.assertIsNone(archive.testzip())
        return archive.infolist()

    def test_names_are_sorted(self):
        names = [
            member.filename for member in self.members({"b": b"", "a/b": b"", "a": b"", "A": b""})
        ]
        self.assertEqual(names, ["A", "a", "a/b", "b"])

    def test_content_comes_back(self):
        data = zip_archive({"a": b"first " * 9, "b": b""}, 0, b"#!prefix\n", stored=("b",))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.assertEqual((archive.read("a"), archive.read("b")), (b"first " * 9, b""))
        self.assertTrue(data.startswith(b"#!prefix\nPK"))

    def test_what_is_to_be_stored_is_not_compressed(self):
        members = self.members({"a": b"x" * 99, "b": b"x" * 99}, stored=("b",))
        self.assertEqual([member.compress_size for member in members][1], 99)
        self.assertLess(members[0].compress_size, 99)

    def test_times_are_of_the_epoch_asked_for(self):
        for mtime, expected in (
            (0, (1980, 1, 1, 0, 0, 0)),
            (1_000_000_000, (2001, 9, 9, 1, 46, 40)),
            (1_000_000_001, (2001, 9, 9, 1, 46, 40)),
            (4_354_819_200, (2107, 12, 31, 23, 59, 58)),
        ):
            with self.subTest(mtime):
                self.assertEqual(self.members({"a": b""}, mtime)[0].date_time, expected)

    def test_modes_are_of_plain_files(self):
        self.assertEqual(
            stat.filemode(self.members({"a": b""})[0].external_attr >> 16), "-rw-r--r--"
        )


class Entry(unittest.TestCase):
    def archive(self, module="p.a", name="x.pyz", **files):
        """An archive of a package p, packed as the programs are."""
        sources = {"__init__": "", "a": HELLO, **files}
        source = read(entry.__file__) + ('\nstart("program", "%s", 7)\n' % module).encode()
        files = {"p/%s.py" % stem: text.encode() for stem, text in sources.items()}
        path = os.path.join(directory(self), name)
        with open(path, "wb") as stream:
            stream.write(zip_archive({MAIN: source, **files}, 0, b"#!\n", (MAIN,)))
        return path

    def run_archive(self, path, *options, **settings):
        result = subprocess.run(
            [sys.executable, *options, path], capture_output=True, timeout=30, **settings
        )
        return result.returncode, result.stdout.decode().split(), result.stderr.decode()

    def test_exits_with_what_main_returns(self):
        self.assertEqual(self.run_archive(self.archive(), "-I"), (3, ["hello"], ""))

    def test_runs_from_anywhere(self):
        path = self.archive(name="with a space.pyz")
        os.chmod(path, 0o444)
        folder, name = os.path.split(path)
        self.assertEqual(self.run_archive(name, "-I", cwd=folder)[1], ["hello"])
        self.assertEqual(self.run_archive(path, "-I", cwd=directory(self))[1], ["hello"])

    @unittest.skipUnless(hasattr(os, "symlink") and os.name == "posix", "links take a privilege")
    def test_runs_through_a_link(self):
        link = os.path.join(directory(self), "link")
        os.symlink(self.archive(), link)
        self.assertEqual(self.run_archive(link, "-I")[1], ["hello"])

    def test_modules_know_where_they_are(self):
        text = "def main():\n    print(__file__, __name__, __package__)\n"
        path = self.archive(a=text)
        self.assertEqual(
            self.run_archive(path, "-I")[1], [os.path.join(path, "p", "a.py"), "p.a", "p"]
        )

    def test_survives_that_the_file_is_replaced(self):
        text = (
            "import sys\ndef main():\n    open(sys.argv[0], 'wb').close()\n"
            "    from . import b\n    print(b.x)\n"
        )
        self.assertEqual(self.run_archive(self.archive(a=text, b="x = 1"), "-I"), (0, ["1"], ""))

    def test_an_interrupt_is_no_traceback(self):
        path = self.archive(a="def main():\n    raise KeyboardInterrupt")
        self.assertEqual(self.run_archive(path, "-I"), (7, [], ""))

    def test_a_missing_module_is_an_import_error(self):
        code, _, err = self.run_archive(self.archive(a="from . import nothing"), "-I")
        self.assertEqual((code, err.split("\n")[-2][:11]), (1, "ImportError"))

    def test_runs_nothing_of_the_current_directory(self):
        hostile = directory(self)
        write(
            hostile,
            {name + ".py": "print('hostile')" for name in ("colorsys", "p", "zlib", "zipimport")},
        )
        path = self.archive(a="import colorsys\n" + HELLO)
        inner = os.path.join(hostile, "lib")
        shutil.copytree(hostile, inner)
        for variable in (".", hostile, "", os.pathsep, "lib", inner):
            with self.subTest(variable):
                environment = dict(os.environ, PYTHONPATH=variable)
                # without `site`, since what a distribution hooks into it imports before the archive
                result = self.run_archive(path, "-S", cwd=hostile, env=environment)
                self.assertEqual(result, (3, ["hello"], ""))

    def test_a_python_that_is_too_old_is_told(self):
        with (
            mock.patch.object(sys, "version_info", (3, 8, 18)),
            self.assertRaises(SystemExit) as raised,
        ):
            entry.start("program", "p.a", 7)
        self.assertRegex(
            raised.exception.code, r"\Aprogram needs Python 3\.9 or later; this is 3\.8\.18: .+\Z"
        )


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.out = tempfile.mkdtemp(prefix="adrkit-mcp-test-")
        cls.addClassCleanup(shutil.rmtree, cls.out)
        with mock.patch.dict(os.environ):
            os.environ.pop("SOURCE_DATE_EPOCH", None)
            assert main([cls.out]) == 0

    def server(self):
        return json.loads(read(self.out, "server.json"))

    def names(self, program):
        with zipfile.ZipFile(os.path.join(self.out, program + ".pyz")) as archive:
            return archive.namelist()

    def test_another_build_has_the_same_bytes(self):
        out = os.path.join(directory(self), "new", "folder")
        with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="315532800"):
            self.assertEqual(main([out]), 0)
        for name in ("adrkit-mcp.pyz", "decisionscope.pyz", "SHA256SUMS", "server.json"):
            with self.subTest(name):
                self.assertEqual(read(out, name), read(self.out, name))

    def test_the_epoch_asked_for_is_in_the_archive(self):
        out = directory(self)
        with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="1000000000"):
            self.assertEqual(main([out]), 0)
        with zipfile.ZipFile(os.path.join(out, "adrkit-mcp.pyz")) as archive:
            self.assertEqual({member.date_time[0] for member in archive.infolist()}, {2001})

    def test_a_wrong_command_line_writes_nothing(self):
        for words in (["a", "b"], ["--help"]):
            with self.subTest(words), mock.patch("sys.stderr", io.StringIO()) as err:
                self.assertEqual(main(words), 2)
                self.assertIn("usage", err.getvalue())

    def test_sums_are_of_the_archives(self):
        expected = "".join(
            "%s  %s\n" % (hashlib.sha256(read(self.out, name)).hexdigest(), name)
            for name in ("adrkit-mcp.pyz", "decisionscope.pyz")
        )
        self.assertEqual(read(self.out, "SHA256SUMS").decode(), expected)

    def test_archives_are_small_executable_sources(self):
        for program in ("adrkit-mcp", "decisionscope"):
            with self.subTest(program):
                path = os.path.join(self.out, program + ".pyz")
                self.assertLess(os.path.getsize(path), 150_000)
                self.assertTrue(read(path).startswith(b"#!/usr/bin/env python3\n"))
                self.assertEqual(
                    {os.path.splitext(name)[1] for name in self.names(program)}, {".py"}
                )
                if os.name == "posix":
                    self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o755)

    def test_archives_hold_the_source_without_types(self):
        for program in ("adrkit-mcp", "decisionscope"):
            with zipfile.ZipFile(os.path.join(self.out, program + ".pyz")) as archive:
                for name in archive.namelist():
                    if name == MAIN:
                        continue
                    with self.subTest(program=program, name=name):
                        source, packed = read(PROJECT, *name.split("/")), archive.read(name)
                        self.assertEqual(len(packed.splitlines()), len(source.splitlines()))
                        expected = WithoutTypes().visit(ast.parse(source))
                        self.assertEqual(ast.dump(ast.parse(packed)), ast.dump(expected))

    def test_each_archive_leaves_out_the_other_program(self):
        local = ("adrkit_mcp/decisionscope/", "adrkit_mcp/pack/", "adrkit_mcp/mcp/pool.py")
        self.assertEqual([name for name in self.names("adrkit-mcp") if name.startswith(local)], [])
        remote = (
            "adrkit_mcp/tools/",
            "adrkit_mcp/affects/",
            "adrkit_mcp/cli.py",
            "adrkit_mcp/pack/",
        )
        self.assertEqual(
            [name for name in self.names("decisionscope") if name.startswith(remote)], []
        )

    def test_archives_run(self):
        for program in ("adrkit-mcp", "decisionscope"):
            with self.subTest(program):
                command = [
                    sys.executable,
                    "-I",
                    os.path.join(self.out, program + ".pyz"),
                    "--version",
                ]
                self.assertEqual(
                    subprocess.check_output(command).decode().split(), [program, __version__]
                )

    def test_the_server_s_archive_is_its_library_too(self):
        repository = directory(self)
        write(repository, {".git": "", "docs/adr/0001-x.md": ""})
        program = (
            "import sys; sys.path.insert(0, sys.argv[1]); import adrkit_mcp\n"
            "adrkit_mcp.create_server(sys.argv[2]).start()"
        )
        archive = os.path.join(self.out, "adrkit-mcp.pyz")
        done = subprocess.run(
            [sys.executable, "-I", "-c", program, archive, repository],
            input=b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{'
            b'"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
            b'"io.modelcontextprotocol/clientCapabilities":{}}}}\n',
            capture_output=True,
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(len(json.loads(done.stdout)["result"]["tools"]), 4)

    def test_the_local_server_imports_no_network(self):
        repository = directory(self)
        write(repository, {".git": "", "docs/adr/0001-x.md": ""})
        # without `site`, since what a distribution hooks into it imports before the archive
        python = [sys.executable, "-I", "-S", "-X", "importtime"]
        for command in ([], ["call", "list_superseded", "{}"]):
            with self.subTest(command):
                result = subprocess.run(
                    [
                        *python,
                        os.path.join(self.out, "adrkit-mcp.pyz"),
                        *command,
                        "--cwd",
                        repository,
                    ],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                )
                names = re.findall(r"\| +(\S+)$", result.stderr.decode(), re.MULTILINE)
                self.assertIn("adrkit_mcp.corpus.roots", names)
                network = {"_socket", "socket", "ssl", "http", "urllib", "asyncio", "subprocess"}
                self.assertEqual(network.intersection(names), set())

    def test_server_json_is_what_the_registry_accepts(self):
        server = self.server()
        self.assertLessEqual(len(server["description"]), 100)
        self.assertLessEqual(len(server["title"]), 100)
        self.assertRegex(server["name"], r"\A[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+\Z")
        pypi, image = server["packages"]
        self.assertEqual((pypi["registryType"], image["registryType"]), ("pypi", "oci"))
        self.assertNotIn("version", image)

    def test_one_version_everywhere(self):
        server = self.server()
        pypi, image = server["packages"]
        dockerfile = read(PROJECT, "Dockerfile").decode()
        self.assertEqual((server["version"], pypi["version"]), (__version__, __version__))
        self.assertTrue(image["identifier"].endswith(":" + __version__))
        labels = re.findall(r'org\.opencontainers\.image\.version="(.*?)"', dockerfile)
        self.assertEqual(labels, [__version__] * 2)

    def test_one_name_everywhere(self):
        server = self.server()
        dockerfile = read(PROJECT, "Dockerfile").decode()
        self.assertIn('io.modelcontextprotocol.server.name="%s"' % server["name"], dockerfile)
        self.assertIn('image.source="%s"' % server["repository"]["url"], dockerfile)
        self.assertIn('image.description="%s"' % server["description"], dockerfile)
        self.assertIn("<!-- mcp-name: %s -->" % server["name"], read(PROJECT, "README.md").decode())
        project = read(PROJECT, "pyproject.toml").decode()
        self.assertIn('\nname = "%s"\n' % server["packages"][0]["identifier"], project)


if __name__ == "__main__":
    unittest.main()
