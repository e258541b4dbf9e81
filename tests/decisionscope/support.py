"""Calls in this process, against a service whose authority OpenSSL knows of."""

import os
import traceback
import unittest
from unittest import mock

from adrkit_mcp.decisionscope.client import Client
from adrkit_mcp.decisionscope.failures import Failure
from tests.decisionscope.service import AUTHORITY, CANARY, Service

DELAYS = (0.01, 0.02)
#: Variables that would change what is tested.
FOREIGN = ("SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy")


def clean_environment(**variables):
    """This process's environment without what would change the tests."""
    own = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return {**own, "SSL_CERT_DIR": os.devnull, **variables}


class ServiceCase(unittest.TestCase):
    """A test with a service."""

    def setUp(self):
        self.trust(SSL_CERT_FILE=AUTHORITY)

    def trust(self, **variables):
        """Set what OpenSSL reads by itself, until the end of the test."""
        patch = mock.patch.dict(os.environ, clean_environment(**variables), clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def service(self, *replies, **options):
        service = Service(*replies, **options)
        self.enterContext(service)
        return service

    def enterContext(self, context):  # as unittest has it since Python 3.11
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def call(self, service, tool="whoami", arguments=None, **variables):
        client = Client(service.environment(**variables), DELAYS)
        return client.call(tool, arguments or {})

    def fail_with(self, service, **variables):
        """The text of the failure of a call, proven to be one line without the token."""
        with self.assertRaises(Failure) as caught:
            self.call(service, **variables)
        error = caught.exception
        shown = [str(error), repr(error), *traceback.format_exception(None, error, None)]
        self.assertNotIn(CANARY[:8].lower(), "".join(shown).lower())
        self.assertNotIn("\n", str(error))
        return str(error)

    def failure(self, *replies, **variables):
        """The failure of a call, and how many requests it took."""
        service = self.service(*replies)
        return self.fail_with(service, **variables), len(service.visits)
