import unittest

from adrkit_mcp.corpus.frontmatter import FenceError, split


class SplitTest(unittest.TestCase):
    def test_gives_the_lines_between_the_fences_and_the_start_of_the_body(self):
        for source, head, body in [
            (b"---\na: 1\n---\nbody", b"a: 1\n", b"body"),
            (b"---\na: 1\nb: 2\n---\n\n\nbody\n", b"a: 1\nb: 2\n", b"\n\nbody\n"),
            (b"---\n---\n", b"", b""),
            (b"---\n---", b"", b""),
            (b"---\na: 1\n---", b"a: 1\n", b""),
            (b"---\na: 1\n---\r", b"a: 1\n", b""),
            (b"---\r\na: 1\r\n---\r\nbody\r\n", b"a: 1\r\n", b"body\r\n"),
            (b"---\na: 1\n---\nx\n---\ny", b"a: 1\n", b"x\n---\ny"),
            (b"---\n\xef\xbb\xbfa: 1\n---\n\xef\xbb\xbfx", b"\xef\xbb\xbfa: 1\n", b"\xef\xbb\xbfx"),
            (b"---\n\0\n---\n\0\r", b"\0\n", b"\0\r"),
        ]:
            with self.subTest(source):
                lines, start = split(source)
                self.assertEqual((lines, source[start:]), (head, body))

    def test_closes_at_the_first_fence_also_inside_a_quoted_or_block_scalar(self):
        source = b'---\na: "x\n---\ny"\n---\n'
        self.assertEqual(split(source), (b'a: "x\n', source.index(b"y")))

    def test_takes_nothing_else_for_a_closing_line(self):
        for line in (
            b"--- ",
            b"---\t",
            b" ---",
            b"----",
            b"---x",
            b"---\xc2\xa0",
            b"---\r\r",
            b"...",
        ):
            with self.subTest(line):
                self.assertRaises(FenceError, split, b"---\na: 1\n" + line + b"\nb\n")
                source = b"---\na: 1\n" + line + b"\n---\nbody"
                self.assertEqual(split(source)[0], b"a: 1\n" + line + b"\n")

    def test_takes_no_lone_carriage_return_for_a_line_end(self):
        self.assertRaises(FenceError, split, b"---\ra: 1\r---\rbody")
        self.assertRaises(FenceError, split, b"---\na: 1\r---\nbody")

    def test_says_why_the_first_fence_is_missing(self):
        for source, words in [
            (b"", "empty"),
            (b"\xef\xbb\xbf---\na: 1\n---\n", "byte order mark"),
            (b"\xff\xfe-\0-\0-\0", "UTF-16"),
            (b"\xfe\xff\0-\0-\0-", "UTF-16"),
            (b"-\0-\0-\0\n\0", "UTF-16"),
            (b"---- \n", "not exactly ---"),
            (b"--- # draft\n---\n", "not exactly ---"),
            (b"\n---\na: 1\n---\n", "blank lines"),
            (b"  ---\na: 1\n---\n", "spaces"),
            (b"# Title\n", "no frontmatter"),
        ]:
            with self.subTest(source):
                with self.assertRaises(FenceError) as caught:
                    split(source)
                self.assertIn(words, str(caught.exception))

    def test_says_that_the_frontmatter_is_not_closed(self):
        for source in (b"---", b"---\n", b"---\r\n", b"---\na: 1\n", b"---\na: 1\n--"):
            with self.subTest(source):
                with self.assertRaises(FenceError) as caught:
                    split(source)
                self.assertIn("not closed", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
