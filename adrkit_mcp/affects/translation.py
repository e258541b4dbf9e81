"""What a glob means by the full route: read token by token, each rule at the token it belongs to.

The peer writes a regular expression piece by piece. What a token gives depends on the kind of the token
before, on whether parentheses or braces are open, and here and there on what follows. Where that ends in
a meaning nobody would mean, the pattern is refused.
"""

from __future__ import annotations

import re

from ..ecma import trim
from . import expression as ex
from .characters import Charset, class_charset, escaped_units, read_class
from .errors import Unmatchable, unsupported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from .expression import Expression, Item

#: Groups and braces open at one time.
MAX_DEPTH = 64

# Kinds of tokens, as far as later tokens look back at them.
START, SLASH, DOT, TEXT, STAR, GLOBSTAR = "start", "slash", "dot", "text", "star", "globstar"
CLASS, OPEN, CLOSE, BRACE, COMMA, AT, OTHER = "class", "(", ")", "brace", "comma", "at", "other"

_here = re.compile(r"(?:\./)*")
_plain = re.compile(r"[^@!\[\].,$*+?^{}()|\\/]*")
_stars = re.compile(r"\**")
_more_globstars = re.compile(r"(?:/\*\*(?![^/]))*")
_extglob = re.compile(r"\((?!\?)")
_star_extglob = re.compile(r"\([^?]")
_negation = re.compile(r"\((?!\?[:=!<])")
_lookaround = re.compile(r"[:=!<]")
_last_suffix = re.compile(r"\.[^\\/.]+")
_class_syntax = re.compile(r"[-*+?.^${}(|)\[\]]")
_range_part = re.compile(r"\.\.|[^.,/*?]+|[.,/*?]")
_no_range_part = re.compile(r"""[]\\"[(){}+|^$]|\*\*""")
_no_literal_braces = re.compile(r"""["(|]|\*\*""")
_unclear_branches = re.compile(r"""\"|\[\^?\]|\[[^][]*\[(?!:)""")


def translate(pattern: str) -> list[list[Item]]:
    """The branches of a pattern of UTF-16 units; a path matches if all of it matches one of them.

    Raises GlobError for what is refused, Unmatchable for what matches its own text only.
    """
    pattern = pattern[_end(_here, pattern, 0) :]
    reader = _Reader(pattern, loose=False)
    branches = reader.read()
    return _Reader(pattern, loose=True).read() if reader.loosens else branches


def read_escape(text: str, index: int) -> tuple[Item, int]:
    """What an escape outside of a class gives, and the index after; `index` is behind the backslash."""
    following = text[index : index + 1]
    if following == "\\" and text[max(0, index - 2) : index + 2].count("\\") == 2:
        return "\\", index + 1  # no path has one, so nothing that needs it matches
    if following in ("", "\\"):
        raise unsupported("a backslash that stands for itself", "/ between directories")
    if following in "bB":
        raise unsupported("\\" + following, "/ between directories, or the character alone")
    units, index = escaped_units(text, index)
    return (units if isinstance(units, str) else ex.unit_in(Charset(units))), index


class _Frame:
    """What is open: the whole pattern (mark ""), braces ("{"), a group ("(") or an extglob ("@", "+"...)."""

    __slots__ = ("begin", "branches", "chosen", "grouping", "inner", "invalid", "items", "mark", "nested",
                 "opened", "ranged", "repeat", "texts")  # fmt: skip

    def __init__(self, mark: str, opened: int) -> None:
        self.mark = mark
        self.opened = self.begin = opened
        self.branches: list[list[Item]] = []
        self.items: list[Item] = []
        self.texts: list[str] = []  # of the branches
        self.inner: list[str] = []  # what an extglob remembers of its tokens
        self.repeat = (0, 0)  # where the last repeat within the branch stands
        self.chosen = self.ranged = self.nested = self.grouping = False
        self.invalid = False  # the peer's expression does not compile

    def split(self, pattern: str, index: int) -> None:
        """End a branch before `index`."""
        self.branches.append(self.items)
        self.texts.append(pattern[self.begin : index])
        first, last = self.repeat
        if last and not trim(pattern[self.begin : first] + pattern[last:index]):
            self.nested = True
        self.items, self.begin, self.repeat = [], index + 1, (0, 0)


