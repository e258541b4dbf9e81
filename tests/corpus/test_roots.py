import os
import unittest

from adrkit_mcp.corpus.roots import MESSAGES, CorpusUnavailable, displayed, locate
from tests.support import HAS_PERMISSIONS, Repository


class RootsTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)
        self.root = self.repository.root

    def reason(self, root=None, directory="docs/adr"):
        """Why a place is refused; "" when it is not."""
        try:
            locate(self.root if root is None else root, directory)
        except CorpusUnavailable as error:
            self.assertEqual(str(error), MESSAGES[error.reason])
            return error.reason
        return ""

    def remove_git(self):
        os.rmdir(os.path.join(self.root, ".git"))
        return os.path.join(self.root, ".git")


class RootTest(RootsTest):
    def test_has_to_exist(self):
        for root in (self.root + "-gone", self.root + "\0", self.root + "/docs/adr/x/y"):
            with self.subTest(root):
                self.assertEqual(self.reason(root), "root-not-found")

    def test_has_to_be_a_directory(self):
        self.repository.write("file")
        self.assertEqual(self.reason(self.repository.path("file")), "root-not-directory")
        self.assertEqual(self.reason(self.repository.path("file/x")), "root-not-found")

    def test_may_be_a_link(self):
        link = os.path.join(self.repository.base, "link")
        os.symlink(self.root, link)
        self.assertEqual(locate(link, "docs/adr").directory, self.repository.path())

    def test_may_not_be_a_loop(self):
        loop = os.path.join(self.repository.base, "loop")
        os.symlink(loop, loop)
        self.assertEqual(self.reason(loop), "root-not-readable")

    def test_needs_a_git_directory_or_file(self):
        git = self.remove_git()
        self.assertEqual(self.reason(), "root-not-git")
        with open(git, "w", encoding="utf-8") as file:
            file.write("gitdir: /nowhere\n")
        self.assertEqual(self.reason(), "")

    def test_takes_a_link_to_git_but_no_dangling_one(self):
        git = self.remove_git()
        os.symlink(self.repository.path(), git)
        self.assertEqual(self.reason(), "")
        os.unlink(git)
        os.symlink("nowhere", git)
        self.assertEqual(self.reason(), "root-not-git")

    @unittest.skipUnless(hasattr(os, "mkfifo"), "this system has no FIFOs")
    def test_takes_no_other_kind_of_git(self):
        os.mkfifo(self.remove_git())
        self.assertEqual(self.reason(), "root-not-git")

    @unittest.skipUnless(HAS_PERMISSIONS, "permissions do not bind this user")
    def test_has_to_be_readable_with_its_git(self):
        git = os.path.join(self.root, ".git")
        self.addCleanup(os.chmod, self.root, 0o700)
        for path, mode, reason in [
            (git, 0, "root-not-git"),
            (self.root, 0, "root-not-readable"),
            (self.root, 0o300, "root-not-readable"),
            (self.root, 0o400, "root-not-readable"),
        ]:
            with self.subTest(path=path, mode=mode):
                os.chmod(path, mode)
                self.assertEqual(self.reason(), reason)
                os.chmod(path, 0o700)
        self.assertEqual(self.reason(), "")

    def test_is_told_before_the_directory(self):
        self.remove_git()
        self.assertEqual(self.reason(directory="nowhere"), "root-not-git")


