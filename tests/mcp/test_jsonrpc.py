import unittest

from adrkit_mcp.jsontext import Encoded
from adrkit_mcp.mcp import jsonrpc
from adrkit_mcp.mcp.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR


class Parsing(unittest.TestCase):
    def invalid(self, line, code, id=None):
        with self.subTest(line=line[:60]):
            message = jsonrpc.parse(line)
            self.assertIsInstance(message, jsonrpc.Invalid)
            self.assertEqual((message.code, message.id), (code, id))
            self.assertLess(len(message.text), 200)

    def test_request(self):
        message = jsonrpc.parse(b' {"jsonrpc":"2.0","id":7,"method":"a","params":{"x":1},"y":2}\r')
        self.assertIsInstance(message, jsonrpc.Request)
        self.assertEqual((message.id, message.method, message.params), (7, "a", {"x": 1}))

    def test_absent_params_are_empty(self):
        self.assertEqual(jsonrpc.parse(b'{"jsonrpc":"2.0","id":7,"method":"a"}').params, {})

    def test_method_names_are_compared_decoded(self):
        message = jsonrpc.parse(rb'{"jsonrpc":"2.0","id":1,"method":"tools\/\u006cist"}')
        self.assertEqual(message.method, "tools/list")

    def test_notification_whatever_its_params(self):
        for params in (b"{}", b"[]", b"null", b'"x"', b"5"):
            with self.subTest(params=params):
                line = b'{"jsonrpc":"2.0","method":"a","params":' + params + b"}"
                message = jsonrpc.parse(line)
                self.assertIsInstance(message, jsonrpc.Notification)
                self.assertEqual(message.params, {})

    def test_blank_lines_want_no_answer(self):
        for line in (b"", b" ", b"\t", b"\r", b" \r"):
            with self.subTest(line=line):
                self.assertIsNone(jsonrpc.parse(line))

    def test_responses_want_no_answer(self):
        for line in (
            b'{"jsonrpc":"2.0","id":1,"result":{}}',
            b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
            b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}',
            b'{"result":null}',
            b'{"jsonrpc":"1.0","id":[],"error":1}',
        ):
            with self.subTest(line=line):
                self.assertIsNone(jsonrpc.parse(line))

    def test_not_json(self):
        for line in (
            b"{",
            b"{]",
            b"hello",
            b"Content-Length: 5",
            b"{} {}",
            b"{} x",
            b'{"a":1,}',
            b"{'a':1}",
            b'{"a":01}',
            b'{"a":"\x01"}',
            b'{"a":1} // no',
            b'{"id":NaN}',
            b"Infinity",
            b"-Infinity",
            b"\x0b",
            b"\xc2\x85",
            b'\xef\xbb\xbf{"a":1}',
            b"\x00",
            b"[" * 100_000,
            b"[" * 100_000 + b"]" * 100_000,
            b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        ):
            self.invalid(line, PARSE_ERROR)

    def test_not_utf8(self):
        for line in (b"\xff", b'{"a":"\xc3\x28"}', b'{"a":"\xed\xa0\x80"}', b"{\x00}\x00"):
            self.invalid(line, PARSE_ERROR)
        self.invalid('{"jsonrpc":"2.0"}'.encode("utf-16"), PARSE_ERROR)

    def test_no_object(self):
        for line in (b"42", b'"x"', b"null", b"true"):
            self.invalid(line, INVALID_REQUEST)

    def test_wrong_version_or_method(self):
        self.invalid(b"{}", INVALID_REQUEST)
        self.invalid(b'{"id":3}', INVALID_REQUEST, 3)
        self.invalid(b'{"method":"ping","id":3}', INVALID_REQUEST, 3)
        self.invalid(b'{"jsonrpc":2.0,"method":"ping","id":"3"}', INVALID_REQUEST, "3")
        self.invalid(b'{"jsonrpc":"1.0","method":"ping","id":null}', INVALID_REQUEST)
        self.invalid(b'{"jsonrpc":"2.0","id":0}', INVALID_REQUEST, 0)
        self.invalid(b'{"jsonrpc":"2.0","id":0,"method":5}', INVALID_REQUEST, 0)
        self.invalid(b'{"jsonrpc":"2.0","method":null}', INVALID_REQUEST)

    def test_unusable_ids(self):
        for id in (b"null", b"true", b"1.5", b"1.0", b"1e2", b"1e999", b"9" * 5000, b"{}", b"[]"):
            self.invalid(b'{"jsonrpc":"2.0","method":"ping","id":' + id + b"}", INVALID_REQUEST)

    def test_params_must_be_an_object(self):
        for params in (b"[]", b"null", b'"x"', b"1"):
            line = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + params + b"}"
            self.invalid(line, INVALID_PARAMS, 1)

    def test_a_batch_holds_messages_but_no_batch(self):
        batch = jsonrpc.parse(b'[{"jsonrpc":"2.0","id":1,"method":"a"},{"result":1},[],5]')
        self.assertIsInstance(batch, jsonrpc.Batch)
        kinds = [type(message).__name__ for message in batch.messages()]
        self.assertEqual(kinds, ["Request", "NoneType", "Invalid", "Invalid"])


class Building(unittest.TestCase):
    def test_ids_come_back_to_the_digit(self):
        for text in ("0", "-7", "9007199254740993", "1" + "0" * 30, '""', '"1"', r'"\ud800\u0000"'):
            with self.subTest(id=text):
                line = '{"jsonrpc":"2.0","id":%s,"method":"ping"}' % text
                answer = jsonrpc.result(jsonrpc.parse(line.encode()).id, {})
                self.assertEqual(answer.decode(), '{"jsonrpc":"2.0","id":%s,"result":{}}' % text)

    def test_an_error_without_an_id_has_no_such_member(self):
        self.assertEqual(
            jsonrpc.error(None, -32700, "Parse error"),
            b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}',
        )

    def test_an_error_with_data(self):
        self.assertEqual(
            jsonrpc.error("a", 1, "x", {"y": "\u2028é"}),
            '{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"x",'
            '"data":{"y":"\u2028é"}}}'.encode(),
        )

    def test_no_raw_line_end(self):
        self.assertNotIn(b"\n", jsonrpc.result("a\nb", {"c\n": "\n\r"}))

    def test_encoded_text_stands_for_its_value(self):
        answer = jsonrpc.result(1, [Encoded('{"a":1}'), 2])
        self.assertEqual(answer, b'{"jsonrpc":"2.0","id":1,"result":[{"a":1},2]}')

    def test_shown_text_is_short_and_printable(self):
        self.assertEqual(jsonrpc.shown("tools/lïst 決"), "tools/lïst 決")
        self.assertEqual(jsonrpc.shown("a\u202eb\n\x00\ud800"), r"a\u202eb\n\x00\ud800")
        self.assertLess(len(jsonrpc.shown("x" * 10_000)), 100)
        self.assertLess(len(jsonrpc.shown("\U0001f6a2\u202e" * 10_000)), 1000)


if __name__ == "__main__":
    unittest.main()
