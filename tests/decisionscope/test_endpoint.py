import unittest

from adrkit_mcp.decisionscope.endpoint import DEFAULT_URL, read_endpoint
from adrkit_mcp.decisionscope.failures import BadSetting, Failure

TOKEN = "canary-5fd2c1b07a9e4d63"


def read(url=None, **variables):
    given = {"RITHMO_MCP_TOKEN": TOKEN, **variables}
    if url is not None:
        given["RITHMO_MCP_URL"] = url
    return read_endpoint(given)


class TokenTest(unittest.TestCase):
    def refusal(self, token):
        given = {} if token is None else {"RITHMO_MCP_TOKEN": token}
        with self.assertRaises(Failure) as caught:
            read_endpoint({**given, "RITHMO_MCP_URL": "ftp://the-token-is-looked-at-first"})
        self.assertNotIsInstance(caught.exception, BadSetting)
        self.assertIn("RITHMO_MCP_TOKEN", str(caught.exception))
        return str(caught.exception)

    def test_a_token_that_is_missing(self):
        for token in (None, ""):
            with self.subTest(token):
                self.assertIn("is not set", self.refusal(token))

    def test_characters_are_refused_by_position(self):
        cases = {
            TOKEN + "\n": "character 24 of 24 is a line break",
            "\r" + TOKEN: "character 1 of 24 is a line break",
            TOKEN[:5] + " " + TOKEN[5:]: "character 6 of 24 is a space",
            " ": "character 1 of 1 is a space",
            '"%s"' % TOKEN: "character 1 of 25 is a quotation mark",
            TOKEN + "'": "character 24 of 24 is a quotation mark",
            TOKEN + "\t": "character 24 of 24 is a control character",
            TOKEN + "\x00": "character 24 of 24 is a control character",
            TOKEN + "\x7f": "character 24 of 24 is a control character",
            TOKEN + "\\": "character 24 of 24 is a backslash",
            TOKEN + "é": "character 24 of 24 is not ASCII",
            "\u201c" + TOKEN: "character 1 of 24 is not ASCII",
        }
        for token, expected in cases.items():
            with self.subTest(expected):
                text = self.refusal(token)
                self.assertIn(expected, text)
                self.assertNotIn("canary", text)

    def test_a_scheme_before_the_token(self):
        for scheme in ("Bearer ", "bearer ", "BEARER "):
            with self.subTest(scheme):
                text = self.refusal(scheme + TOKEN)
                self.assertIn('must not begin with "Bearer "', text)
                self.assertNotIn("canary", text)

    def test_a_reference_that_was_not_replaced(self):
        for token in ("${RITHMO_MCP_TOKEN}", "${env:X}", "x${Y}", "$TOKEN", "%RITHMO_MCP_TOKEN%"):
            with self.subTest(token):
                text = self.refusal(token)
                self.assertIn("not replaced by its value", text)

    def test_any_other_visible_character_will_do(self):
        for token in ("a", "%a", "a%", "1|x:y;z", "eyJhbGciOi.J9-_~+/=", "!#$%&()*,<>?@[]^{}"):
            with self.subTest(token):
                self.assertEqual(read_endpoint({"RITHMO_MCP_TOKEN": token}).token, token)

    def test_the_token_is_in_no_rendering(self):
        endpoint = read(HTTPS_PROXY="http://me:secret@proxy:3128")
        for text in (str(endpoint), repr(endpoint), str(endpoint.proxy), repr(endpoint.proxy)):
            self.assertNotIn("canary", text)
            self.assertNotIn("secret", text)
            self.assertNotIn(endpoint.proxy.credentials, text)


class HideTest(unittest.TestCase):
    def test_a_token_that_comes_back_is_blotted_out(self):
        value = {TOKEN: ["x%sx" % TOKEN, 1, None, {"a": "token " + TOKEN}], "b": "canary"}
        hidden = {"***": ["x***x", 1, None, {"a": "token ***"}], "b": "canary"}
        self.assertEqual(read().hide(value), hidden)

    def test_a_short_token_leaves_texts_alone(self):
        endpoint = read(RITHMO_MCP_TOKEN="changes")
        self.assertEqual(endpoint.hide("changes"), "changes")
        endpoint = read(RITHMO_MCP_TOKEN="changes8")
        self.assertEqual(endpoint.hide("changes8"), "***")


