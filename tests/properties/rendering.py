"""YAML texts whose value is known: JSON values, written in every style that YAML has for them."""

import re
from random import Random

from hypothesis import strategies as st

from .core_schema import resolve

_NOTES = ("", "", "", " # note", "  # - x: [y")
_BLANKS = ("", "", "", "\n", "# note\n", "      # key: value\n\n")
_NULLS = ("null", "~", "Null", "NULL")
_BOOLEANS = {True: ("true", "True", "TRUE"), False: ("false", "False", "FALSE")}
_INTEGERS = ("%d", "%d", "%+d", "%05d", "0x%x", "0o%o")

#: No text outside of double quotes: control characters but tab and line feed; the byte order mark.
_UNPRINTABLE = re.compile("[\0-\x08\x0b-\x1f\x7f\ufeff]")
#: No plain text: an indicator in front; a colon or a number sign that ends it; white space around it.
_NOT_PLAIN = re.compile(
    r"(?![-?:]\S)[-?:,\[\]{}#&*!|>'\"%@`]|---|\.\.\.|[ \t\n]|.*(?:[: \t\n]\Z|:[ \t\n]|[ \t\n]#)",
    re.DOTALL,
)
_NOT_FLOW_PLAIN = re.compile(r".*[,\[\]{}]|" + _NOT_PLAIN.pattern, re.DOTALL)
#: A line feed that no folding gives, as there is white space beside it.
_NOT_FOLDED = re.compile(r"(?:\A|[ \t])\n|\n(?:[ \t]|\Z)")
#: Where text can be folded: the line feeds or the space between two words.
_SEAM = re.compile(r"(?<=[^ \t\n])(\n+| )(?=[^ \t\n])")
_SHORT_ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
    "\x1b": "e", " ": " ", '"': '"', "/": "/", "\\": "\\",
    "\x85": "N", "\xa0": "_", "\u2028": "L", "\u2029": "P",
}  # fmt: skip


def texts(value):
    """The strategy of texts that mean the value, a map or a list that is not empty."""
    return st.integers(0, 2**64).map(lambda seed: _Writer(Random(seed)).document(value))