class _Reader:
    """One reading of a pattern; if `loose`, dots right behind plain text match any character."""

    def __init__(self, pattern: str, loose: bool) -> None:
        self.loosens = False
        self._loose = loose
        self._pattern = pattern
        self._index = 0
        self._kind = self._before = START
        self._whole = True  # a quantifier may follow
        self._frames = [_Frame("", 0)]
        self._extglobs: list[_Frame] = []
        self._parens = self._braces = 0
        self._quoted = -1  # the index after the last quoted text
        self._last_bracket = pattern.rfind("]")
        self._closing_tail = len(pattern.rstrip(")"))

    def read(self) -> list[list[Item]]:
        while self._index < len(self._pattern):
            char = self._pattern[self._index]
            self._index += 1
            _TOKENS.get(char, _Reader._text)(self)
        if self.loosens and self._quoted >= 0:
            raise unsupported("a quoted text in such a pattern", "backslashes instead of quotes")
        return self._finish()

    # Steps that tokens share.

    def _shift(self, kind: str, value: str = "") -> None:
        """Note a token; an extglob around it remembers the `value`. A globstar glued to text is a star."""
        glued = kind not in (SLASH, OPEN, CLOSE, AT) and not self._parts(kind)
        if self._kind == GLOBSTAR and glued:
            self._frames[-1].items[-1] = ex.star
        if self._extglobs:
            self._extglobs[-1].inner.append(value)
        self._before, self._kind, self._whole = self._kind, kind, True

    def _parts(self, kind: str) -> bool:
        """Whether a token of this kind bounds a branch of braces."""
        return self._braces > 0 and kind in (BRACE, COMMA)

    def _add(self, kind: str, item: Item, value: str = "") -> None:
        self._shift(kind, value)
        self._frames[-1].items.append(item)

    def _quantify(self, quantifier: Callable[[Item], Expression], kind: str) -> None:
        """Apply a quantifier of regular expressions to what stands before."""
        frame = self._frames[-1]
        if self._whole and frame.items and frame.items[-1] != "":
            last = frame.items.pop()
            if isinstance(last, str):
                frame.items.append(last[:-1])
                last = last[-1]
            frame.items.append(quantifier(last))
        else:
            frame.invalid = True
        self._shift(kind)
        self._whole = False

    def _follows(self, expression: re.Pattern[str]) -> bool:
        return expression.match(self._pattern, self._index) is not None

    def _require_unit(self) -> None:
        """At the very start, some constructs want a character that is no line break."""
        top = self._frames[0]
        if len(self._frames) == 1 and not top.items and not top.branches:
            top.items.append(ex.some_unit)

    # Plain text, escapes, quotes.

    def _text(self) -> None:
        self._run(self._index - 1)

    def _run(self, begin: int) -> None:
        self._index = _end(_plain, self._pattern, self._index)
        run = self._pattern[begin : self._index]
        self._add(TEXT, run, run)

    def _null(self) -> None:
        raise unsupported("a NUL", "the pattern without it")

    def _backslash(self) -> None:
        following = self._pattern[self._index : self._index + 1]
        if following and following in "/.;":
            return
        item, self._index = read_escape(self._pattern, self._index)
        self._add(TEXT, item, following)

    def _quote(self) -> None:
        """Literal text up to the next quote. It is no token: what follows looks back past it."""
        if self._kind == GLOBSTAR:
            raise unsupported("a quoted text after **", "backslashes instead of quotes")
        while self._index < len(self._pattern):
            char = self._pattern[self._index]
            self._index += 1
            if char == '"':
                break
            if char == "\\":
                self._backslash()
                continue
            self._frames[-1].items.append(char)
            if self._kind == OPEN:
                self._kind = CLOSE
        self._quoted = self._index

    # Slashes, dots, stars, question marks.

    def _slash(self) -> None:
        self._add(SLASH, "/", "/")

    def _dot(self) -> None:
        if self._braces > 0 and self._kind == DOT:
            next(frame for frame in reversed(self._frames) if frame.mark == "{").ranged = True
            self._shift(OTHER)
        elif self._braces + self._parens == 0 and self._kind not in (START, SLASH):
            loose = self._loose and self._kind == TEXT
            self._add(TEXT, ex.any_unit_of_line if loose else ".", ".")
        else:
            self._add(DOT, ".", ".")

    def _star(self) -> None:
        begin = self._index - 1
        if begin == self._quoted:
            raise unsupported("a star after a quoted text", "backslashes instead of quotes")
        self._index = _end(_stars, self._pattern, begin)
        run = self._index - begin
        spans = self._kind in (START, SLASH, OPEN, CLOSE) or self._parts(self._kind)
        if self._follows(_star_extglob) and not (spans and run > 2):
            if run > 1:
                self._stars(begin, run - 1)
            self._open_extglob("*")
        elif spans and run == 2:
            self._globstar(begin)
        else:
            self._stars(begin, run)
            self.loosens |= spans and run > 2

    def _stars(self, begin: int, run: int) -> None:
        """One star, or a run that means one."""
        guarded = self._guard(begin)
        if guarded and self._pattern[begin + 1 : begin + 2] != "*":
            self._frames[-1].items.append(ex.some_unit)
        self._add(STAR, ex.star, "*" * run)
        self._whole = False

    def _guard(self, begin: int) -> bool:
        """Keep stars off a first dot of a segment, and off completing `.` or `..`."""
        dot = self._kind == DOT
        guarded = dot or begin == 0 or self._kind == SLASH
        if guarded:
            self._frames[-1].items.append(ex.no_dot_name if dot else ex.no_dot)
        return guarded

    def _globstar(self, begin: int) -> None:
        """`**` where a segment or a branch begins; alone in its segment it takes slashes with it."""
        items = self._frames[-1].items
        self._index = _end(_more_globstars, self._pattern, self._index)
        rest = self._pattern[self._index : self._index + 2]
        within = self._kind == SLASH and self._before != START
        if within and not rest and self._before not in (STAR, GLOBSTAR):
            items[-1] = ex.tree_below
            self._shift(OTHER, "*")
        elif within and rest[:1] == "/":
            items[-1] = ex.closed_directories if rest == "/" else ex.directories
            self._globstar_slash()
        elif self._kind == START and rest[:1] == "/":
            if self._loose:
                items.append(ex.no_dot)
            items.append(ex.leading_directories)
            self._globstar_slash()
        else:
            self._guard(begin)
            self._add(GLOBSTAR, ex.globstar, "*")
            self._whole = False

    def _globstar_slash(self) -> None:
        self._index += 1
        self._shift(GLOBSTAR, "*")
        self._shift(SLASH, "/")

    def _question(self) -> None:
        if self._kind == OPEN:
            if self._follows(_lookaround):
                construct = "(?" + self._pattern[self._index]
                raise unsupported(construct, "\\( for a parenthesis in a name")
            self._add(TEXT, "?", "?")
        elif self._follows(_extglob):
            self._open_extglob("?")
        elif self._kind != CLOSE:
            first = self._kind in (START, SLASH)
            self._add(OTHER, ex.any_unit_but_dot if first else ex.any_unit, "?")
        elif self._pattern.startswith("<", self._index):
            raise unsupported(")?<", "\\< for the character")
        elif self._whole:
            self._quantify(ex.optional, TEXT)
        else:  # marks the quantifier before as lazy
            self._shift(TEXT, "?")
            self._whole = False

    # Other operators.

    def _plus(self) -> None:
        if self._follows(_extglob):
            self._open_extglob("+")
        elif self._kind == OPEN or (self._parens <= 0 and self._kind not in (CLASS, CLOSE, BRACE)):
            self._add(OTHER, "+", "+")
        elif self._kind == BRACE and not self._frames[-1].items:
            raise unsupported("a + that opens a branch", "\\+ for the character")
        else:
            self._quantify(ex.repeated, OTHER)

    def _exclamation(self) -> None:
        if self._follows(_negation):
            self._open_extglob("!")
        else:
            self._text()

    def _at(self) -> None:
        if self._follows(_extglob):
            self._shift(AT, "@")
            self._index += 1
            self._open("@")
        else:
            self._add(TEXT, "@", "@")

    def _comma(self) -> None:
        frame = self._frames[-1]
        if frame.mark != "{":
            self._add(COMMA, ",", ",")
            return
        self._shift(COMMA, ",")
        frame.chosen = True
        frame.split(self._pattern, self._index - 1)

    def _pipe(self) -> None:
        frame = self._frames[-1]
        if frame.mark == "{" and self._extglobs:
            raise unsupported("a | in braces within %s(" % self._extglobs[-1].mark, "a comma")
        self._shift(TEXT, "|")
        frame.split(self._pattern, self._index - 1)

    # Classes.

    def _bracket(self) -> None:
        if self._last_bracket < self._index:
            self._add(CLASS, "[", "[")
            return
        found = read_class(self._pattern, self._index)
        if not found:
            raise unsupported("a [ that is never closed", "\\[ for the character")
        text, naming, named, self._index = found
        if named:
            self.loosens = True
            self._require_unit()
        if text[0] == "^" and not naming and "/" not in text:
            text += "/"
        try:
            item: Item = ex.unit_in(class_charset(text))
        except Unmatchable:
            self._frames[-1].invalid = True
            item = ""
        if not _class_syntax.search(text):
            item = ex.choice([["[", *_escaped_text(text), "]"], [item]])
        self._add(CLASS, item, "[")

    def _closing_bracket(self) -> None:
        self._add(TEXT, "]", "]")

    # Groups.

    def _open_extglob(self, mark: str) -> None:
        self._require_unit()
        self._shift(OTHER, mark)
        self._index += 1
        self._open(mark)
        self._extglobs.append(self._frames[-1])

    def _open_group(self) -> None:
        self._open("(")
        if self._pattern.startswith("?:", self._index):
            self._index += 2
            self._run(self._index)

    def _open(self, mark: str) -> None:
        if self._parens < 0:
            raise unsupported("a group after a ) that closes none", "\\) for the character")
        self._parens += 1
        self._shift(OPEN)
        self._push(mark)

    def _push(self, mark: str) -> None:
        if len(self._frames) > MAX_DEPTH:
            raise unsupported(
                "such deep nesting", "at most %d groups within each other" % MAX_DEPTH
            )
        self._frames.append(_Frame(mark, self._index))

    def _pop(self) -> _Frame:
        frame = self._frames.pop()
        frame.split(self._pattern, self._index - 1)
        self._frames[-1].grouping = True
        return frame

    def _close_group(self) -> None:
        mark = self._frames[-1].mark
        if mark == "{" or self._parens < 0:
            raise unsupported("a ) that closes no group", "\\) for the character")
        self._parens -= 1
        if not mark:
            self._add(CLOSE, ")")
            return
        frame = self._pop()
        parent = self._frames[-1]
        if self._pattern[frame.opened - 2 : frame.opened - 1] in ("+", "*"):
            parent.repeat = (frame.opened - 2, self._index)
        if mark in "+*?!":
            self._extglobs.pop()
        self._shift(CLOSE)
        self._whole = mark in "(@!"
        if mark in "+*" and self._close_defused(frame):
            return
        parent.invalid |= frame.invalid
        body = ex.choice(frame.branches)
        if mark == "!":
            self._close_negation(body, "".join(frame.inner))
            return
        if mark in "+*":
            body = ex.repeated(body)
        parent.items.append(ex.optional(body) if mark in "*?" else body)

    def _close_negation(self, body: Expression, inner: str) -> None:
        """`!(...)`: what follows it decides what it excludes, and what is within which text it takes."""
        items = self._frames[-1].items
        text = ex.globstar if "/" in inner and len(inner) > 1 else ex.star
        if "*" in inner and _last_suffix.fullmatch(self._pattern, self._index):
            suffix, *others = translate(self._pattern[self._index :])
            excluded = ex.choice([[body, *suffix], *others])
            items.append(ex.sequence([ex.not_followed_by([excluded]), text]))
        elif text is ex.globstar or self._index >= self._closing_tail:
            items += [ex.not_followed_by([body, ex.end]), text]
        else:
            items.append(ex.sequence([ex.not_followed_by([body]), text]))

    def _close_defused(self, frame: _Frame) -> bool:
        """Whether this repeat is not taken as one; then that is what it became."""
        from .repeats import defused  # not loaded for the patterns that most records have

        body = self._pattern[frame.opened : self._index - 1]
        if _unclear_branches.search(body):
            raise unsupported("a repeat of such branches", "them without quotes and brackets")
        units = defused(frame.texts, frame.nested)
        if units is None:
            return False
        items = self._frames[-1].items
        if units:
            ranges = tuple((ord(unit), ord(unit)) for unit in units)
            items.append(ex.optional(ex.repeated(ex.unit_in(Charset(ranges)))))
        elif "\\" in body:
            raise unsupported("a repeat of overlapping branches", "each text once")
        else:
            items.append("%s(%s)" % (frame.mark, body))
            self._whole = True
        self.loosens = True
        return True

    # Braces.

    def _open_brace(self) -> None:
        self._braces += 1
        self._shift(BRACE, "{")
        self._push("{")

    def _close_brace(self) -> None:
        if not self._braces:
            self._add(TEXT, "}", "}")
            return
        if self._frames[-1].mark != "{":
            raise unsupported("a } within parentheses", "\\} for the character")
        self._shift(BRACE, "}")
        self._braces -= 1
        frame = self._pop()
        parent = self._frames[-1]
        body = self._pattern[frame.opened : self._index - 1]
        if frame.ranged:
            parent.items += _range(body)
            self.loosens = True
            return
        parent.invalid |= frame.invalid
        if frame.chosen:
            parent.items.append(ex.choice(frame.branches))
        elif _no_literal_braces.search(body):
            raise unsupported("such braces without a comma", "a comma, or \\{ and \\}")
        else:
            parent.items += ["{", *frame.branches[0], "}"]

    # The end.

    def _finish(self) -> list[list[Item]]:
        if self._braces:
            raise Unmatchable
        while len(self._frames) > 1:
            self._leave_open(self._frames.pop())
        top = self._frames[0]
        if top.invalid:
            raise Unmatchable
        if self._kind in (STAR, CLASS):
            top.items.append(ex.optional_slash)
        return [*top.branches, top.items]

    def _leave_open(self, frame: _Frame) -> None:
        """A `(` that nothing closes is literal before text alone."""
        escaped = "\\" in self._pattern[max(0, frame.opened - 3) : frame.opened - 1]
        spoilt = escaped or frame.branches or frame.grouping or frame.invalid or self._loose
        if spoilt or frame.mark not in "(@" or not all(map(_is_plain, frame.items)):
            raise unsupported("a ( that is never closed", "\\( for the character")
        self._frames[-1].items += ["(", *frame.items]


