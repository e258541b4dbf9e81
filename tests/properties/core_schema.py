"""The types of plain scalars by the core schema of YAML 1.2.2, section 10.3.2, as the tests read it."""

import re

_TYPES = [
    (re.compile(pattern), read)
    for pattern, read in [
        ("null|Null|NULL|~|", lambda text: None),
        ("true|True|TRUE", lambda text: True),
        ("false|False|FALSE", lambda text: False),
        ("[-+]?[0-9]+", lambda text: int(text)),
        ("0o[0-7]+", lambda text: int(text[2:], 8)),
        ("0x[0-9a-fA-F]+", lambda text: int(text[2:], 16)),
        (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", float),
        (r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", lambda text: float(text.replace(".", ""))),
    ]
]


def resolve(text):
    """The value of a plain scalar."""
    for pattern, read in _TYPES:
        if pattern.fullmatch(text):
            return read(text)
    return text
