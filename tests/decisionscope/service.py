"""A hosted record on loopback, over real TLS: it answers any bytes at any pace and keeps what it got."""

import json
import os
import socket
import ssl
import struct
import threading

CERTIFICATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "certificates")
AUTHORITY = os.path.join(CERTIFICATES, "authority.pem")
AUTHORITY_HASH = "f20e0b1e.0"  # as `make.sh` prints it
_TICK = 0.05  # seconds between two looks at the end of the test
_PATIENCE = 5
CANARY = "Canary-5fD2c1B07a9E4d63"


class Visit:
    """A connection, as a reply sees it: what was asked, and how to answer."""

    def __init__(self, connection, stopping):
        self._connection = connection
        self._stopping = stopping
        self.start = ""
        self.headers = {}
        self.body = b""

    @property
    def message(self):
        return json.loads(self.body)

    @property
    def arguments(self):
        return self.message["params"]["arguments"]

    def read(self):
        """Read one request: whether there was one."""
        with self._connection.makefile("rb") as source:
            self.start = source.readline().decode("latin-1").strip()
            for line in iter(source.readline, b"\r\n"):
                if not line:
                    return False
                name, _, value = line.decode("latin-1").partition(":")
                self.headers[name.lower()] = value.strip()
            self.body = source.read(int(self.headers.get("content-length", "0")))
        return bool(self.start)

    def send(self, data):
        self._connection.settimeout(_PATIENCE)
        self._connection.sendall(data)
        self._connection.settimeout(_TICK)

    def pause(self, seconds):
        """Wait, but not beyond the end of the test."""
        self._stopping.wait(seconds)

    def is_left(self):
        """Wait for the client to leave: whether it did before the end of the test."""
        while not self._stopping.is_set():
            try:
                if not self._connection.recv(65536):
                    return True
            except socket.timeout:
                continue
            except OSError:
                return True
        return False

    def reset(self):
        """End the connection with a TCP reset."""
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._connection.close()


class Listener:
    """A server on a port of its own; a context that leaves no thread behind."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.stopping = threading.Event()
        self._threads = []
        self._lock = threading.Lock()

    def __enter__(self):
        self._start(self._accept)
        return self

    def __exit__(self, *exception):
        self.stopping.set()
        if self._socket.fileno() >= 0:
            with socket.socket() as last:  # ends the wait for a connection
                last.connect(("127.0.0.1", self.port))
        for thread in self._threads:
            thread.join(_PATIENCE)
        self._socket.close()

    def _start(self, target, *arguments):
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            connection = self._socket.accept()[0]
            if self.stopping.is_set():
                connection.close()
                return
            connection.settimeout(_TICK)
            self._start(self._run, connection)

    def _run(self, connection):
        try:
            self.serve(connection)
        except (OSError, ValueError):  # the client has left, perhaps in the middle of its request
            pass
        finally:
            connection.close()

    def serve(self, connection):
        raise NotImplementedError


class Service(Listener):
    """The endpoint. Each visit gets the next of the replies, which then repeat from the last on.

    A reply is bytes to send or a function that takes a Visit. `certificate`: its name, None for plain
    http. `before`: called with the socket before TLS starts. `visits` holds the requests, in order.
    """

    def __init__(self, *replies, certificate="good", before=None):
        super().__init__()
        self._replies = list(replies)
        self._before = before
        self._context = certificate and ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if certificate:
            chain = os.path.join(CERTIFICATES, certificate + ".pem")
            self._context.load_cert_chain(chain, os.path.join(CERTIFICATES, "server.key"))
        self.connections = 0
        self.visits = []
        self.url = "%s://localhost:%d/api/mcp" % ("https" if certificate else "http", self.port)
        self.host = "localhost:%d" % self.port

    def serve(self, connection):
        with self._lock:
            self.connections += 1
        if self._before:
            self._before(Visit(connection, self.stopping))
        if self._context:
            connection.settimeout(_PATIENCE)
            connection = self._context.wrap_socket(connection, server_side=True)
            connection.settimeout(_TICK)
        visit = Visit(connection, self.stopping)
        try:
            if not visit.read():
                return
            with self._lock:
                self.visits.append(visit)
                reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
            reply(visit) if callable(reply) else visit.send(reply)
        finally:
            connection.close()

    def environment(self, **variables):
        """What a client needs, with an authority for TLS that only a process of its own can use."""
        named = {"RITHMO_MCP_TOKEN": CANARY, "RITHMO_MCP_URL": self.url, "SSL_CERT_FILE": AUTHORITY}
        return {**named, **variables}


class Proxy(Listener):
    """An HTTP proxy that opens tunnels; `requests` holds the heads of the requests it got."""

    def __init__(self, answer=b"HTTP/1.1 200 Connection established\r\n\r\n"):
        super().__init__()
        self._answer = answer
        self.requests = []
        self.url = "http://127.0.0.1:%d" % self.port

    def serve(self, connection):
        visit = Visit(connection, self.stopping)
        if not visit.read():
            return
        self.requests.append(visit)
        visit.send(self._answer)
        if b" 200 " not in self._answer:
            return
        host, _, port = visit.start.split()[1].rpartition(":")
        with socket.create_connection((host, int(port)), _PATIENCE) as target:
            target.settimeout(_TICK)
            self._start(self._copy, connection, target)
            self._copy(target, connection)

    def _copy(self, source, target):
        try:
            while not self.stopping.is_set():
                try:
                    data = source.recv(65536)
                except socket.timeout:
                    continue
                if not data:
                    break
                target.sendall(data)
        except OSError:
            pass


def http(status, body=b"", content_type="application/json", **headers):
    """The bytes of a response that says how long it is."""
    fields = {"Content_Length": len(body), **headers}
    if content_type is not None:
        fields["Content_Type"] = content_type
    lines = ["HTTP/1.1 %d Whatever" % status]
    lines += ["%s: %s" % (name.replace("_", "-"), value) for name, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def response(visit, result):
    """The JSON-RPC response with this result, JSON text or a value, as text."""
    text = result if isinstance(result, str) else json.dumps(result)
    return '{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(visit.message["id"]), text)


def answering(result, status=200):
    """A reply with a result, as JSON."""
    return lambda visit: visit.send(http(status, response(visit, result).encode()))


def failing(error, status=200, **headers):
    """A reply with a JSON-RPC error for the call."""

    def reply(visit):
        message = {"jsonrpc": "2.0", "id": visit.message["id"], "error": error}
        visit.send(http(status, json.dumps(message).encode(), **headers))

    return reply


def structured(data):
    """The result of a tool that answers with this object."""
    return {"content": [{"type": "text", "text": json.dumps(data)}], "structuredContent": data}


def streaming(make):
    """A reply with an event stream, chunked: `make` gives the pieces for a visit."""

    def reply(visit):
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
        visit.send((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        for piece in make(visit):
            visit.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        visit.send(b"0\r\n\r\n")

    return reply


def silent(visit):
    """A reply that never comes."""
    visit.is_left()
