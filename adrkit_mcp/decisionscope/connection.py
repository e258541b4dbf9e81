"""A connection to the endpoint, through a proxy where one is set; every step ends with the deadline."""

from __future__ import annotations

import io
import socket
import ssl
import threading
import time
from http.client import HTTPException, HTTPResponse

from . import certificates
from .endpoint import URL, authority, is_loopback
from .failures import Failure, Passing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from .deadline import Deadline
    from .endpoint import Endpoint, Proxy

    Peer = Union[Endpoint, Proxy]

_CONNECTING = (
    10.0  # seconds to find and reach a host; when it takes longer, something is in the way
)
_MOST_SENT = 64 * 1024


class Stream:
    """A connected socket; `received` counts the bytes that came from the other end.

    Raises socket.timeout when the deadline passes, and OSError as sockets do.
    """

    def __init__(self, connected: socket.socket, deadline: Deadline) -> None:
        self._socket = connected
        self._deadline = deadline
        self.received = 0

    def secure(self, context: ssl.SSLContext, host: str) -> None:
        """Start TLS, with the certificate verified for the host."""
        # With its own handshake, `wrap_socket` leaves it out when the other end is gone already.
        secured = context.wrap_socket(
            self._socket, server_hostname=host, do_handshake_on_connect=False
        )
        self._socket = secured
        secured.settimeout(self._deadline.left())
        secured.do_handshake()
        self.received = 0

    def send(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self._socket.settimeout(self._deadline.left())
            rest = rest[self._socket.send(rest[:_MOST_SENT]) :]

    def receive_into(self, buffer: Any) -> int:
        """Read what has come into a buffer: the number of bytes, 0 at the end."""
        self._socket.settimeout(self._deadline.left())
        count = self._socket.recv_into(buffer)
        self.received += count
        return count

    def response(self, method: str) -> HTTPResponse:
        """The response to a request of this method, its head read. Raises HTTPException too."""
        response = HTTPResponse(self, method=method)  # type: ignore[arg-type]
        response.begin()
        return response

    def makefile(self, mode: str) -> io.BufferedReader:
        """What HTTPResponse wants of a socket."""
        return io.BufferedReader(_Reader(self))

    def close(self) -> None:
        self._socket.close()


class _Reader(io.RawIOBase):
    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._stream.receive_into(buffer)


def connect(endpoint: Endpoint, context: ssl.SSLContext | None, deadline: Deadline) -> Stream:
    """A stream to the endpoint; `context` is for TLS, where the endpoint has it. Raises Failure."""
    peer = endpoint.proxy or endpoint
    addresses = _look_up(endpoint, peer, deadline)
    stream = Stream(_reach(endpoint, peer, addresses, deadline), deadline)
    try:
        if endpoint.proxy is not None:
            _open_tunnel(stream, endpoint, endpoint.proxy, deadline)
        if context is not None:
            _start_tls(stream, endpoint, context, deadline)
    except BaseException as error:
        stream.close()
        if isinstance(error, socket.timeout):
            raise deadline.failure() from None
        raise
    return stream


def head(start: str, fields: dict[str, str]) -> bytes:
    """The head of an HTTP request."""
    lines = [start, *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode("ascii")


def _look_up(endpoint: Endpoint, peer: Peer, deadline: Deadline) -> list[Any]:
    """The addresses of the peer, found on a thread of its own: nothing else ends a slow look-up."""
    deadline.phase = f"looking up the name of {peer}"
    found: list[Any] = []

    def look_up() -> None:
        try:
            found.append(socket.getaddrinfo(peer.host, peer.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.append(error)

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    limit = min(deadline.left(), _CONNECTING)
    thread.join(limit)
    if not found:
        raise _too_late(f"the name of {peer} was not found", endpoint, limit, deadline)
    if isinstance(found[0], Exception):
        kind = Passing if getattr(found[0], "errno", None) == socket.EAI_AGAIN else Failure
        cause = _cause(found[0])
        raise kind(f"the name of {peer} cannot be found ({cause}){endpoint.advice()}")
    if not endpoint.tls and not all(is_loopback(item[4][0]) for item in found[0]):
        raise Failure(f"{peer} is not this machine, so that http is not safe: use https")
    return list(found[0])


def _reach(
    endpoint: Endpoint, peer: Peer, addresses: list[Any], deadline: Deadline
) -> socket.socket:
    """A socket connected to the first address that answers; each has its share of the time."""
    deadline.phase = f"connecting to {peer}"
    limit = min(deadline.left(), _CONNECTING)
    end = time.monotonic() + limit
    failed = OSError()
    for index, address in enumerate(addresses):
        try:
            return _dial(address, max(0.01, end - time.monotonic()) / (len(addresses) - index))
        except OSError as error:
            failed = error
    if isinstance(failed, socket.timeout):
        raise _too_late(f"{peer} did not answer", endpoint, limit, deadline)
    raise Passing(f"{peer} cannot be reached ({_cause(failed)}){endpoint.advice()}")


def _dial(address: Any, seconds: float) -> socket.socket:
    family, kind, protocol, _, destination = address
    candidate = socket.socket(family, kind, protocol)
    try:
        candidate.settimeout(seconds)
        candidate.connect(destination)
    except BaseException:
        candidate.close()
        raise
    return candidate


def _too_late(what: str, endpoint: Endpoint, limit: float, deadline: Deadline) -> Failure:
    if limit < _CONNECTING:
        return deadline.failure()
    return Failure(f"{what} within {limit:g} s{endpoint.advice()}")


def _open_tunnel(stream: Stream, endpoint: Endpoint, proxy: Proxy, deadline: Deadline) -> None:
    """Ask the proxy for a way to the endpoint (CONNECT, RFC 9110 section 9.3.6)."""
    deadline.phase = f"waiting for {proxy}"
    destination = authority(endpoint.host, endpoint.port)
    fields = {"Host": destination}
    if proxy.credentials:
        fields["Proxy-Authorization"] = f"Basic {proxy.credentials}"
    try:
        stream.send(head(f"CONNECT {destination} HTTP/1.1", fields))
        status = stream.response("CONNECT").status
    except socket.timeout:
        raise
    except OSError:
        raise Passing(f"{proxy} broke the connection") from None
    except HTTPException:
        raise Failure(f"{proxy} does not speak HTTP") from None
    if status == 407:
        raise Failure(f"{proxy} answered 407: it wants a user and a password in HTTPS_PROXY")
    if not 200 <= status < 300:
        kind = Passing if status in (502, 503, 504) else Failure
        raise kind(f"{proxy} answered {status} when asked for {endpoint}")


def _start_tls(
    stream: Stream, endpoint: Endpoint, context: ssl.SSLContext, deadline: Deadline
) -> None:
    deadline.phase = f"starting TLS with {endpoint}"
    try:
        stream.secure(context, endpoint.host)
    except socket.timeout:
        raise
    except ssl.SSLCertVerificationError as error:
        raise Failure(certificates.explain(error, endpoint)) from None
    except (ssl.SSLEOFError, ssl.SSLZeroReturnError, ConnectionError):
        raise Passing(f"{endpoint} broke the connection while TLS was starting") from None
    except ssl.SSLError as error:
        question = f"does {URL} name a port that speaks TLS?"
        raise Failure(f"TLS with {endpoint} failed ({error.reason}): {question}") from None
    except OSError as error:
        raise Passing(f"TLS with {endpoint} failed ({_cause(error)})") from None


def _cause(error: BaseException) -> str:
    """What went wrong, in words of the system, never in words that the other end may have chosen."""
    return getattr(error, "strerror", None) or type(error).__name__
