"""Sources of 64 KiB that are made to break, blow up or mislead: name -> (bytes, the rules they break)."""

from adrkit_mcp.corpus.directory import MAX_BYTES

VALID = b'id: "0001"\ntitle: Use one queue\nstatus: draft\ndate: 2026-01-02\n'


def source(frontmatter, body=b""):
    return b"---\n" + frontmatter + b"\n---\n" + body


def filled(unit, head=b"", tail=b""):
    """A source of the largest size, the unit repeated in its frontmatter."""
    room = MAX_BYTES - len(source(head + tail))
    return source(head + unit * (room // len(unit)) + tail)


def staircase(line):
    """Lines each of which is indented deeper than the one before."""
    lines = b""
    while len(lines) < MAX_BYTES - 1000:
        lines += b" " * lines.count(b"\n") + line + b"\n"
    return source(lines[:-1])


def items(item, count):
    return b"".join(item % number if b"%" in item else item for number in range(count))


#: Frontmatter that is nothing but this, over and over.
_FILLS = {
    "frontmatter-parse": (
        b"[", b"{", b"[a, ", b"{a: ", b"- ", b"- - ", b"a: ", b"? ", b"a:\n", b'"', b"'", b"&a ", b"*a ",
        b"<<: ", b"!", b"!!str ", b"%YAML 1.2\n", b"...\n", b"[,", b"[]", b"{}", b",", b"]", b"}", b":",
        b": ", b"`", b"@", b"\0", b"\r", b"\x1b",
    ),
    "invalid-type": (
        b" ", b"\t", b"\n", b"#", b"|\n", b">\n", b"a\n", b"-\n", b"-", b"\\", b"x", b"\xff", b"\xed\xa0\x80",
        b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"---\n", b"\xc2\x85", b"\xf0\x9f\x9a\xa2",
    ),
}  # fmt: skip
#: What makes a value, in double quotes, however often it is repeated.
_TEXTS = (
    b"[", b"{a: ", b"- ", b" ", b"\t", b"'", b"&a *a ", b"!!", b"\\\\", b"\\n", b"\\0", b"\\u202e", b"\\e",
    b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"\xff", b"\xed\xa0\x80", b"\\ud83d\\udea2",
)  # fmt: skip
_NUMBERS = (
    b"9" * 60_000, b"-" + b"9" * 60_000, b"0x" + b"f" * 60_000, b"0o" + b"7" * 60_000,
    b"1e" + b"9" * 60_000, b"." + b"1" * 60_000, b"1e999", b"-.inf", b".nan",
)  # fmt: skip


def _name(unit):
    return ascii(unit[:12])[1:]


def sources():
    """All of them."""
    found = {
        "filled with " + _name(unit): (filled(unit), {rule})
        for rule, units in _FILLS.items()
        for unit in units
    }
    for unit in _TEXTS:
        found["text of " + _name(unit)] = filled(unit, VALID + b'domain: "', b'"'), set()
    for number in _NUMBERS:
        name = _name(number)
        found["id " + name] = source(VALID.replace(b'"0001"', number)), {"invalid-type"}
        found["days " + name] = source(VALID + b"review: {slaDays: %s}" % number), {"invalid-type"}
    found.update({
        "deep maps": (staircase(b"a:"), {"frontmatter-parse"}),
        "deep lists": (staircase(b"-"), {"frontmatter-parse"}),
        "many tags": (source(VALID + b"tags: [" + items(b"t%d,", 10_000) + b"]"), set()),
        "many tags on lines": (source(VALID + b"tags:" + items(b"\n- t%d", 7_000)), set()),
        "the same tags": (source(VALID + b"tags: [" + items(b"t,", 10_000) + b"]"), {"unique-items"}),
        "many unknown keys": (source(VALID + items(b"k%d: 1\n", 6_500)), {"strict-unknown-key"}),
        "the same key": (source(VALID + items(b"k: 1\n", 10_000)), {"frontmatter-parse"}),
        "many matchers": (
            source(VALID + b"affects:" + items(b"\n- {type: path, pattern: 'a/**/%d'}", 1_500)), set(),
        ),
        "many broken matchers": (
            source(VALID + b"affects:" + items(b"\n- {typ: path}", 4_000)),
            {"required-field", "strict-unknown-key", "invalid-enum-value"},
        ),
        "aliases of aliases": (
            source(VALID + b"domain: &a [x, x]" + items(b"\nk%d: &a [*a, *a]", 3_000)),
            {"frontmatter-parse"},
        ),
        "half a surrogate pair": (filled(b"\\ud800", VALID + b'domain: "', b'"'), {"frontmatter-parse"}),
        "lines in quotes": (filled(b"\n  a", VALID + b'domain: "', b'"'), set()),
        "lines of plain text": (filled(b"\n  a", VALID + b"domain: a"), set()),
        "folded lines": (filled(b"  a\n\n", VALID + b"domain: >\n"), set()),
        "literal lines": (filled(b"  a\n", VALID + b"domain: |\n"), set()),
        "a long id": (source(VALID.replace(b"0001", b"0" * 60_000)), set()),
        "a long identity": (
            source(VALID + b'deciders: ["' + b"a" * 30_000 + b"@" + b"." * 30_000 + b'"]'), set(),
        ),
        "many signs of an identity": (
            source(VALID + b'deciders: ["' + b"a@" * 30_000 + b'"]'), {"invalid-format"},
        ),
        "a long URL": (
            source(VALID + b"externalRefs: [{type: doc, url: 'https://" + b"a." * 30_000 + b"'}]"), set(),
        ),
        "almost fences": (b"---\n" + b"---x\n" * 13_000, {"frontmatter-fence"}),
        "fences without line feeds": (b"---\r" * 16_384, {"frontmatter-fence"}),
        "nothing": (b"", {"frontmatter-fence"}),
        "NULs": (b"\0" * MAX_BYTES, {"frontmatter-fence"}),
        "UTF-16": ("---\nid: x\n---\n".encode("utf-16"), {"frontmatter-fence"}),
        "fences in the body": (source(VALID, b"---\n" * 16_000), set()),
        "a body of NULs": (source(VALID, b"\0" * 65_000), set()),
        "a body that is no UTF-8": (source(VALID, b"\xff" * 65_000), set()),
        "a byte too many": (source(VALID).ljust(MAX_BYTES + 1), {"record-too-large"}),
    })  # fmt: skip
    return found
