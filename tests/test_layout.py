import ast
import os
import subprocess
import sys
import sysconfig
import unittest

from tests.support import PROJECT, Repository, accepted, environment, governing, superseded

PACKAGE = "adrkit_mcp"
#: What each part of the package may import of the others. The package itself is "".
ALLOWED = {
    "": {"handle"},
    "jsontext": set(),
    "digest": set(),
    "ecma": {"jsontext"},
    "whatwg_url": set(),
    "isolation": set(),
    "schema": {"ecma"},
    "arguments": {"schema"},
    "corpus": {"jsontext", "digest", "ecma", "schema", "whatwg_url"},
    "affects": {"ecma", "corpus"},
    "tools": {"jsontext", "digest", "ecma", "schema", "arguments", "corpus", "affects"},
    "mcp": {"jsontext"},
    "seal": {"corpus"},
    "console": {"jsontext"},
    "usage": set(),
    "settings": {"corpus"},
    "diagnosis": {"corpus", "settings"},
    "service": {"", "corpus", "tools", "mcp", "seal"},
    "handle": {"corpus", "mcp", "service"},
    "commands": {"jsontext", "console", "settings", "seal", "corpus", "affects", "tools"},
    "cli": {"", "console", "usage", "settings", "diagnosis", "corpus", "service", "commands"},
    "__main__": {"isolation", "cli"},
    "decisionscope": {"", "isolation", "jsontext", "schema", "arguments", "mcp"},
    "pack": {""},
}
#: Slow to import, and not needed to answer the first message.
SLOW = set("json re typing enum dataclasses argparse logging pathlib collections functools".split())


def modules():
    """(dotted name, path) of every module of the package."""
    for directory, _, names in os.walk(os.path.join(PROJECT, PACKAGE)):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(directory, name)
                dotted = os.path.relpath(path, PROJECT)[: -len(".py")].replace(os.sep, ".")
                yield dotted[: -len(".__init__")] if name == "__init__.py" else dotted, path


def imports(dotted, path):
    """The dotted names that a module imports, at its top or later, for types or to run."""
    with open(path, "rb") as file:
        tree = ast.parse(file.read())
    package = dotted if path.endswith("__init__.py") else dotted.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            yield from (base + "." + alias.name for alias in node.names)


def part(dotted):
    """The part of the package that a name of it belongs to: a module or a folder of it."""
    names = dotted.split(".")
    known = os.path.join(PROJECT, PACKAGE, *names[1:2])
    is_part = len(names) > 1 and (os.path.isdir(known) or os.path.isfile(known + ".py"))
    return names[1] if is_part else ""


def imported_parts():
    """(module, what it imports, part of the one, part of the other) for imports inside the package."""
    for dotted, path in modules():
        for target in imports(dotted, path):
            if target.split(".")[0] == PACKAGE:
                yield dotted, target, part(dotted), part(target)


class DirectionsTest(unittest.TestCase):
    def test_lower_parts_import_no_higher_ones(self):
        for dotted, target, own, other in imported_parts():
            with self.subTest(module=dotted, imports=target):
                self.assertTrue(own == other or other in ALLOWED[own])

    def test_there_is_no_way_round(self):
        reachable = {own: set(parts) for own, parts in ALLOWED.items()}
        for _ in ALLOWED:
            for parts in reachable.values():
                parts.update(*(reachable[other] for other in set(parts)))
        for own, parts in reachable.items():
            if own not in ("", "handle", "service"):  # the factory makes what service wires
                with self.subTest(own):
                    self.assertNotIn(own, parts)

    def test_every_part_has_its_place(self):
        self.assertEqual({part(dotted) for dotted, _ in modules()} - ALLOWED.keys(), set())

    def test_the_forwarding_client_knows_no_corpus(self):
        done = subprocess.run(
            [sys.executable, "-c",
             "import sys, adrkit_mcp.decisionscope.mcp, adrkit_mcp.decisionscope.cli\n"
             "print([m for m in sys.modules if m.startswith(('adrkit_mcp.corpus', 'adrkit_mcp.tools'))])"],
            env=environment(), capture_output=True, encoding="utf-8",
        )  # fmt: skip
        self.assertEqual((done.stdout, done.stderr), ("[]\n", ""))


