"""Corpora made to break, block, blow up or mislead a reader: each gets a finding or an outcome, in time."""

import contextlib
import itertools
import json
import os
import socket
import stat
import subprocess
import sys
import threading
import time
import traceback
import unittest
from unittest import mock

from adrkit_mcp.corpus import loader
from adrkit_mcp.corpus.directory import MAX_BYTES
from adrkit_mcp.corpus.roots import CorpusUnavailable
from tests.security.hostile import sources
from tests.support import Repository, environment, record

CHANGED = "corpus-changed-during-load"
SKIPPED = "corpus-file-skipped"
SECOND = 1.0
#: Asks about the repository that its arguments name and tells how much memory that took, in KiB.
MEASURED = """
import resource, sys
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
from adrkit_mcp.cli import main
code = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, file=sys.stderr)
sys.exit(code)
"""
posix = unittest.skipUnless(os.name == "posix", "POSIX files")
links = unittest.skipUnless(hasattr(os, "symlink") and os.name == "posix", "symbolic links")


def reason(repository):
    """Why a corpus cannot be read, "" when it can."""
    try:
        repository.load()
    except CorpusUnavailable as error:
        return error.reason
    return ""


class ContentTest(unittest.TestCase):
    def test_each_breaks_its_rules_in_less_than_a_second(self):
        repository = Repository(self)
        for name, (source, rules) in sources().items():
            repository.write("0001-record.md", source)
            started = time.process_time()
            projection = repository.load()
            with self.subTest(name):
                self.assertLess(time.process_time() - started, SECOND)
                self.assertEqual({item["rule"] for item in projection.findings}, rules)
                self.assertEqual(projection.excluded_count, bool(rules))
                for item in projection.findings:
                    self.assertLess(len(item["message"]), 300)
                    self.assertTrue(item["message"].isprintable())

    def test_a_long_id_in_thousands_of_findings(self):
        repository = Repository(self)
        tags = ", ".join(["A"] * 16_000)
        repository.write("0001-a.md", "---\nid: %s\ntags: [%s]\n---\n" % ("x" * 15_000, tags))
        keys = "".join("k%d: 1\n" % number for number in range(3000))
        repository.write("0002-b.md", "---\nid: '%s'\n%s---\n" % ('"' * 30_000, keys))
        started = time.process_time()
        answer = repository.call("list_superseded", findingsLimit=100)
        self.assertLess(time.process_time() - started, 5 * SECOND)
        self.assertLess(len(json.dumps(answer)), 1_000_000)
        self.assertIsNotNone(answer["result"]["findings"]["cursor"])

    @unittest.skipUnless(sys.platform == "linux", "measures in KiB")
    def test_all_together_take_little_memory(self):
        repository = Repository(self)
        for number, (source, _) in enumerate(sources().values(), 1):
            repository.write("%04d-record.md" % number, source)
        ended = subprocess.run(
            [sys.executable, "-c", MEASURED, "call", "list_superseded", "--cwd", repository.root],
            capture_output=True,
            env=environment(),
            timeout=60,
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(len(json.loads(ended.stdout)["result"]["findings"]["items"]), 20)
        self.assertLess(int(ended.stderr), 150 * 1024)

    def test_many_files(self):
        repository = Repository(self)
        for number in range(1, 20_001):
            name = "%04d-record.md" % number if number % 2 else "%d.txt" % number
            with open(repository.path(name), "w") as file:
                file.write("" if number % 10 else "x")
        for number in range(1, 2_000, 2):
            repository.add(record("%04d" % number))
        for _ in range(2):
            started = time.process_time()
            answer = repository.call("search_decisions", query="queue")
            self.assertLess(time.process_time() - started, 10 * SECOND)
            self.assertEqual(answer["corpusHealth"]["recordCount"], 1_000)
            self.assertEqual(answer["corpusHealth"]["excludedCount"], 9_000)
            self.assertEqual(len(answer["result"]["items"]), 20)
            self.assertEqual(len(answer["result"]["findings"]["items"]), 20)


class NamesTest(unittest.TestCase):
    def test_odd_characters(self):
        for name in (
            "\u202egpj",
            "a\u200bb",
            "\ufeff",
            "\x1b[2J",
            "e\u0301",
            "\U000e0041",
            " ",
            "'\"`$()",
        ):
            with self.subTest(ascii(name)):
                repository = Repository(self)
                repository.write("0001-%s.md" % name, record())
                (found,) = repository.load().records
                self.assertEqual(found.source_path, "docs/adr/0001-%s.md" % name)
                summary = repository.summary("search_decisions", query="queue")
                self.assertTrue(summary.isprintable())

    @unittest.skipUnless(sys.platform == "linux", "names of any bytes")
    def test_undecodable_bytes(self):
        repository = Repository(self).add(record())
        directory = os.fsencode(repository.path())
        for name in (b"0002-\xff.md", b"0003-\xc3.md", b"0004-\xed\xa0\x80.md", b"\xff.md"):
            with open(os.path.join(directory, name), "wb") as file:
                file.write(record().encode())
        os.mkdir(os.path.join(directory, b"below-\xff"))
        with open(os.path.join(directory, b"below-\xff", b"\xfe.md"), "wb"):
            pass
        self.assertEqual(
            repository.findings(),
            [
                (SKIPPED, "warn", "below-\ufffd/\ufffd.md", None, None),
                (SKIPPED, "warn", "\ufffd.md", None, None),
                ("record-stat-error", "error", "0002-\ufffd.md", None, None),
                ("record-stat-error", "error", "0003-\ufffd.md", None, None),
                ("record-stat-error", "error", "0004-\ufffd\ufffd\ufffd.md", None, None),
            ],
        )
        self.assertEqual(repository.call("list_superseded")["corpusHealth"]["excludedCount"], 3)


class NoFilesTest(unittest.TestCase):
    """What is no regular file is never opened, so that nothing blocks or has effects."""

    def assertSkips(self, make, opened=()):
        repository = Repository(self).add(record("0002"))
        make(repository.path("0001-odd.md"))
        watched = []

        def open_(path, *arguments, original=os.open, **options):
            watched.append(path)
            return original(path, *arguments, **options)

        with mock.patch.object(os, "open", open_):
            self.assertEqual(repository.findings(), [(SKIPPED, "warn", "0001-odd.md", None, None)])
        self.assertNotIn("0001-odd.md", watched)
        self.assertEqual(len(repository.load().records), 1)

    @posix
    def test_pipe(self):
        self.assertSkips(os.mkfifo)

    @posix
    def test_socket(self):
        with socket.socket(socket.AF_UNIX) as listener:
            self.assertSkips(listener.bind)

    @unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "only root makes devices")
    def test_devices(self):
        for mode, device in (
            (stat.S_IFCHR, (1, 3)),
            (stat.S_IFCHR, (1, 5)),
            (stat.S_IFBLK, (7, 0)),
        ):
            with self.subTest(device):
                try:
                    self.assertSkips(
                        lambda p, m=mode, d=device: os.mknod(p, m | 0o666, os.makedev(*d))
                    )
                except PermissionError:
                    self.skipTest("devices may not be made here")

    @links
    def test_links(self):
        for target in (
            "0001-odd.md",
            "0002-record.md",
            "/etc/passwd",
            "/dev/zero",
            "nowhere",
            "..",
        ):
            with self.subTest(target):
                self.assertSkips(lambda path, target=target: os.symlink(target, path))

    @links
    def test_loops_of_folders(self):
        repository = Repository(self).add(record())
        os.makedirs(repository.path("a/b"))
        os.symlink("..", repository.path("a/b/up"))
        os.symlink(repository.root, repository.path("a/root"))
        repository.write("a/b/c.md")
        self.assertEqual(repository.findings(), [(SKIPPED, "warn", "a/b/c.md", None, None)])

    @links
    def test_a_corpus_that_is_a_loop(self):
        repository = Repository(self, "loop")
        os.rmdir(repository.path())
        os.symlink("loop", repository.path())
        self.assertIn(reason(repository), ("dir-not-readable", "dir-not-found"))


