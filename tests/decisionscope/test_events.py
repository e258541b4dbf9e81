import unittest

from adrkit_mcp.decisionscope.events import messages

EVENTS = {
    "LF": b"data: one\n\ndata: two\n\n",
    "CRLF": b"data: one\r\n\r\ndata: two\r\n\r\n",
    "CR": b"data: one\r\rdata: two\r\r",
    "mixed": b"data: one\r\n\ndata: two\r\r\n",
    "mark": b"\xef\xbb\xbfdata: one\n\ndata: two\n\n",
    "no blank": b"data:one\n\ndata:two\n\n",
    "comments": b": hello\n\ndata: one\n: still there\n\n:\n\ndata: two\n\n",
    "other fields": b"id: 1\nretry: 5\nevent: message\ndata: one\n\nid\nunknown: x\ndata: two\n\n",
    "other events": b"event: ping\ndata: {}\n\ndata: one\n\nevent: end\ndata: x\n\ndata: two\n\n",
    "empty events": b"\n\n\ndata: one\n\n\n\nevent: ping\n\ndata: two\n\n",
    "last line missing": b"data: one\n\ndata: two\n",
    "last line end missing": b"data: one\n\ndata: two",
}


class MessagesTest(unittest.TestCase):
    def test_each_way_of_writing_two_messages(self):
        for name, stream in EVENTS.items():
            with self.subTest(name):
                self.assertEqual(list(messages([stream])), [b"one", b"two"])

    def test_streams_cut_anywhere(self):
        for name, stream in EVENTS.items():
            for cut in range(1, len(stream)):
                with self.subTest(name, cut=cut):
                    pieces = [stream[:cut], stream[cut:]]
                    self.assertEqual(list(messages(pieces)), [b"one", b"two"])

    def test_byte_by_byte(self):
        for name, stream in EVENTS.items():
            with self.subTest(name):
                pieces = [stream[i : i + 1] for i in range(len(stream))]
                self.assertEqual(list(messages(pieces)), [b"one", b"two"])

    def test_several_data_lines_are_one_message(self):
        self.assertEqual(list(messages([b"data: {\ndata\ndata:  }\n\n"])), [b"{\n\n }"])

    def test_a_message_comes_before_the_stream_goes_on(self):
        def pieces():
            yield b"data: one\r"
            yield b"\r"
            raise AssertionError("the message was whole before")

        self.assertEqual(next(messages(pieces())), b"one")

    def test_nothing(self):
        for stream in (b"", b"\n", b"data", b"event: message\n\n", b": only a comment"):
            with self.subTest(stream):
                expected = [b""] if stream == b"data" else []
                self.assertEqual(list(messages([stream])), expected)

    def test_long_lines_in_small_pieces_take_linear_time(self):
        pieces = [b"data: "] + [b"x" * 16] * 200_000 + [b"\n\n"]
        (message,) = messages(pieces)
        self.assertEqual(len(message), 16 * 200_000)
