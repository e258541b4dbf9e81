"""SHA-256 from where `hashlib` has it: importing that imports algorithms that nobody here uses."""

try:
    from _hashlib import openssl_sha256 as sha256
except ImportError:  # an interpreter without OpenSSL
    from hashlib import sha256

__all__ = ["sha256"]