@links
class SwappedTest(unittest.TestCase):
    """What is swapped for a link between the look at it and its opening is not followed."""

    def setUp(self):
        self.repository = Repository(self).add(record())
        self.outside = os.path.join(self.repository.base, "outside")
        os.makedirs(os.path.join(self.outside, "adr"))
        for name in ("secret.md", "0001-record.md", os.path.join("adr", "0001-record.md")):
            with open(os.path.join(self.outside, name), "w") as file:
                file.write(record("0001", "Secret"))

    def swap(self, path, target):
        os.rename(path, path + "-was")
        os.symlink(target, path)

    def load_with(self, owner, function, change):
        """The titles of a load in which a change comes right before, and undone after, a function's call."""
        original = getattr(owner, function)

        def swapping(*arguments, **options):
            change()
            return original(*arguments, **options)

        with mock.patch.object(owner, function, swapping):
            try:
                return [item.title for item in self.repository.load().records]
            except CorpusUnavailable as error:
                return error.reason

    def test_the_corpus_directory(self):
        swap = iter([lambda: self.swap(self.repository.path(), self.outside)])
        found = self.load_with(loader, "Directory", lambda: next(swap)())
        self.assertEqual(found, CHANGED)

    def test_a_folder_above_the_corpus(self):
        docs = os.path.join(self.repository.root, "docs")
        found = self.load_with(loader, "Directory", lambda: self.swap(docs, self.outside))
        self.assertEqual(found, CHANGED)

    def test_the_directory_while_it_is_held_open(self):
        """What was opened stays what it was; that the path leads elsewhere now is noticed."""
        found = self.load_with(
            loader, "list_corpus", lambda: self.swap(self.repository.path(), self.outside)
        )
        self.assertEqual(found, CHANGED)

    def test_a_record(self):
        path = self.repository.path("0001-record.md")
        swaps = itertools.count()

        def swap():
            if next(swaps) == 1:  # the directory is opened first
                self.swap(path, os.path.join(self.outside, "secret.md"))

        self.assertEqual(self.load_with(os, "open", swap), CHANGED)

    def test_a_record_for_a_pipe(self):
        path = self.repository.path("0001-record.md")
        swaps = itertools.count()

        def swap():
            if next(swaps) == 1:
                os.remove(path)
                os.mkfifo(path)

        self.assertEqual(self.load_with(os, "open", swap), CHANGED)

    def test_a_subfolder(self):
        folder = self.repository.path("below")
        os.mkdir(folder)
        listed = []
        scandir = os.scandir

        def scandir_then_swap(handle):
            listed.append(os.stat(handle))
            with scandir(handle) as iterator:
                entries = list(iterator)
            if not os.path.islink(folder):
                os.rmdir(folder)
                os.symlink(self.outside, folder)
            return contextlib.nullcontext(entries)

        with mock.patch.object(os, "scandir", scandir_then_swap):
            self.assertEqual(self.repository.load().findings, [])
        self.assertFalse(any(os.path.samestat(status, os.stat(self.outside)) for status in listed))