class UrlTest(unittest.TestCase):
    def test_usable_urls(self):
        cases = {
            None: ("app.rithmo.ai", 443, "/api/mcp", True),
            "https://record.example": ("record.example", 443, "/", True),
            "HTTPS://Record.Example/": ("record.example", 443, "/", True),
            "https://record.example:8443/mcp?x=1": ("record.example", 8443, "/mcp?x=1", True),
            "https://record.example:443/mcp": ("record.example", 443, "/mcp", True),
            "https://[2001:db8::1]/mcp#part": ("2001:db8::1", 443, "/mcp", True),
            "http://localhost:8080": ("localhost", 8080, "/", False),
            "http://127.0.0.1/mcp": ("127.0.0.1", 80, "/mcp", False),
            "http://127.9.9.9:1/mcp": ("127.9.9.9", 1, "/mcp", False),
            "http://[::1]:8080/mcp": ("::1", 8080, "/mcp", False),
        }
        for url, expected in cases.items():
            with self.subTest(url):
                found = read(url)
                self.assertEqual((found.host, found.port, found.target, found.tls), expected)

    def test_what_a_message_shows_of_them(self):
        cases = {
            DEFAULT_URL: "app.rithmo.ai",
            "https://record.example:8443/secret?token=1": "record.example:8443",
            "https://[::1]/": "[::1]",
            "http://[::1]:443/": "[::1]:443",
        }
        for url, expected in cases.items():
            with self.subTest(url):
                self.assertEqual(str(read(url)), expected)

    def test_urls_that_are_refused(self):
        cases = {
            "": "is empty",
            " ": "character 1 of 1 is a space",
            "https://record.example/mcp\n": "is a line break",
            "https://record.example\\@evil.example": "is a backslash",
            "https://récord.example": "is not ASCII",
            "${RITHMO_MCP_URL}": "not replaced by its value",
            "https://user:pw@record.example/x?token=1": "must not hold a user",
            "https://user@record.example": "must not hold a user",
            "https://@record.example": "must not hold a user",
            "http://record.internal/mcp": "must begin with https://",
            "http://localhost.record.example": "must begin with https://",
            "http://127.0.0.1.record.example": "must begin with https://",
            "http://0.0.0.0": "must begin with https://",
            "ftp://record.example": "must begin with https://",
            "file:///etc/passwd": "is not a URL",
            "https:///x": "is not a URL",
            "https://": "is not a URL",
            "https://:443/x": "is not a URL",
            "https://record.example:0": "is not a URL",
            "https://record.example:port": "is not a URL",
            "https://record.example:99999": "is not a URL",
            "https://[::1": "is not a URL",
            "record.example/mcp": "is not a URL",
            "//record.example": "must begin with https://",
        }
        for url, expected in cases.items():
            with self.subTest(url), self.assertRaises(BadSetting) as caught:
                read(url)
            text = str(caught.exception)
            self.assertIn("RITHMO_MCP_URL", text, url)
            self.assertIn(expected, text, url)
            for part in ("user:", "pw", "token=", "passwd"):
                self.assertNotIn(part, text, url)


class TimeoutTest(unittest.TestCase):
    def test_usable_limits(self):
        for text, expected in {None: 30, "": 30, "5": 5, "0.5": 0.5, "3600": 3600}.items():
            with self.subTest(text):
                given = {} if text is None else {"DECISIONSCOPE_TIMEOUT": text}
                self.assertEqual(read(**given).timeout, expected)

    def test_limits_that_are_refused(self):
        for text in ("0", "-1", "abc", "nan", "inf", "3601", "5s", " "):
            with self.subTest(text), self.assertRaises(BadSetting) as caught:
                read(DECISIONSCOPE_TIMEOUT=text)
            self.assertIn("DECISIONSCOPE_TIMEOUT", str(caught.exception))


class ProxyTest(unittest.TestCase):
    def test_a_proxy(self):
        cases = {
            "http://proxy.example:3128": ("proxy.example", 3128, ""),
            "http://proxy.example": ("proxy.example", 80, ""),
            "proxy.example:3128/": ("proxy.example", 3128, ""),
            "http://me:p%40ss@[::1]:8080": ("::1", 8080, "bWU6cEBzcw=="),
            "http://me@proxy.example": ("proxy.example", 80, "bWU6"),
        }
        for url, expected in cases.items():
            with self.subTest(url):
                proxy = read(HTTPS_PROXY=url).proxy
                self.assertEqual((proxy.host, proxy.port, proxy.credentials), expected)

    def test_proxies_that_are_refused(self):
        for url in ("https://me:pw@proxy:3128", "socks5://proxy", "http://", "http://me:pw@proxy:x",
                    "http://proxy:0", "${HTTPS_PROXY}", "http://pro xy", "pw\n"):  # fmt: skip
            with self.subTest(url), self.assertRaises(BadSetting) as caught:
                read(HTTPS_PROXY=url)
            self.assertIn("HTTPS_PROXY", str(caught.exception))
            self.assertNotIn("pw", str(caught.exception))

    def test_no_proxy(self):
        self.assertIsNone(read().proxy)
        self.assertIsNone(read(HTTPS_PROXY="").proxy)
        self.assertIsNone(read("http://localhost:8080", HTTPS_PROXY="http://proxy").proxy)
        self.assertIsNone(read(HTTP_PROXY="http://proxy").proxy)

    def test_lower_case_comes_first(self):
        both = {"https_proxy": "http://lower", "HTTPS_PROXY": "http://upper"}
        self.assertEqual(read(**both).proxy.host, "lower")
        self.assertIsNone(read(https_proxy="", HTTPS_PROXY="http://upper").proxy)
        self.assertIsNone(read(HTTPS_PROXY="http://proxy", no_proxy="*", NO_PROXY="").proxy)

    def test_exceptions(self):
        url = "https://record.corp.example:8443/mcp"
        for entry in ("*", "record.corp.example", "corp.example", ".corp.example", "*.corp.example",
                      "RECORD.corp.Example", "record.corp.example:8443", "corp.example:8443",
                      "a, corp.example ,b", "a corp.example"):  # fmt: skip
            with self.subTest(entry):
                self.assertIsNone(read(url, HTTPS_PROXY="http://proxy", NO_PROXY=entry).proxy)
        for entry in ("", ",", ".", "orp.example", "record", "record.corp.example:443", "other"):
            with self.subTest(entry):
                self.assertIsNotNone(read(url, HTTPS_PROXY="http://proxy", NO_PROXY=entry).proxy)
        for entry in ("::1", "[::1]", "[::1]:8443"):
            with self.subTest(entry):
                found = read("https://[::1]:8443", HTTPS_PROXY="http://proxy", NO_PROXY=entry)
                self.assertIsNone(found.proxy)
