import base64

from tests.decisionscope.service import CANARY, Proxy, answering, silent, structured
from tests.decisionscope.support import ServiceCase

OK = answering(structured({"org_id": "o"}))


class ProxyTest(ServiceCase):
    def proxy(self, *answer):
        return self.enterContext(Proxy(*answer))

    def test_a_call_through_a_tunnel(self):
        service, proxy = self.service(OK), self.proxy()
        answer = self.call(service, HTTPS_PROXY=proxy.url)
        self.assertEqual(answer.data, {"org_id": "o"})
        (tunnel,) = proxy.requests
        self.assertEqual(tunnel.start, "CONNECT %s HTTP/1.1" % service.host)
        self.assertEqual(tunnel.headers, {"host": service.host})
        self.assertEqual(service.visits[0].headers["authorization"], "Bearer " + CANARY)
        self.assertEqual(service.visits[0].headers["host"], service.host)

    def test_credentials_are_for_the_proxy_alone(self):
        service, proxy = self.service(OK), self.proxy()
        url = proxy.url.replace("//", "//me:p%40ss@")
        self.call(service, HTTPS_PROXY=url)
        expected = "Basic " + base64.b64encode(b"me:p@ss").decode()
        self.assertEqual(proxy.requests[0].headers["proxy-authorization"], expected)
        self.assertNotIn("proxy-authorization", service.visits[0].headers)
        self.assertNotIn("Canary", str(proxy.requests[0].headers))

    def test_hosts_that_are_excepted_are_called_directly(self):
        for exception in ("localhost", "*", "other.example, localhost"):
            service, proxy = self.service(OK), self.proxy()
            self.call(service, HTTPS_PROXY=proxy.url, NO_PROXY=exception)
            self.assertEqual((proxy.requests, len(service.visits)), ([], 1))

    def test_plain_http_never_goes_through_a_proxy(self):
        service, proxy = self.service(OK, certificate=None), self.proxy()
        self.call(service, HTTPS_PROXY=proxy.url, HTTP_PROXY=proxy.url)
        self.assertEqual((proxy.requests, len(service.visits)), ([], 1))

    def failure(self, answer, requests=1):
        service, proxy = self.service(OK), self.proxy(answer)
        url = proxy.url.replace("//", "//me:secret@")
        text = self.fail_with(service, HTTPS_PROXY=url)
        self.assertEqual(len(proxy.requests), requests)
        self.assertEqual(service.connections, 0)
        self.assertNotIn("secret", text)
        self.assertIn("the proxy 127.0.0.1:%d" % proxy.port, text)
        return text

    def test_a_proxy_that_wants_credentials(self):
        text = self.failure(b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\nsecret")
        self.assertIn("answered 407: it wants a user and a password in HTTPS_PROXY", text)

    def test_a_proxy_that_refuses(self):
        text = self.failure(b"HTTP/1.1 403 No\r\n\r\n")
        self.assertIn("answered 403 when asked for localhost", text)

    def test_a_proxy_that_redirects(self):
        text = self.failure(b"HTTP/1.1 302 No\r\nLocation: https://evil.example/\r\n\r\n")
        self.assertIn("answered 302 when asked for localhost", text)

    def test_a_proxy_that_does_not_reach_the_endpoint(self):
        for status in (502, 503, 504):
            text = self.failure(b"HTTP/1.1 %d No\r\n\r\n" % status, requests=3)
            self.assertIn("answered %d when asked for localhost" % status, text)

    def test_a_proxy_that_breaks_off(self):
        self.assertIn("broke the connection", self.failure(b"", requests=3))

    def test_a_proxy_that_is_none(self):
        self.assertIn("does not speak HTTP", self.failure(b"SSH-2.0-OpenSSH\r\n"))

    def test_a_proxy_that_cannot_be_reached(self):
        service, proxy = self.service(OK), self.proxy()
        proxy.__exit__()
        text = self.fail_with(service, HTTPS_PROXY=proxy.url)
        self.assertIn("the proxy 127.0.0.1:%d cannot be reached" % proxy.port, text)

    def test_a_proxy_that_does_not_answer(self):
        service = self.service(OK, certificate=None, before=silent)
        text = self.fail_with(
            service,
            RITHMO_MCP_URL="https://record.example/mcp",
            HTTPS_PROXY="http://localhost:%d" % service.port,
            DECISIONSCOPE_TIMEOUT="0.4",
        )
        self.assertIn("while waiting for the proxy localhost:%d" % service.port, text)

    def test_what_fails_behind_the_proxy_is_told_of_the_endpoint(self):
        service, proxy = self.service(OK, certificate="other-host"), self.proxy()
        text = self.fail_with(service, HTTPS_PROXY=proxy.url)
        self.assertIn("the certificate of %s is for another host" % service.host, text)