class GrowingTest(unittest.TestCase):
    """A file that is written to while it is read is read neither for ever nor in part."""

    def test_a_byte_with_each_read(self):
        repository = Repository(self).add(record("0001"), record("0002"))
        path = repository.path("0001-record.md")

        def read(descriptor, size, original=os.read):
            with open(path, "ab") as file:
                file.write(b"x")
            return original(descriptor, size)

        for _ in range(2):
            with mock.patch.object(os, "read", read):
                self.assertEqual(reason(repository), CHANGED)
        self.assertEqual(reason(repository), "")

    def test_beyond_the_largest_size(self):
        repository = Repository(self)
        path = repository.write("0001-record.md", record())

        def read(descriptor, size, original=os.read):
            with open(path, "ab") as file:
                file.write(b"x" * (2 * MAX_BYTES))
            content = original(descriptor, size)
            self.assertLessEqual(len(content), MAX_BYTES + 1)
            return content

        with mock.patch.object(os, "read", read):
            self.assertEqual(reason(repository), CHANGED)
        self.assertEqual(repository.findings()[0][0], "record-too-large")

    def test_for_ever(self):
        repository = Repository(self).add(record("0001"), record("0002"))
        stopping = threading.Event()

        def grow():
            with open(repository.path("0001-record.md"), "ab", buffering=0) as file:
                while not stopping.is_set() and file.tell() < 2**24:
                    file.write(b"x" * 1024)

        writer = threading.Thread(target=grow)
        writer.start()
        try:
            for _ in range(20):
                started = time.process_time()
                self.assertIn(reason(repository), ("", CHANGED))
                self.assertLess(time.process_time() - started, SECOND)
        finally:
            stopping.set()
            writer.join()


