"""`server.json`: what the MCP registry is told of a release (schema of 2025-12-11)."""

from __future__ import annotations

import json

from .. import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OWNER = "adrkit-mcp"  # the account that publishes
_PACKAGE = "adrkit-mcp"  # on PyPI, and the repository and the image of the owner
_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_STDIO = {"type": "stdio"}

SERVER_NAME = f"io.github.{_OWNER}/{_PACKAGE}"
REPOSITORY = f"https://github.com/{_OWNER}/{_PACKAGE}"
IMAGE = f"ghcr.io/{_OWNER}/{_PACKAGE}:{__version__}"
#: At most 100 characters, or the registry refuses it.
DESCRIPTION = (
    "Offline, read-only search of Git-kept ADRs for coding agents, in pure standard-library Python."
)


def server_json() -> str:
    """The document, as text with an end of line."""
    return json.dumps(_server(), indent=2) + "\n"


def _server() -> dict[str, Any]:
    return {
        "$schema": _SCHEMA,
        "name": SERVER_NAME,
        "title": "Decision memory over Git-kept ADRs",
        "description": DESCRIPTION,
        "version": __version__,
        "repository": {"url": REPOSITORY, "source": "github"},
        "packages": [_pypi_package(), _image()],
    }


def _pypi_package() -> dict[str, Any]:
    return {
        "registryType": "pypi",
        "identifier": _PACKAGE,
        "version": __version__,
        "runtimeHint": "uvx",
        "transport": _STDIO,
        "environmentVariables": [
            {
                "name": "ADRKIT_MCP_CWD",
                "description": "Root of the repository (it holds .git); default: the current directory.",
                "format": "filepath",
            },
            _DIRECTORY,
        ],
    }


def _image() -> dict[str, Any]:
    """The image needs no argument of its own: its root is /repo. Its tag is the version."""
    return {
        "registryType": "oci",
        "identifier": IMAGE,
        "transport": _STDIO,
        "runtimeArguments": [
            {
                "type": "named",
                "name": "-v",
                "value": "{repository}:/repo:ro",
                "isRequired": True,
                "variables": {
                    "repository": {
                        "description": "Absolute path of the repository (it holds .git).",
                        "format": "filepath",
                        "isRequired": True,
                    }
                },
            }
        ],
        "environmentVariables": [_DIRECTORY],
    }


_DIRECTORY = {
    "name": "ADRKIT_MCP_DIR",
    "description": "Directory of the decision records below the root.",
    "default": "docs/adr",
}
