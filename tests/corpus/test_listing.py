import os
import socket
import unittest

from tests.support import HAS_PERMISSIONS, Repository, record

SKIPPED = "corpus-file-skipped"


class ListingTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def write(self, *names):
        for name in names:
            self.repository.write(name, record())

    def candidates(self):
        """The names of the records and of what is excluded, in order."""
        prefix = self.repository.dir + "/"
        projection = self.repository.load()
        names = {item.source_path for item in projection.records}
        names.update(f["path"] for f in projection.findings if f["rule"] != SKIPPED)
        return sorted(name[len(prefix) :] for name in names)

    def skipped(self):
        return [path for rule, _, path, _, _ in self.repository.findings() if rule == SKIPPED]


class CandidatesTest(ListingTest):
    def test_have_four_digits_a_hyphen_and_a_title(self):
        names = [
            "0001-x.md",
            "00000-template.md",
            "0000-Template.md",
            "0000-other.md",
            "0001--x.md",
        ]
        names += ["0001-x.md.md", "123456789-a b.md", "0001-\u65e5\u672c\u8a9e.md", "0001- .md"]
        self.write(*names)
        self.assertEqual(self.candidates(), sorted(names))
        self.assertEqual(self.skipped(), [])

    def test_do_not_include_the_template(self):
        self.write("0000-template.md")
        self.assertEqual((self.candidates(), self.skipped()), ([], []))

    def test_are_told_by_ascii_digits_and_lower_case_extension(self):
        names = ["0001-.md", "001-x.md", "0001_x.md", "x.md", "0001-x.MD", "0001.md"]
        names += ["\u0660\u0660\u0660\u0661-x.md", "ADR-0001-x.md", " 0001-x.md"]
        self.write(*names)
        self.assertEqual(self.candidates(), [])
        self.assertEqual(self.skipped(), sorted(names))

    def test_have_no_line_end_in_their_title(self):
        names = ["0001-a\nb.md", "0001-a\rb.md", "0001-a\u2028b.md", "0001-a\u2029b.md"]
        self.write(*names, "0001-a\u0085b.md", "0001-x.md\n")
        self.assertEqual(self.candidates(), ["0001-a\u0085b.md"])
        self.assertEqual(self.skipped(), sorted(names))

    def test_need_not_have_the_id_of_their_name(self):
        self.repository.write("0009-x.md", record("0001"))
        self.assertEqual([r.id for r in self.repository.load().records], ["0001"])

    def test_may_be_hard_links(self):
        self.write("0001-x.md")
        os.link(self.repository.path("0001-x.md"), self.repository.path("0002-x.md"))
        self.assertEqual(self.candidates(), ["0001-x.md", "0002-x.md"])

    def test_are_no_links_folders_pipes_or_sockets(self):
        outside = os.path.join(self.repository.base, "0001-outside.md")
        with open(outside, "w", encoding="utf-8") as file:
            file.write(record())
        self.repository.write("target.txt", record())
        os.symlink("target.txt", self.repository.path("0001-inside.md"))
        os.symlink(outside, self.repository.path("0002-outside.md"))
        os.symlink("nowhere", self.repository.path("0003-dangling.md"))
        os.symlink("0004-loop.md", self.repository.path("0004-loop.md"))
        os.mkdir(self.repository.path("0005-folder.md"))
        names = ["0001-inside.md", "0002-outside.md", "0003-dangling.md", "0004-loop.md"]
        names += ["0005-folder.md"]
        if hasattr(os, "mkfifo"):
            os.mkfifo(self.repository.path("0006-pipe.md"))
            names.append("0006-pipe.md")
        if hasattr(socket, "AF_UNIX") and len(self.repository.path()) < 80:
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(self.repository.path("0007-socket.md"))
            names.append("0007-socket.md")
        self.assertEqual(self.candidates(), [])
        self.assertEqual(self.skipped(), names)
        self.assertEqual(self.repository.load().health()["excludedCount"], 0)


@unittest.skipUnless(HAS_PERMISSIONS, "permissions do not bind this user")
class LockedTest(unittest.TestCase):
    def test_a_folder_that_cannot_be_read_is_told(self):
        repository = Repository(self)
        folder = os.path.dirname(repository.write("sub/0002-x.md", record("0002")))
        os.chmod(folder, 0)
        self.addCleanup(os.chmod, folder, 0o700)
        (item,) = repository.load().findings
        self.assertEqual((item["rule"], item["path"]), ("corpus-file-skipped", "docs/adr/sub"))
        self.assertIn("permissions", item["message"])


class SkippedTest(ListingTest):
    def test_markdown_is_a_warning_with_its_path_alone(self):
        self.write("notes.md")
        (item,) = self.repository.load().findings
        self.assertEqual(list(item), ["rule", "severity", "message", "path"])
        self.assertEqual((item["severity"], item["path"]), ("warn", "docs/adr/notes.md"))

    def test_says_what_to_do(self):
        self.write("notes.md", "2026/0007-x.md")
        os.symlink("notes.md", self.repository.path("0001-x.md"))
        for item, words in zip(
            self.repository.load().findings,
            ["put the file itself here", "move it up", "name it like"],
        ):
            with self.subTest(item["path"]):
                self.assertIn(words, item["message"])

    def test_conventional_files_are_not_mentioned(self):
        for folder in ("", "sub/"):
            self.write(*(folder + name for name in (
                "README.md", "readme.md", "Index.MD", "CONTRIBUTING.md", "template.md",
                "0000-template.md", ".hidden.md", "notes.txt", "0001-x.md.bak", "0001-x.md~",
            )))  # fmt: skip
        self.assertEqual(self.repository.findings(), [])

    def test_only_the_template_itself_is_conventional(self):
        self.write("sub/0000-template.md", "sub/0000-Template.md")
        self.assertEqual(self.skipped(), ["sub/0000-Template.md"])

    def test_other_files_are_not_mentioned(self):
        self.write("0001-x.txt", "image.png", "md", "x.mdx", "notes.md.orig")
        self.assertEqual(self.repository.findings(), [])

    def test_markdown_in_folders_is_mentioned_eight_levels_deep(self):
        folders = ["/".join("abcdefghi"[:depth]) + "/" for depth in range(1, 10)]
        self.write(*(folder + "0001-x.md" for folder in folders))
        self.assertEqual(self.skipped(), sorted(folder + "0001-x.md" for folder in folders[:8]))
        self.assertEqual(self.repository.load().health()["recordCount"], 0)

    def test_dot_folders_and_linked_folders_are_left_alone(self):
        self.write(".obsidian/0001-x.md", "sub/.git/0001-x.md", "real/0001-x.md")
        os.symlink("real", self.repository.path("linked"))
        os.symlink("..", self.repository.path("real/up"))
        self.assertEqual(self.skipped(), ["real/0001-x.md"])

    def test_a_link_or_folder_with_a_name_of_markdown_in_a_folder_is_mentioned(self):
        os.makedirs(self.repository.path("sub/folder.md"))
        os.symlink("nowhere", self.repository.path("sub/link.md"))
        self.assertEqual(self.skipped(), ["sub/folder.md", "sub/link.md"])

    def test_are_counted_apart_from_the_excluded(self):
        self.write("notes.md", "sub/x.md")
        self.repository.write("0001-x.md", "no record")
        projection = self.repository.load()
        self.assertEqual(projection.health()["excludedCount"], 1)
        self.assertEqual(projection.skipped_count, 2)


if __name__ == "__main__":
    unittest.main()
