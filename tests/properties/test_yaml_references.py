import re
import unittest

from hypothesis import given, settings
from hypothesis import strategies as st

from adrkit_mcp.corpus.yaml_subset import YamlError, parse

from ..fuzz import yaml_subset
from ..fuzz.generated import edited, inputs
from .core_schema import resolve
from .rendering import texts
from .values import DOCUMENTS

try:
    import ruamel.yaml
    import yaml
except ImportError:
    raise unittest.SkipTest("these properties need PyYAML and ruamel.yaml") from None

#: Where the libraries leave YAML 1.2: the line breaks of YAML 1.1, `[?a]`, and in one of them `{a:,}` and
#: `{:a}`.
_DISPUTED = re.compile(r"[\x85\u2028\u2029]|[,\[{][ \t\n]*[?:]|:,")
_REFUSED = "refused"


def read_here(text):
    try:
        return comparable(parse(text))
    except YamlError:
        return _REFUSED


def read_by_pyyaml(text):
    return _read(lambda: yaml.compose(text, Loader=yaml.SafeLoader))


def read_by_ruamel(text):
    return _read(lambda: ruamel.yaml.YAML(typ="safe", pure=True).compose(text))


def _read(compose):
    """What a library makes of a text; whatever it raises, in its own errors or by mistake, is a refusal."""
    try:
        return comparable(_value(compose()))
    except Exception:
        return _REFUSED


def _value(node):
    """The value of a composed document; the libraries' own types of scalars are not those of YAML 1.2."""
    if node is None:
        return None
    if node.id == "scalar":
        return node.value if node.style else resolve(node.value)
    if node.id == "sequence":
        return [_value(item) for item in node.value]
    return {_value(key): _value(value) for key, value in node.value}


def comparable(value):
    """A text that is the same for the same value: numbers as doubles, escaped surrogates as their pairs."""
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (comparable(k), comparable(value[k])) for k in value)
    if isinstance(value, list):
        return "[%s]" % ", ".join(map(comparable, value))
    if isinstance(value, str):
        return repr(value.encode("utf-16", "surrogatepass").decode("utf-16"))
    if isinstance(value, bool) or value is None:
        return repr(value)
    return repr(_double(value))


def _double(number):
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _parts():
    """Every few lines of the documents that test the parser."""
    for seed in yaml_subset.SEEDS:
        lines = seed.splitlines(keepends=True)
        for start in range(0, len(lines), 3):
            yield b"".join(lines[start : start + 4])


_pieces = st.sampled_from(yaml_subset.FRAGMENTS)
_rendered = DOCUMENTS.flatmap(texts).map(str.encode)
_inputs = inputs(list(_parts()), yaml_subset.FRAGMENTS) | edited(_rendered, _pieces)


class ReferencesTest(unittest.TestCase):
    """The libraries refuse some texts that are accepted, and accept many that are refused."""

    @settings(max_examples=2500)
    @given(_inputs)
    def test_a_text_that_is_accepted_has_the_value_that_a_library_gives_it(self, data):
        text = data[:400].decode("utf-8", "replace")
        text += "" if text.endswith("\n") else "\n"
        here = read_here(text)
        if here == _REFUSED or _DISPUTED.search(text):
            return
        others = {read_by_pyyaml(text), read_by_ruamel(text)} - {_REFUSED}
        self.assertTrue(not others or here in others, (text, here, others))

    def test_the_libraries_are_asked_as_they_are_meant_to(self):
        text = 'a: [1, 0x1F, "2", 2026-01-02, no, 1_0]\nb: |\n  x\nc:\nd: .inf\n'
        expected = (
            "{'a': [1.0, 31.0, '2', '2026-01-02', 'no', '1_0'], 'b': 'x\\n', 'c': None, 'd': inf}"
        )
        for read in (read_here, read_by_pyyaml, read_by_ruamel):
            with self.subTest(read.__name__):
                self.assertEqual(read(text), expected)
                self.assertEqual(read("a: ]\n"), _REFUSED)
