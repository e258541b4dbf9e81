"""ZIP archives that consist of the same bytes wherever and whenever they are made.

The layout is APPNOTE.TXT's plainest: no data descriptors, extra fields or comments.
"""

from __future__ import annotations

import struct
import time
import zlib

from .deflate import deflate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

_VERSION = 20  # of the format: 2.0, the first with deflate
_UNIX = 3
_MODE = 0o100644  # a regular file that everyone may read
_STORED, _DEFLATED = 0, 8
_FIRST_YEAR, _LAST_YEAR = 1980, 2107


def zip_archive(
    files: Mapping[str, bytes], mtime: int, prefix: bytes = b"", stored: Container[str] = ()
) -> bytes:
    """The files (name -> content) in the order of their names, all changed at `mtime`, after a prefix.

    `mtime`: seconds since 1970, brought into the years that the format can tell. `stored`: names of
    files that are left uncompressed. Names are ASCII.
    """
    entries = bytearray(prefix)
    directory = bytearray()
    stamp = _dos_time(mtime)
    for name, content in sorted(files.items()):
        method, packed = (_STORED, content) if name in stored else (_DEFLATED, deflate(content))
        sizes = (zlib.crc32(content), len(packed), len(content))
        common = struct.pack("<HHHHHIIIHH", _VERSION, 0, method, *stamp, *sizes, len(name), 0)
        directory += struct.pack("<4sBB", b"PK\1\2", _VERSION, _UNIX) + common
        directory += struct.pack("<HHHII", 0, 0, 0, _MODE << 16, len(entries))
        directory += name.encode("ascii")
        entries += b"PK\3\4" + common + name.encode("ascii") + packed
    counts = (len(files), len(files), len(directory), len(entries))
    return bytes(entries + directory + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, *counts, 0))


def _dos_time(mtime: int) -> tuple[int, int]:
    """(time of day, date) in UTC as MS-DOS packs them, to two seconds."""
    year, month, day, hour, minute, second = time.gmtime(mtime)[:6]
    if year < _FIRST_YEAR:
        year, month, day, hour, minute, second = _FIRST_YEAR, 1, 1, 0, 0, 0
    if year > _LAST_YEAR:
        year, month, day, hour, minute, second = _LAST_YEAR, 12, 31, 23, 59, 58
    date = (year - _FIRST_YEAR) << 9 | month << 5 | day
    return hour << 11 | minute << 5 | second // 2, date