class LibraryTest(unittest.TestCase):
    def test_nothing_but_the_standard_library_is_imported(self):
        allowed = {PACKAGE, "__future__", *self.standard()}
        for dotted, path in modules():
            for target in imports(dotted, path):
                with self.subTest(module=dotted, imports=target):
                    self.assertIn(target.split(".")[0], allowed)

    def standard(self):
        names = getattr(sys, "stdlib_module_names", None)
        if names is not None:
            return names
        library = sysconfig.get_paths()["stdlib"]
        files = [name.partition(".")[0] for name in os.listdir(library)]
        dynamic = os.path.join(library, "lib-dynload")
        files += [name.partition(".")[0] for name in os.listdir(dynamic)]
        return {*sys.builtin_module_names, *files, "msvcrt", "winreg"} - {"site-packages"}


class StartTest(unittest.TestCase):
    PROGRAM = """
import sys
bare = set(sys.modules)
sys.path.insert(0, %r)
sys.argv = ["adrkit-mcp", "--cwd", %r]
import os
os._exit = sys.exit
from adrkit_mcp.cli import main
try:
    main()
except SystemExit:
    os.write(2, " ".join(sorted(set(sys.modules) - bare)).encode())
"""
    HELLO = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
        b'"capabilities":{},"clientInfo":{"name":"test","version":"0"}}}\n'
    )
    DISCOVER = (
        b'{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{'
        b'"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
        b'"io.modelcontextprotocol/clientCapabilities":{}}}}\n'
    )

    CALL = (
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_decisions",'
        b'"arguments":{"query":"queue"}}}\n'
    )
    #: What a call on records as most people write them does without.
    RARE = (
        *("tools.definition", "tools.shapes", "tools.get_decision", "whatwg_url", "affects"),
        *(
            "corpus.skipped",
            "corpus.advice",
            "corpus.lint",
            "corpus.yaml_plain",
            "corpus.yaml_block",
        ),
        *("corpus.yaml_quoted", "corpus.yaml_keys", "corpus.yaml_refusals", "mcp.subscriptions"),
    )

    def loaded(self, message, *records):
        """The modules that a bare interpreter has to load to answer some messages."""
        root = Repository(self).add(*records).root
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", self.PROGRAM % (PROJECT, root)],
            input=message,
            capture_output=True,
            cwd=root,
        )
        self.assertIn(b'"name":"adrkit-mcp"', done.stdout, done.stderr)
        return set(done.stderr.decode().split())

    def test_needs_none_of_the_slow_modules(self):
        for message in (self.HELLO, self.DISCOVER):
            with self.subTest(message):
                self.assertEqual(self.loaded(message) & SLOW, set())

    def test_needs_neither_the_tools_nor_the_records(self):
        for message in (self.HELLO, self.DISCOVER):
            with self.subTest(message):
                found = self.loaded(message)
                self.assertIn("adrkit_mcp.corpus.roots", found)
                for name in (
                    "tools",
                    "corpus.loader",
                    "corpus.record",
                    "affects",
                    "schema",
                    "commands",
                ):
                    self.assertNotIn(PACKAGE + "." + name, found)

    def test_a_call_needs_no_more_than_its_tool_and_everyday_records(self):
        url = [{"type": "pr", "url": "https://example.com/1"}]
        found = self.loaded(
            self.HELLO + self.CALL,
            accepted(affects=governing("src/**"), tags=["a"], externalRefs=url),
            superseded("0002", "0001", scope="domain", body="# Text\n"),
        )
        self.assertIn(PACKAGE + ".tools.search_decisions", found)
        self.assertIn(PACKAGE + ".corpus.record", found)
        rare = {PACKAGE + "." + name for name in self.RARE}
        self.assertEqual(rare & found, set())
        self.assertEqual(rare - {dotted for dotted, _ in modules()}, set())


class SourceTest(unittest.TestCase):
    def test_every_folder_is_a_package(self):
        for directory, folders, names in os.walk(os.path.join(PROJECT, PACKAGE)):
            folders[:] = [name for name in folders if not name.startswith(("__pycache__", "."))]
            with self.subTest(directory):
                self.assertIn("__init__.py", names)

    def test_every_module_says_what_it_is(self):
        for dotted, path in modules():
            with self.subTest(dotted), open(path, "rb") as file:
                self.assertTrue(ast.get_docstring(ast.parse(file.read())))


if __name__ == "__main__":
    unittest.main()
