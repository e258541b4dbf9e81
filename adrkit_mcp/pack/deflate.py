"""DEFLATE (RFC 1951) whose output is the same on every machine.

zlib and its replacements compress the same bytes differently, so an archive made with them is
reproducible only where the same library is installed.
"""

from __future__ import annotations

_SHORTEST, _LONGEST = 3, 258  # bytes in a match
_WINDOW = 32 * 1024
_CANDIDATES = 64  # earlier places tried for a match, the nearest first
_END_OF_BLOCK = 256


def deflate(data: bytes) -> bytes:
    """`data` as one raw block with the fixed codes of RFC 1951, section 3.2.6."""
    bits = _Bits()
    bits.add(0b011, 3)  # the last block; fixed codes
    places: dict[bytes, list[int]] = {}
    at = 0
    while at < len(data):
        length, distance = _longest_match(data, at, places)
        if length < _SHORTEST:
            length = 1
            bits.add(*_CODES[data[at]])
        else:
            bits.add_range(length, _LENGTHS, _CODES)
            bits.add_range(distance, _DISTANCES, _DISTANCE_CODES)
        for passed in range(at, at + length):
            places.setdefault(data[passed : passed + _SHORTEST], []).append(passed)
        at += length
    bits.add(*_CODES[_END_OF_BLOCK])
    return bits.finish()


def _longest_match(data: bytes, at: int, places: dict[bytes, list[int]]) -> tuple[int, int]:
    """(length, distance) of the longest earlier occurrence of what follows; (0, 0) without one."""
    best, distance = 0, 0
    limit = min(_LONGEST, len(data) - at)
    if limit < _SHORTEST:
        return 0, 0
    for place in reversed(places.get(data[at : at + _SHORTEST], ())[-_CANDIDATES:]):
        if at - place > _WINDOW:
            break
        if data[place + best] != data[at + best]:
            continue
        length = _SHORTEST
        while length < limit and data[place + length] == data[at + length]:
            length += 1
        if length > best:
            best, distance = length, at - place
            if length == limit:
                break
    return best, distance


class _Bits:
    """A sequence of bits, packed from the lowest bit of each byte."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._pending = 0
        self._count = 0

    def add(self, value: int, width: int) -> None:
        self._pending |= value << self._count
        self._count += width
        while self._count >= 8:
            self._bytes.append(self._pending & 0xFF)
            self._pending >>= 8
            self._count -= 8

    def add_range(
        self, value: int, ranges: list[tuple[int, int, int]], codes: list[tuple[int, int]]
    ) -> None:
        """The code of the range that holds the value, then the value's place in it."""
        symbol, start, extra = next(found for found in reversed(ranges) if found[1] <= value)
        self.add(*codes[symbol])
        self.add(value - start, extra)

    def finish(self) -> bytes:
        self.add(0, -self._count % 8)
        return bytes(self._bytes)


def _ranges(
    first: int, lone: int, groups: int, size: int, start: int
) -> list[tuple[int, int, int]]:
    """(symbol, first value, extra bits) in order: `lone` values of their own, then `groups` of `size`
    ranges, each group with one extra bit more than the one before."""
    ranges = []
    for place in range(lone + groups * size):
        extra = max(0, (place - lone) // size + 1)
        ranges.append((first + place, start, extra))
        start += 1 << extra
    return ranges


def _codes(first: int, width: int, count: int) -> list[tuple[int, int]]:
    """(code, width) of `count` symbols with consecutive codes, whose bits go out highest first."""
    return [(int(f"{code:0{width}b}"[::-1], 2), width) for code in range(first, first + count)]


# RFC 1951, section 3.2.5: the ranges of lengths and distances
_LENGTHS = [*_ranges(257, 8, 5, 4, _SHORTEST), (285, _LONGEST, 0)]
_DISTANCES = _ranges(0, 4, 13, 2, 1)
# section 3.2.6: the fixed codes
_CODES = _codes(0x30, 8, 144) + _codes(0x190, 9, 112) + _codes(0, 7, 24) + _codes(0xC0, 8, 8)
_DISTANCE_CODES = _codes(0, 5, 30)
