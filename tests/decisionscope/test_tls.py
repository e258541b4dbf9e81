import os
import shutil
import ssl
import tempfile
import time
import warnings

from tests.decisionscope.service import AUTHORITY, AUTHORITY_HASH, answering, structured
from tests.decisionscope.support import ServiceCase

OK = answering(structured({"org_id": "o"}))


class TrustTest(ServiceCase):
    def test_an_authority_in_a_file(self):
        self.assertEqual(self.call(self.service(OK)).data, {"org_id": "o"})

    def test_an_authority_in_a_directory(self):
        folder = tempfile.mkdtemp(prefix="decisionscope-test-")
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(AUTHORITY, os.path.join(folder, AUTHORITY_HASH))
        self.trust(SSL_CERT_DIR=folder, SSL_CERT_FILE=os.devnull)
        self.assertEqual(self.call(self.service(OK)).data, {"org_id": "o"})

    def test_an_address_instead_of_a_name(self):
        service = self.service(OK)
        url = "https://127.0.0.1:%d/mcp" % service.port
        self.assertEqual(self.call(service, RITHMO_MCP_URL=url).data, {"org_id": "o"})


class DistrustTest(ServiceCase):
    def check(self, certificate, *expected, **variables):
        service = self.service(OK, certificate=certificate)
        text = self.fail_with(service, **variables)
        for part in ("the certificate of localhost:", *expected):
            self.assertIn(part, text)
        self.assertEqual((service.connections, service.visits), (1, []))
        return text

    def test_an_authority_that_is_not_known(self):
        self.trust(SSL_CERT_FILE=os.devnull)
        known = "SSL_CERT_FILE (%s) and SSL_CERT_DIR (%s)" % (os.devnull, os.devnull)
        self.check("good", "is from an authority unknown to " + known)

    def test_a_file_that_is_not_there(self):
        self.trust(SSL_CERT_FILE="/no/such.pem")
        self.check("good", "unknown to SSL_CERT_FILE (/no/such.pem, which does not exist)")

    def test_the_default_store(self):
        self.trust()
        del os.environ["SSL_CERT_DIR"]
        text = self.check("good", "unknown to the default store")
        paths = ssl.get_default_verify_paths()
        for path in filter(None, (paths.cafile, paths.capath)):
            self.assertIn("the default store " + path, text)

    def test_a_certificate_that_is_its_own_authority(self):
        self.check("self-signed", "is from an authority unknown to SSL_CERT_FILE")

    def test_an_unknown_authority_that_introduces_itself(self):
        self.trust(SSL_CERT_FILE=os.devnull)
        self.check("with-authority", "is from an authority unknown to SSL_CERT_FILE")

    def test_another_host(self):
        self.check("other-host", "is for another host: wrong RITHMO_MCP_URL?")
        service = self.service(OK, certificate="other-host")
        url = "https://127.0.0.1:%d/mcp" % service.port
        text = self.fail_with(service, RITHMO_MCP_URL=url)
        self.assertIn("is for another host: wrong RITHMO_MCP_URL?", text)

    def test_a_certificate_that_has_expired(self):
        today = time.strftime("%Y-%m-%d", time.gmtime())
        self.check("expired", "has expired, or the clock", "(it says %s)" % today)

    def test_a_certificate_of_the_future(self):
        self.check("not-yet-valid", "is not valid yet, or the clock", "(it says 20")

    def test_no_variable_turns_verification_off(self):
        off = dict.fromkeys(
            (
                "PYTHONHTTPSVERIFY",
                "NODE_TLS_REJECT_UNAUTHORIZED",
                "SSL_VERIFY",
                "GIT_SSL_NO_VERIFY",
            ),
            "0",
        )
        self.trust(SSL_CERT_FILE=os.devnull, **off)
        self.check("good", "is from an authority unknown to", **off)


class NoTlsTest(ServiceCase):
    def test_a_port_that_speaks_no_tls(self):
        service = self.service(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9, certificate=None,
                               before=lambda visit: visit.send(b"HTTP/1.1 400 No\r\n\r\n"))  # fmt: skip
        url = service.url.replace("http:", "https:")
        text = self.fail_with(service, RITHMO_MCP_URL=url)
        self.assertRegex(
            text, r"TLS with localhost:\d+ failed \([A-Z_]+\): does RITHMO_MCP_URL name"
        )

    def test_old_tls_is_refused(self):
        service = self.service(OK)
        service._context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # old is the point
            service._context.maximum_version = ssl.TLSVersion.TLSv1_1
        self.assertRegex(self.fail_with(service), "TLS with localhost:.* failed|while TLS")