class _Writer:
    """Writes documents; each choice of a style is drawn.

    `column` is where an entry starts, so that further lines of its value stand to the right of it.
    """

    def __init__(self, random):
        self._random = random

    def document(self, value):
        column = self._pick((0, 0, 0, 3))
        text = self._pick(_BLANKS) + self._entries(value, column)
        if self._one_in(8) and text[0] not in " -":
            text = "\ufeff" + text
        return text.replace("\n", "\r\n") if self._one_in(4) else text

    def _one_in(self, count):
        return self._random.randrange(count) == 0

    def _pick(self, choices):
        return choices[self._random.randrange(len(choices))]

    def _line_end(self):
        return self._pick(_NOTES) + "\n" + self._pick(_BLANKS)

    def _indentation(self, column):
        return " " * (column + self._pick((1, 2, 2, 4)))

    # --- block style ---------------------------------------------------------------------------

    def _entries(self, value, column):
        """The lines of a map or a list."""
        if isinstance(value, dict):
            written = [self._key(key) + self._value(value[key], column, 0) for key in value]
        else:
            written = ["-" + self._item(item, column) for item in value]
        return "".join(" " * column + entry for entry in written)

    def _key(self, key):
        return self._one_line(key, _NOT_PLAIN) + self._pick((":", ":", ":", " :"))

    def _item(self, value, column):
        if not _has_entries(value) or self._one_in(2):
            return self._value(value, column, 1)
        gap = self._pick((1, 1, 3))
        return " " * gap + self._entries(value, column + 1 + gap).lstrip(" ")

    def _value(self, value, column, least):
        """All from behind a colon or dash to the last line end; a list below is `least` or more deeper."""
        if _has_entries(value) and not self._one_in(3):
            deeper = least if isinstance(value, list) and self._one_in(2) else self._pick((1, 2, 4))
            return self._line_end() + self._entries(value, column + deeper)
        if isinstance(value, str) and self._one_in(3) and _fits_block(value):
            return " " + self._block_scalar(value, column)
        if value is None and self._one_in(2):
            return self._line_end()
        gap = self._line_end() + self._indentation(column) if self._one_in(4) else " "
        return gap + self._inline(value, column, _NOT_PLAIN) + self._line_end()

    def _block_scalar(self, text, column):
        body = text.rstrip("\n")
        feeds = len(text) - len(body)
        width = self._pick((1, 2, 4))
        chomping = "-" if feeds == 0 else "" if feeds == 1 else "+"
        style = self._pick("|>")
        if style == ">":
            body = self._folded(body)
        lines = [" " * (column + width) + line if line else "" for line in body.split("\n")]
        header = style + self._pick(
            (chomping, "%s%d" % (chomping, width), "%d%s" % (width, chomping))
        )
        return header + self._pick(_NOTES) + "\n" + "\n".join(lines) + "\n" * max(1, feeds)

    def _folded(self, body):
        """Lines for the style `>`, which folds neither lines that start with white space nor around them."""
        parts = re.split(r"(\n+)", body)
        for index in range(0, len(parts), 2):
            if not parts[index].startswith((" ", "\t")):
                parts[index] = _SEAM.sub(self._pick((" ", " ", "\n")), parts[index])
        for index in range(1, len(parts), 2):
            around = parts[index - 1], parts[index + 1]
            if around[0] and not any(line.startswith((" ", "\t")) for line in around):
                parts[index] += "\n"
        return "".join(parts)

    # --- in a line, or over several ------------------------------------------------------------

    def _inline(self, value, column, not_plain):
        """A scalar or a collection in brackets."""
        if isinstance(value, dict):
            return self._brackets(
                "{}", [self._pair(key, value[key], column) for key in value], column
            )
        if isinstance(value, list):
            items = [self._inline(item, column, _NOT_FLOW_PLAIN) for item in value]
            return self._brackets("[]", items, column)
        if isinstance(value, str):
            return self._text(value, self._indentation(column), not_plain)
        return self._plain(value)

    def _plain(self, value):
        if value is None:
            return self._pick(_NULLS)
        if isinstance(value, bool):
            return self._pick(_BOOLEANS[value])
        if isinstance(value, float):
            return repr(value)
        return (self._pick(_INTEGERS) if value >= 0 else "%d") % value

    def _brackets(self, pair, items, column):
        text = "".join(self._gap(column) + item + self._gap(column) + "," for item in items)
        if items and not self._one_in(4):
            text = text[:-1]
        return pair[0] + text + self._gap(column) + pair[1]

    def _gap(self, column):
        """What may stand between the parts of a collection in brackets."""
        if self._one_in(6):
            return self._pick(_NOTES) + "\n" + self._pick(("", "\n")) + self._indentation(column)
        return self._pick(("", " "))

    def _pair(self, key, value, column):
        written = self._one_line(key, _NOT_FLOW_PLAIN)
        if value is None and self._one_in(2):
            return written
        colon = ":" if written[0] in "\"'" and self._one_in(4) else ": "
        return written + colon + self._inline(value, column, _NOT_FLOW_PLAIN)

    def _one_line(self, text, not_plain):
        if "\n" in text:
            return self._double_quoted(text, None)
        return self._text(text, None, not_plain)

    def _text(self, text, indentation, not_plain):
        """A string; without an indentation it stays on one line."""
        if _UNPRINTABLE.search(text) or _NOT_FOLDED.search(text) or self._one_in(4):
            return self._double_quoted(text, indentation)
        if not_plain.match(text) or not isinstance(resolve(text), str) or self._one_in(3):
            text = "'%s'" % text.replace("'", "''")
        return _SEAM.sub(lambda seam: self._fold(seam[0], indentation), text)

    def _double_quoted(self, text, indentation):
        parts = _SEAM.split(text)
        for index in range(0, len(parts), 2):
            parts[index] = "".join(map(self._character, parts[index]))
        for index in range(1, len(parts), 2):
            parts[index] = self._seam(parts[index], indentation)
        return '"%s"' % "".join(parts)

    def _seam(self, seam, indentation):
        if indentation is None or self._one_in(3):
            return "".join(map(self._character, seam))
        if self._one_in(4):
            return "".join(map(self._character, seam)) + "\\\n" + indentation
        return self._fold(seam, indentation)

    def _fold(self, seam, indentation):
        """Line feeds as one more of them, a space as it is or as one; white space before them is lost."""
        if seam == " " and (indentation is None or not self._one_in(4)):
            return " "
        feeds = "\n" if seam == " " else "\n" + seam
        return self._pick(("", "", " ", " \t")) + feeds + indentation

    def _character(self, character):
        needed = character in '"\\\n\t' or _UNPRINTABLE.match(character)
        if not needed and not self._one_in(16):
            return character
        if character in _SHORT_ESCAPES and self._one_in(2):
            return "\\" + _SHORT_ESCAPES[character]
        code = ord(character)
        if code < 0x100 and self._one_in(2):
            return "\\x%02x" % code
        if code < 0x10000 and self._one_in(2):
            return "\\u%04X" % code
        return "\\U%08x" % code


def _has_entries(value):
    return isinstance(value, (dict, list)) and len(value) > 0


def _fits_block(text):
    """Whether a literal text can be read back without looking at its indentation twice."""
    first = text.lstrip("\n")[:1]
    return first not in ("", " ", "\t") and not _UNPRINTABLE.search(text)
