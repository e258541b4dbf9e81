"""`python3 -m adrkit_mcp.pack [OUTDIR]`: writes the archives, SHA256SUMS and server.json; reproducible.

The archives tell the time in SOURCE_DATE_EPOCH (seconds since 1970) as that of all their files; without
it the first that the format knows.
"""

from __future__ import annotations

import hashlib
import os
import sys

from .archive import zip_archive
from .modules import needed_files
from .registry import server_json
from .untyped import untyped

#: The module whose `main` each program runs, its exit code when it is interrupted, and what its archive
#: holds for programs that import from it.
_PROGRAMS = {
    "adrkit-mcp": ("adrkit_mcp.cli", 0, ["adrkit_mcp.handle"]),
    "decisionscope": ("adrkit_mcp.decisionscope.cli", 130, []),
}
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ENTRY = "__main__.py"
_SHEBANG = b"#!/usr/bin/env python3\n"


def main(argv: list[str]) -> int:
    """Write everything into the directory named, or the current one; the exit code."""
    if len(argv) > 1 or argv[:1] in (["-h"], ["--help"]):
        sys.stderr.write("usage: python3 -m adrkit_mcp.pack [OUTDIR]\n")
        return 2
    outdir = argv[0] if argv else "."
    mtime = int(os.environ.get("SOURCE_DATE_EPOCH") or 0)
    archives = {f"{program}.pyz": build(program, mtime) for program in _PROGRAMS}
    sums = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in archives.items()
    )
    os.makedirs(outdir, exist_ok=True)
    for name, data in archives.items():
        _write(os.path.join(outdir, name), data, 0o755)
    _write(os.path.join(outdir, "SHA256SUMS"), sums.encode(), 0o644)
    _write(os.path.join(outdir, "server.json"), server_json().encode(), 0o644)
    return 0


def build(program: str, mtime: int) -> bytes:
    """A single file that runs a program, with all modules of this package that it needs."""
    module, interrupted, library = _PROGRAMS[program]
    sources = needed_files(_ROOT, module, *library)
    files = {name: untyped(source) for name, source in sources.items()}
    with open(os.path.join(os.path.dirname(__file__), "entry.py"), "rb") as stream:
        call = f'\n\nstart("{program}", "{module}", {interrupted})\n'
        files[_ENTRY] = stream.read() + call.encode()
    # stored, because the interpreter would look for zlib before the entry can say where
    return zip_archive(files, mtime, _SHEBANG, stored=(_ENTRY,))


def _write(path: str, data: bytes, mode: int) -> None:
    with open(path, "wb") as stream:
        stream.write(data)
    os.chmod(path, mode)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
