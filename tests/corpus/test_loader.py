import os
import random
import unittest
from unittest import mock

from adrkit_mcp.corpus import directory, loader
from adrkit_mcp.corpus.loader import Corpus
from adrkit_mcp.corpus.roots import CorpusUnavailable
from tests.support import HAS_PERMISSIONS, Repository, record

CHANGED = "corpus-changed-during-load"


def told(projection):
    """Everything that a projection says."""
    return (
        projection.health(),
        projection.findings,
        projection.findings_fingerprint,
        projection.unread_rule,
        [(r.source_path, r.frontmatter, r.body, r.search_text) for r in projection.records],
    )


class LoaderTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def path(self, name):
        return self.repository.path(name)

    def ids(self):
        return [item.id for item in self.repository.load().records]

    def reason(self):
        """Why the corpus cannot be loaded; "" when it can."""
        try:
            self.repository.load()
        except CorpusUnavailable as error:
            return error.reason
        return ""


class ReadingTest(LoaderTest):
    def test_orders_records_by_id_then_path_in_utf16_units(self):
        ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        for name, id in [
            ("0005-b.md", "0002"),
            ("0004-\ue000.md", "0002"),
            ("0004-\U0001f6a2.md", "0002"),
            ("0001-x.md", ulid),
            ("0009-x.md", "0001"),
            ("0002-x.md", "00001"),
        ]:
            self.repository.write(name, record(id))
        self.assertEqual(
            [(r.id, r.source_path[len("docs/adr/") :]) for r in self.repository.load().records],
            [
                ("00001", "0002-x.md"),
                ("0001", "0009-x.md"),
                ("0002", "0004-\U0001f6a2.md"),
                ("0002", "0004-\ue000.md"),
                ("0002", "0005-b.md"),
                (ulid, "0001-x.md"),
            ],
        )

    def test_reads_65536_bytes_and_no_more(self):
        source = record(body="x")
        self.repository.write("0001-x.md", record(body="x" * (65_536 - len(source) + 1)))
        self.assertEqual(os.path.getsize(self.path("0001-x.md")), 65_536)
        self.assertEqual(self.ids(), ["0001"])
        with open(self.path("0001-x.md"), "ab") as file:
            file.write(b"x")
        self.assertEqual(self.ids(), [])
        self.assertEqual(
            self.repository.findings(), [("record-too-large", "error", "0001-x.md", None, None)]
        )

    def test_measures_before_it_looks_at_the_content(self):
        self.repository.write("0001-x.md", b"\xff" * 65_537)
        self.assertEqual([rule for rule, *_ in self.repository.findings()], ["record-too-large"])

    def test_counts_candidates_that_make_no_record_as_excluded(self):
        self.repository.add(record("0001"))
        self.repository.write("0002-x.md", "no fence")
        self.repository.write("0003-x.md", "---\n[\n---\n")
        self.repository.write("0004-x.md", record("0004", title="x"))
        self.repository.write("0005-x.md", b" " * 70_000)
        self.repository.write("notes.md")
        health = self.repository.load().health()
        self.assertEqual((health["recordCount"], health["excludedCount"]), (1, 4))

    @unittest.skipUnless(HAS_PERMISSIONS, "permissions do not bind this user")
    def test_tells_files_that_it_may_not_read(self):
        self.repository.add(record("0001"))
        os.chmod(self.path("0001-record.md"), 0)
        self.assertEqual(
            self.repository.findings(), [("file-read", "error", "0001-record.md", None, None)]
        )
        os.chmod(self.path("0001-record.md"), 0o600)
        self.assertEqual(self.ids(), ["0001"])

    def test_tells_names_that_are_no_utf8(self):
        for name in (b"0001-\xff.md", b"0001-\xfe.md"):
            try:
                with open(os.path.join(os.fsencode(self.path("")), name), "wb") as file:
                    file.write(record("0001").encode())
            except OSError:
                self.skipTest("this file system takes only names in UTF-8")
        self.assertEqual(
            self.repository.findings(),
            [("record-stat-error", "error", "0001-\ufffd.md", None, None)] * 2,
        )
        self.assertEqual(self.repository.load().health()["excludedCount"], 2)

    def test_reads_names_that_are_no_ascii(self):
        self.repository.write("0006-日本語.md", record("0006"))
        (item,) = self.repository.load().records
        self.assertEqual(item.source_path, "docs/adr/0006-日本語.md")

    def test_keeps_the_source_of_what_it_read(self):
        self.repository.add(record("0001"))
        self.repository.write("0002-x.md", b"bad \xff")
        self.repository.write("0003-x.md", b" " * 70_000)
        self.repository.load()
        self.assertEqual(
            self.repository.corpus.sources(),
            {
                "docs/adr/0001-record.md": record("0001").encode(),
                "docs/adr/0002-x.md": b"bad \xff",
            },
        )

    def test_names_records_by_the_real_directory(self):
        self.repository.add(record("0001"))
        os.symlink("docs/adr", os.path.join(self.repository.root, "link"))
        for folder, path in [
            ("link", "docs/adr/0001-record.md"),
            ("docs", None),
            ("docs/../docs/adr/", "docs/adr/0001-record.md"),
        ]:
            with self.subTest(folder):
                records = Corpus(self.repository.root, folder).load().records
                self.assertEqual([r.source_path for r in records], [path] if path else [])

    def test_of_the_root_itself_names_records_bare(self):
        repository = Repository(self, ".")
        repository.add(record("0001"))
        self.assertEqual([r.source_path for r in repository.load().records], ["0001-record.md"])

    def test_checks_the_place_without_reading(self):
        self.repository.corpus.check()
        os.rmdir(self.path(""))
        with self.assertRaises(CorpusUnavailable) as caught:
            self.repository.corpus.check()
        self.assertEqual(caught.exception.reason, "dir-not-found")


