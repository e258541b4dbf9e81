"""Certificates: the store that is trusted, and what is wrong with one that is not."""

from __future__ import annotations

import os
import ssl
import time

from .endpoint import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .endpoint import Endpoint

#: Results of verification by their numbers in OpenSSL (X509_STORE_CTX_get_error).
_NOT_YET_VALID = 9
_EXPIRED = 10
_UNKNOWN_ISSUER = (2, 18, 19, 20, 21)
_OTHER_NAME = (62, 64)


def make_context() -> ssl.SSLContext:
    """TLS that verifies, with the certificates of SSL_CERT_FILE and SSL_CERT_DIR, or the system's."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


def explain(error: ssl.SSLCertVerificationError, endpoint: Endpoint) -> str:
    """Why the certificate of the endpoint was not accepted, and what to look at."""
    text = f"the certificate of {endpoint}"
    code = error.verify_code
    if code in _UNKNOWN_ISSUER:
        return f"{text} is from an authority unknown to {_store()}{endpoint.advice()}"
    if code in _OTHER_NAME:
        return f"{text} is for another host: wrong {URL}?"
    today = time.strftime("%Y-%m-%d", time.gmtime())
    clock = f"or the clock of this machine is wrong (it says {today})"
    if code == _EXPIRED:
        return f"{text} has expired, {clock}"
    if code == _NOT_YET_VALID:
        return f"{text} is not valid yet, {clock}"
    return f"{text} was not accepted ({error.verify_message})"


def _store() -> str:
    """The store that was used, for a message."""
    paths = ssl.get_default_verify_paths()
    parts = []
    for variable, default in (("SSL_CERT_FILE", paths.cafile), ("SSL_CERT_DIR", paths.capath)):
        chosen = os.environ.get(variable)
        if chosen:
            missing = "" if os.path.exists(chosen) else ", which does not exist"
            parts.append(f"{variable} ({chosen}{missing})")
        elif default:
            parts.append(f"the default store {default}")
    return " and ".join(parts) or "the default store, which is empty"