class DirectoryTest(RootsTest):
    def test_has_to_exist(self):
        for directory in ("adr", "docs/adr/x", "docs/adr\0"):
            with self.subTest(directory):
                self.assertEqual(self.reason(directory=directory), "dir-not-found")

    def test_has_to_be_a_directory(self):
        self.repository.write("0001-x.md")
        self.assertEqual(self.reason(directory="docs/adr/0001-x.md"), "dir-not-directory")

    def test_may_be_the_root_itself(self):
        for directory in (".", "", "docs/..", self.root):
            with self.subTest(directory):
                self.assertEqual(self.reason(directory=directory), "")

    def test_may_be_absolute_inside_the_root(self):
        self.assertEqual(self.reason(directory=self.repository.path()), "")

    def test_has_to_lie_inside_the_root(self):
        outside = os.path.join(self.repository.base, "outside")
        os.mkdir(outside)
        os.mkdir(self.root + "-twin")
        os.symlink(outside, os.path.join(self.root, "out"))
        os.symlink("/", os.path.join(self.root, "top"))
        for directory in (
            "..",
            "../outside",
            "../repo-twin",
            outside,
            "/",
            "out",
            "top",
            "top/etc",
        ):
            with self.subTest(directory):
                self.assertEqual(self.reason(directory=directory), "dir-outside-root")

    def test_may_be_a_link_inside_the_root(self):
        os.symlink("docs/adr", os.path.join(self.root, "decisions"))
        location = locate(self.root, "decisions")
        self.assertEqual(location.display, "docs/adr/")

    def test_tells_loops_from_dangling_links(self):
        os.symlink("loop", os.path.join(self.root, "loop"))
        os.symlink("nowhere", os.path.join(self.root, "dangling"))
        self.assertEqual(self.reason(directory="loop"), "dir-not-readable")
        self.assertEqual(self.reason(directory="dangling"), "dir-not-found")

    @unittest.skipUnless(HAS_PERMISSIONS, "permissions do not bind this user")
    def test_has_to_be_readable(self):
        for path, mode in [("", 0), ("", 0o300), ("", 0o400), ("..", 0)]:
            with self.subTest(path=path, mode=mode):
                os.chmod(self.repository.path(path), mode)
                self.assertEqual(self.reason(), "dir-not-readable")
                os.chmod(self.repository.path(path), 0o700)
        self.assertEqual(self.reason(), "")


class DisplayTest(RootsTest):
    def test_is_relative_to_the_real_root_in_posix_spelling(self):
        os.makedirs(os.path.join(self.root, "a b", "ä"))
        for directory, display in [
            ("docs/adr", "docs/adr/"),
            ("./docs//adr/", "docs/adr/"),
            ("docs/adr/../adr", "docs/adr/"),
            ("a b/ä", "a b/ä/"),
            (".", ""),
        ]:
            with self.subTest(directory):
                self.assertEqual(locate(self.root, directory).display, display)

    def test_shows_undecodable_names_with_replacements(self):
        self.assertEqual(displayed(os.fsdecode(b"a\xffb")), "a\ufffdb")


class UnmovedTest(RootsTest):
    def test_holds_until_something_is_moved(self):
        location = locate(self.root, "docs/adr")
        self.repository.write("0001-x.md")
        self.assertTrue(location.is_unmoved())

    def test_tells_a_replaced_directory(self):
        location = locate(self.root, "docs/adr")
        os.rename(self.repository.path(), self.repository.path("../old"))
        self.assertFalse(location.is_unmoved())
        os.mkdir(self.repository.path())
        self.assertFalse(location.is_unmoved())

    def test_tells_a_link_that_leads_elsewhere(self):
        link = os.path.join(self.root, "link")
        os.symlink("docs/adr", link)
        location = locate(self.root, "link")
        os.unlink(link)
        os.symlink("docs", link)
        self.assertFalse(location.is_unmoved())

    def test_tells_a_replaced_root(self):
        location = locate(self.root, "docs/adr")
        os.rename(self.root, self.root + "-old")
        os.makedirs(os.path.join(self.root, ".git"))
        os.makedirs(self.repository.path())
        self.assertFalse(location.is_unmoved())


class MessagesTest(unittest.TestCase):
    def test_are_the_nine_reasons_of_the_contract_and_name_no_path(self):
        self.assertEqual(
            list(MESSAGES),
            [
                *("root-not-found", "root-not-directory", "root-not-readable", "root-not-git"),
                *("dir-not-found", "dir-not-directory", "dir-not-readable", "dir-outside-root"),
                "corpus-changed-during-load",
            ],
        )
        for message in MESSAGES.values():
            self.assertNotIn("/", message)


if __name__ == "__main__":
    unittest.main()
