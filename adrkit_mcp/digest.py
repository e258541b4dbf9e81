"""SHA-256, from the module that `hashlib` has it from: importing that one takes longer, for algorithms unused here."""

try:
    from _hashlib import openssl_sha256 as sha256
except ImportError:  # an interpreter without OpenSSL
    from hashlib import sha256

__all__ = ["sha256"]
