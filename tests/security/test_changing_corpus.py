"""A corpus that changes while it is read: answers show how it was at one instant, or say that it changed."""

import itertools
import os
import unittest
from unittest import mock

from adrkit_mcp.corpus.roots import CorpusUnavailable
from tests.support import Repository, record

NAMES = ("0001-record.md", "0002-record.md")
ONE, TWO = "The one", "The two"


class TogglingTest(unittest.TestCase):
    """Two files that change to and fro, so that each may be the same whenever it is looked at."""

    def setUp(self):
        self.repository = Repository(self)

    def set(self, names, title):
        for name in names:
            self.repository.write(name, record(name[:4], title))

    def load_while(self, changes):
        """The titles in the order in which the files are opened, None when the load says that they changed.

        `changes` are called after so many looks at files, with the names in that order.
        """
        order = []
        looks = itertools.count(1)

        def watched(function):
            def look(path, *arguments, **options):
                result = function(path, *arguments, **options)
                if path in NAMES:
                    order.extend({path}.difference(order))
                    changes.get(next(looks), lambda *names: None)(
                        *order, *(name for name in NAMES if name not in order)
                    )
                return result

            return look

        with (
            mock.patch.object(os, "open", watched(os.open)),
            mock.patch.object(os, "stat", watched(os.stat)),
        ):
            try:
                records = self.repository.load().records
            except CorpusUnavailable as error:
                self.assertEqual(error.reason, "corpus-changed-during-load")
                return None
        titles = {os.path.basename(item.source_path): item.title for item in records}
        return tuple(titles[name] for name in order)

    def test_what_never_was_is_never_shown(self):
        """The second is two only while the first is two: (one, two) never exists."""

        def to_two(first, second):
            self.set((first, second), TWO)

        def to_one(first, second):
            self.set((second, first), ONE)

        shown = set()
        for moments in itertools.combinations(range(1, 13), 3):
            self.set(NAMES, ONE)
            self.repository.load()
            shown.add(self.load_while(dict(zip(moments, (to_two, to_one, to_two)))))
        self.assertLessEqual({None, (ONE, ONE), (TWO, TWO)}, shown)
        self.assertNotIn((ONE, TWO), shown)


if __name__ == "__main__":
    unittest.main()