class ReuseTest(LoaderTest):
    def test_parses_only_what_differs(self):
        self.repository.add(record("0001"), record("0002"))
        self.repository.load()
        with mock.patch.object(loader, "read_record", side_effect=loader.read_record) as parse:
            self.repository.add(record("0001"))
            self.repository.load()
            self.assertEqual(parse.call_count, 0)
            self.repository.add(record("0002", "Use no queue"))
            self.repository.load()
            self.assertEqual(parse.call_count, 1)

    def test_gives_the_same_projection_while_nothing_differs(self):
        self.repository.add(record("0001"))
        self.repository.write("notes.md")
        self.assertIs(self.repository.load(), self.repository.load())

    def test_gives_the_same_projection_while_a_file_stays_unread(self):
        self.repository.add(record("0001"))
        path = self.repository.write("0002-large.md", "x" * 70_000)
        first = self.repository.load()
        self.assertIs(self.repository.load(), first)
        os.utime(path, (1, 1))
        self.assertIs(self.repository.load(), first)

    def test_forgets_files_that_are_gone(self):
        self.repository.add(record("0001"))
        self.repository.load()
        os.unlink(self.path("0001-record.md"))
        self.repository.load()
        self.assertEqual(self.repository.corpus.sources(), {})


class StalenessTest(LoaderTest):
    """Answers of a corpus that is kept are those of one that is read for the first time."""

    def assertFresh(self, why=None):
        fresh = Corpus(self.repository.root, self.repository.dir).load()
        self.assertEqual(told(self.repository.load()), told(fresh), why)

    def keep_times(self, name):
        """Undoes what a change of a file did to its times, as two writes within one tick would."""
        path = self.path(name)
        status = os.stat(path)
        return lambda: os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def overwrite(self, name, content):
        """Change a file's bytes in place: same inode, same time."""
        restore = self.keep_times(name)
        with open(self.path(name), "r+b") as file:
            file.write(content.encode())
            file.truncate()
        restore()

    def replace(self, name, content):
        """Put another file in the place of one: another inode, same time."""
        restore = self.keep_times(name)
        with open(self.path("new"), "wb") as file:
            file.write(content.encode())
        os.replace(self.path("new"), self.path(name))
        restore()

    def swap(self, one, two):
        os.rename(self.path(one), self.path("swap"))
        os.rename(self.path(two), self.path(one))
        os.rename(self.path("swap"), self.path(two))

    def test_sees_an_edit_of_the_same_size_inode_and_time(self):
        self.repository.add(record("0001", "Use one queue"))
        self.repository.load()
        self.overwrite("0001-record.md", record("0001", "Use two queue"))
        self.assertEqual([r.title for r in self.repository.load().records], ["Use two queue"])
        self.assertFresh()

    def test_sees_a_replacement_of_the_same_size_and_time(self):
        self.repository.add(record("0001", "Use one queue"))
        self.repository.load()
        self.replace("0001-record.md", record("0001", "Use two queue"))
        self.assertEqual([r.title for r in self.repository.load().records], ["Use two queue"])

    def test_sees_two_files_swap_their_names(self):
        self.repository.write("0001-a.md", record("0001", body="a"))
        self.repository.write("0002-b.md", record("0002", body="b"))
        self.repository.load()
        self.swap("0001-a.md", "0002-b.md")
        self.assertEqual(
            [(r.id, r.source_path) for r in self.repository.load().records],
            [("0001", "docs/adr/0002-b.md"), ("0002", "docs/adr/0001-a.md")],
        )

    def test_sees_a_change_that_is_taken_back(self):
        self.repository.add(record("0001", "Use one queue"))
        before = told(self.repository.load())
        self.overwrite("0001-record.md", record("0001", "Use two queue"))
        self.assertNotEqual(told(self.repository.load()), before)
        self.overwrite("0001-record.md", record("0001", "Use one queue"))
        self.assertEqual(told(self.repository.load()), before)

    def test_sees_a_record_become_invalid_and_valid_again(self):
        self.repository.add(record("0001"))
        self.repository.load()
        self.overwrite("0001-record.md", "x")
        self.assertEqual(self.ids(), [])
        self.overwrite("0001-record.md", record("0001"))
        self.assertEqual(self.ids(), ["0001"])

    def test_sees_another_directory_in_the_place(self):
        self.repository.add(record("0001", "Use one queue"))
        self.repository.load()
        os.rename(self.path(""), self.path("../old"))
        os.mkdir(self.path(""))
        self.repository.add(record("0001", "Use two queue"))
        self.assertFresh()

    def test_sees_a_link_that_leads_to_another_directory_with_the_same_files(self):
        self.repository.add(record("0001"))
        other = os.path.join(self.repository.root, "other")
        os.mkdir(other)
        os.link(self.path("0001-record.md"), os.path.join(other, "0001-record.md"))
        link = os.path.join(self.repository.root, "link")
        os.symlink("docs/adr", link)
        corpus = Corpus(self.repository.root, "link")
        self.assertEqual(corpus.load().records[0].source_path, "docs/adr/0001-record.md")
        os.unlink(link)
        os.symlink("other", link)
        self.assertEqual(corpus.load().records[0].source_path, "other/0001-record.md")

    def test_after_any_series_of_changes(self):
        chance = random.Random(20260102)
        names = ["000%d-x.md" % n for n in range(1, 6)]
        texts = [
            record("000%d" % n, "Use %s queue" % how) for n in (1, 2, 3) for how in ("one", "two")
        ]
        texts += ["no record", record("0001", relatesTo=["0003"]), record("0001", title="x")]
        changes = {
            "write": lambda name: self.repository.write(name, chance.choice(texts)),
            "overwrite": lambda name: self.overwrite(name, chance.choice(texts)),
            "replace": lambda name: self.replace(name, chance.choice(texts)),
            "touch": lambda name: os.utime(self.path(name)),
            "date back": lambda name: os.utime(self.path(name), (1e9, 1e9)),
            "swap": lambda name: self.swap(name, chance.choice([n for n in names if n != name])),
            "remove": lambda name: os.unlink(self.path(name)),
            "rename": lambda name: os.rename(self.path(name), self.path("0009-y.md")),
            "skip": lambda name: self.repository.write("notes-%s" % name),
        }
        for name in names:
            self.repository.write(name, chance.choice(texts))
        for step in range(150):
            change = chance.choice(sorted(changes))
            try:
                changes[change](chance.choice(names))
            except FileNotFoundError:
                self.repository.write(chance.choice(names), chance.choice(texts))
            self.assertFresh((step, change))