@unittest.skipUnless(hasattr(os, "fork"), "needs fork")
class PermissionsTest(unittest.TestCase):
    """As somebody whom permissions bind: root becomes nobody in a child for it."""

    def setUp(self):
        self.repository = Repository(self).add(record("0001"), record("0002"))
        os.chmod(self.repository.base, 0o755)

    def as_nobody(self, look):
        """What a function returns to a process that is not root, as JSON carries it."""
        read_end, write_end = os.pipe()
        child = os.fork()
        if not child:
            try:
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setgid(65534)
                    os.setuid(65534)
                os.write(write_end, json.dumps(look()).encode("ascii"))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(0)
        os.close(write_end)
        with open(read_end, "rb") as answer:
            text = answer.read()
        os.waitpid(child, 0)
        return json.loads(text)

    @contextlib.contextmanager
    def closed(self, path, mode=0):
        path = os.path.join(self.repository.root, path)
        before = stat.S_IMODE(os.stat(path).st_mode)
        os.chmod(path, mode)
        try:
            yield
        finally:
            os.chmod(path, before)

    def test_everything_may_be_read(self):
        self.assertEqual(self.as_nobody(self.repository.findings), [])

    def test_a_record(self):
        with self.closed("docs/adr/0001-record.md"):
            self.assertEqual(
                self.as_nobody(self.repository.findings),
                [["file-read", "error", "0001-record.md", None, None]],
            )
            health = self.as_nobody(lambda: self.repository.call("list_superseded")["corpusHealth"])
        self.assertEqual((health["recordCount"], health["excludedCount"]), (1, 1))

    def test_a_record_that_was_read_before(self):
        self.repository.load()
        with self.closed("docs/adr/0001-record.md"):
            self.assertEqual(self.as_nobody(self.repository.findings)[0][0], "file-read")

    def test_a_subfolder(self):
        self.repository.write("below/0003-record.md")
        with self.closed("docs/adr/below"):
            self.assertEqual(
                self.as_nobody(self.repository.findings),
                [["corpus-file-skipped", "warn", "below", None, None]],
            )

    def test_folders(self):
        for path, mode, expected in (
            ("docs/adr", 0, "dir-not-readable"),
            ("docs/adr", 0o444, "dir-not-readable"),
            ("docs/adr", 0o111, "dir-not-readable"),
            ("docs", 0, "dir-not-readable"),
            (".git", 0, "root-not-git"),
            ("", 0, "root-not-readable"),
        ):
            with self.subTest(path, mode=mode), self.closed(path, mode):
                self.assertEqual(self.as_nobody(lambda: reason(self.repository)), expected)


if __name__ == "__main__":
    unittest.main()
