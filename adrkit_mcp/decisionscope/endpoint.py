"""The endpoint and the way to it, read from the environment and checked before anything is sent."""

from __future__ import annotations

from .failures import BadSetting, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any
    from urllib.parse import SplitResult

URL = "RITHMO_MCP_URL"
TOKEN = "RITHMO_MCP_TOKEN"
TIMEOUT = "DECISIONSCOPE_TIMEOUT"
PROXY = "HTTPS_PROXY"
DEFAULT_URL = "https://app.rithmo.ai/api/mcp"
DEFAULT_TIMEOUT = "30"

_MOST_SECONDS = 3600
_SHORTEST_SECRET = 8  # a shorter token may stand in a text by chance
_PASSED_ON = "MCP clients pass on only the variables that their configuration names"


class Proxy:
    """An HTTP proxy: `credentials` for Basic authentication, already encoded, or empty."""

    __slots__ = ("credentials", "host", "port")

    def __init__(self, host: str, port: int, credentials: str) -> None:
        self.host = host
        self.port = port
        self.credentials = credentials

    def __str__(self) -> str:
        return f"the proxy {authority(self.host, self.port)}"


class Endpoint:
    """Where calls go: `target` is the path with the query, `timeout` the seconds of a whole call."""

    __slots__ = ("host", "port", "proxy", "target", "timeout", "tls", "token")

    def __init__(
        self,
        tls: bool,
        host: str,
        port: int,
        target: str,
        token: str,
        timeout: float,
        proxy: Proxy | None,
    ) -> None:
        self.tls = tls
        self.host = host
        self.port = port
        self.target = target
        self.token = token
        self.timeout = timeout
        self.proxy = proxy

    def __str__(self) -> str:
        """The host, and the port where it is not the usual one: all that a message may show."""
        full = authority(self.host, self.port)
        return full.rpartition(":")[0] if self.port == _usual_port(self.tls) else full

    def hide(self, value: Any) -> Any:
        """A JSON value with the token blotted out of its texts, should the endpoint repeat it."""
        if isinstance(value, str):
            known = len(self.token) >= _SHORTEST_SECRET and self.token in value
            return value.replace(self.token, "***") if known else value
        if isinstance(value, dict):
            return {self.hide(key): self.hide(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.hide(item) for item in value]
        return value

    def advice(self) -> str:
        """What to look at when the endpoint cannot be reached, or its certificate is unknown."""
        if self.proxy is not None or is_loopback(self.host):
            return ""
        needed = f"{PROXY}, and SSL_CERT_FILE for its certificates"
        return f"; where a proxy is needed, set {needed} ({_PASSED_ON})"


def read_endpoint(environment: Mapping[str, str]) -> Endpoint:
    """The endpoint the environment names. Raises Failure for the token, BadSetting for all else."""
    token = environment.get(TOKEN, "")
    _check_token(token)
    url = _split_url(environment.get(URL, DEFAULT_URL))
    tls = url.scheme == "https"
    host = url.hostname or ""
    port = url.port or _usual_port(tls)
    target = (url.path or "/") + ("?" + url.query if url.query else "")
    proxy = _find_proxy(environment, host, port) if tls else None
    return Endpoint(tls, host, port, target, token, _timeout(environment), proxy)


def authority(host: str, port: int) -> str:
    """host:port as URLs and headers write it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether a host name or an address never leaves this machine."""
    address = host.startswith("127.") and host.replace(".", "").isdigit()
    return address or host in ("localhost", "::1")


def _usual_port(tls: bool) -> int:
    return 443 if tls else 80


def _check_token(token: str) -> None:
    if not token:
        wanted = "it must hold the service token of your organization"
        raise Failure(f"{TOKEN} is not set: {wanted} ({_PASSED_ON})")
    _check_reference(TOKEN, token, Failure)
    if token[:7].lower() == "bearer ":
        raise Failure(f'{TOKEN} must not begin with "Bearer ": set the token alone')
    _check_characters(TOKEN, token, Failure)


def _split_url(url: str) -> SplitResult:
    from urllib.parse import urlsplit

    if not url:
        raise BadSetting(f"{URL} is empty: set it to the endpoint, or unset it for {DEFAULT_URL}")
    _check_reference(URL, url, BadSetting)
    _check_characters(URL, url, BadSetting)
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise BadSetting(f"{URL} is not a URL such as {DEFAULT_URL}")
    if "@" in parts.netloc:
        raise BadSetting(f"{URL} must not hold a user or a password: the token goes into {TOKEN}")
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise BadSetting(f"{URL} must begin with https://, http is for localhost alone")
    if parts.scheme not in ("http", "https"):
        raise BadSetting(f"{URL} must begin with https://")
    return parts


def _timeout(environment: Mapping[str, str]) -> float:
    try:
        seconds = float(environment.get(TIMEOUT) or DEFAULT_TIMEOUT)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= _MOST_SECONDS:
        raise BadSetting(
            f"{TIMEOUT} must be a number of seconds, above 0 and up to {_MOST_SECONDS}"
        )
    return seconds


def _find_proxy(environment: Mapping[str, str], host: str, port: int) -> Proxy | None:
    """The proxy to the host; variables in lower case come first, as with other programs."""
    url = environment.get(PROXY.lower(), environment.get(PROXY, ""))
    exceptions = environment.get("no_proxy", environment.get("NO_PROXY", ""))
    if not url or _is_excepted(host, port, exceptions):
        return None
    from base64 import b64encode
    from urllib.parse import unquote, urlsplit

    _check_reference(PROXY, url, BadSetting)
    _check_characters(PROXY, url, BadSetting)
    try:
        parts = urlsplit(url if "://" in url else "http://" + url)
        usable = parts.scheme == "http" and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise BadSetting(f"{PROXY} must be the URL of a proxy, such as http://proxy.example:3128")
    credentials = ""
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        credentials = b64encode(pair.encode()).decode()
    return Proxy(parts.hostname or "", parts.port or 80, credentials)


def _is_excepted(host: str, port: int, exceptions: str) -> bool:
    """Whether NO_PROXY names the host: itself or a parent domain, with its port or without, or `*`."""
    names = (host, f"[{host}]", authority(host, port))
    for entry in exceptions.lower().replace(",", " ").split():
        domain = entry.lstrip("*").lstrip(".")
        if entry == "*" or domain in names:
            return True
        if domain and any(name.endswith("." + domain) for name in names):
            return True
    return False


def _check_reference(variable: str, text: str, kind: type[Failure]) -> None:
    """Some clients hand over `${NAME}` as these very letters: unset, or not expanded there at all."""
    if "${" in text or text.startswith("$") or (text.startswith("%") and text.endswith("%")):
        raise kind(f"{variable} is a reference to a variable that was not replaced by its value")


def _check_characters(variable: str, text: str, kind: type[Failure]) -> None:
    """Visible ASCII without quotes and backslashes: nothing that ends a header or hides a host."""
    for position, character in enumerate(text, 1):
        if not "!" <= character <= "~" or character in "\"'`\\":
            where = f"character {position} of {len(text)}"
            raise kind(f"{variable}: {where} is {_name(character)}; set the bare value")


def _name(character: str) -> str:
    if character in "\r\n":
        return "a line break"
    if character in "\"'`":
        return "a quotation mark"
    if not character.isascii():
        return "not ASCII"
    return {" ": "a space", "\\": "a backslash"}.get(character, "a control character")