_TOKENS: dict[str, Callable[[_Reader], None]] = {
    "\0": _Reader._null,
    "\\": _Reader._backslash,
    '"': _Reader._quote,
    "/": _Reader._slash,
    ".": _Reader._dot,
    "*": _Reader._star,
    "?": _Reader._question,
    "+": _Reader._plus,
    "!": _Reader._exclamation,
    "@": _Reader._at,
    ",": _Reader._comma,
    "|": _Reader._pipe,
    "[": _Reader._bracket,
    "]": _Reader._closing_bracket,
    "(": _Reader._open_group,
    ")": _Reader._close_group,
    "{": _Reader._open_brace,
    "}": _Reader._close_brace,
}


def _range(body: str) -> list[Item]:
    """`{x..y}`: the parts, sorted, as one character class, or else as one text."""
    if _no_range_part.search(body):
        raise unsupported("operators around .. in braces", "the choices as {a,b}")
    parts = sorted(part for part in _range_part.findall(body) if part != "..")
    try:
        return [ex.unit_in(class_charset("-".join(parts)))]
    except Unmatchable:
        items: list[Item] = [parts[0]]
        for part in parts[1:]:
            items += [ex.any_unit_of_line, ex.any_unit_of_line, part]
        return items


def _escaped_text(text: str) -> list[Item]:
    """A text outside of a class, its escapes live."""
    items: list[Item] = []
    index = 0
    while index < len(text):
        item: Item = text[index]
        index += 1
        if item == "\\" and text[index] == "\\":
            index += 1
        elif item == "\\":
            item, index = read_escape(text, index)
        items.append(item)
    return items


def _is_plain(item: Item) -> bool:
    return isinstance(item, str) or item in (ex.star, ex.any_unit, ex.any_unit_but_dot)


def _end(expression: re.Pattern[str], text: str, index: int) -> int:
    match = expression.match(text, index)
    return match.end() if match else index