class ChangeDuringLoadTest(LoaderTest):
    """What happens while a load runs is noticed, or did not matter."""

    def setUp(self):
        super().setUp()
        self.repository.add(record("0001"), record("0002"), record("0003"))
        self.repository.load()

    def load_while(self, change, owner=os, function="read", calls=1):
        """The reason of a load during which, after some calls of a function, a change happens."""
        original = getattr(owner, function)
        left = [calls]

        def interrupted(*arguments, **options):
            result = original(*arguments, **options)
            left[0] -= 1
            if left[0] == 0:
                change()
            return result

        with mock.patch.object(owner, function, interrupted):
            reason = self.reason()
        self.assertLessEqual(left[0], 0, "the change never happened")
        return reason

    def write_all(self, title):
        for id in ("0001", "0002", "0003"):
            self.repository.add(record(id, title))

    def test_of_a_file_is_noticed(self):
        for calls in (1, 2, 3):
            with self.subTest(calls):
                self.assertEqual(
                    self.load_while(lambda: self.write_all("Other"), calls=calls), CHANGED
                )
                self.write_all("Use one queue")
                self.assertEqual(self.reason(), "")

    def test_of_a_file_in_place_with_its_times_restored_is_noticed(self):
        def change():
            for id in ("0001", "0002", "0003"):
                path = self.path("%s-record.md" % id)
                status = os.stat(path)
                with open(path, "r+b") as file:
                    file.write(record(id, "Use two queue").encode())
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

        self.assertEqual(self.load_while(change), CHANGED)

    def test_of_a_young_file_is_noticed_when_its_times_tell_nothing(self):
        signature = directory._signature

        def timeless(status):
            return (*signature(status)[:4], 10**18 + 1, 10**18 + 1)

        with (
            mock.patch.object(directory, "_signature", timeless),
            mock.patch.object(loader.time, "time_ns", lambda: 10**18 + 2),
        ):
            self.assertEqual(self.reason(), "")
            self.assertEqual(self.load_while(lambda: self.write_all("Use two queue")), CHANGED)

    def test_of_the_names_is_noticed(self):
        for change in (
            lambda: os.unlink(self.path("0001-record.md")),
            lambda: self.repository.add(record("0004")),
            lambda: os.rename(self.path("0002-record.md"), self.path("0002-other.md")),
            lambda: self.repository.write("notes.md"),
        ):
            self.assertEqual(self.load_while(change), CHANGED)
            self.assertEqual(self.reason(), "")

    def test_into_something_that_is_no_file_is_noticed_and_blocks_nothing(self):
        def change():
            for id in ("0001", "0002", "0003"):
                os.unlink(self.path("%s-record.md" % id))
                make(self.path("%s-record.md" % id))

        makers = [os.mkdir, lambda path: os.symlink("/etc/hostname", path)]
        if hasattr(os, "mkfifo"):
            makers.append(os.mkfifo)
        for make in makers:
            for place in ((loader, "list_corpus"), (os, "read")):
                with self.subTest(make=make, place=place):
                    repository = Repository(self)
                    repository.add(record("0001"), record("0002"), record("0003"))
                    self.repository = repository
                    self.assertEqual(self.load_while(change, *place), CHANGED)
                    self.assertEqual(self.reason(), "")

    def test_of_the_directory_is_noticed(self):
        def change():
            os.rename(self.path(""), self.path("../old"))
            os.mkdir(self.path(""))
            self.repository.add(record("0001"), record("0002"), record("0003"))

        self.assertEqual(self.load_while(change), CHANGED)
        self.assertEqual(self.reason(), "")

    def test_that_takes_the_directory_away_is_noticed(self):
        self.assertEqual(
            self.load_while(lambda: os.rename(self.path(""), self.path("../old"))), CHANGED
        )
        self.assertEqual(self.reason(), "dir-not-found")
        os.rename(self.path("../old"), self.path(""))
        self.assertEqual(self.reason(), "")

    def test_of_the_root_is_noticed(self):
        root = self.repository.root
        self.assertEqual(self.load_while(lambda: os.rename(root, root + "-moved")), CHANGED)
        self.assertEqual(self.reason(), "root-not-found")
        os.rename(root + "-moved", root)
        self.assertEqual(self.reason(), "")

    def test_of_other_files_does_not_matter(self):
        self.assertEqual(self.load_while(lambda: self.repository.write("image.png")), "")

    def test_leaves_no_descriptor_open(self):
        before = len(os.listdir("/dev/fd"))
        self.load_while(lambda: self.write_all("Other"))
        self.load_while(lambda: os.unlink(self.path("0001-record.md")))
        self.repository.load()
        self.assertEqual(len(os.listdir("/dev/fd")), before)

    def test_never_leaves_half_of_each(self):
        """Two files are always rewritten together; an answer shows both of one writing."""
        seen = set()
        for title, function, calls in [
            (title, function, calls)
            for function in ("open", "read", "stat", "scandir")
            for calls in range(1, 12)
            for title in ("Use one queue", "Use two queue")
        ]:
            try:
                self.load_while(lambda t=title: self.write_all(t), os, function, calls)
            except AssertionError:
                continue  # fewer calls than that
            try:
                projection = self.repository.load()
            except CorpusUnavailable:
                continue
            titles = {item.title for item in projection.records}
            self.assertEqual(len(titles), 1)
            seen |= titles
        self.assertEqual(len(seen), 2)


@mock.patch.object(directory, "_HAS_DIR_FD", False)
class WithoutDescriptorsTest(StalenessTest, ReadingTest):
    """The same where a directory cannot be held open."""


@mock.patch.object(directory, "_HAS_DIR_FD", False)
class ChangeWithoutDescriptorsTest(ChangeDuringLoadTest):
    """The same where a directory cannot be held open."""


if __name__ == "__main__":
    unittest.main()
