import unittest

from hypothesis import given, settings
from hypothesis import strategies as st

from adrkit_mcp.corpus.yaml_subset import parse

from .rendering import texts
from .values import DOCUMENTS


class RenderingTest(unittest.TestCase):
    @settings(max_examples=1500)
    @given(DOCUMENTS.flatmap(lambda value: st.tuples(st.just(value), texts(value))))
    def test_a_value_is_read_from_each_text_that_means_it(self, case):
        value, text = case
        self.assertEqual(repr(parse(text)), repr(value))
