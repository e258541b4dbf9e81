"""A corpus that changes while it is read: answers show how it was at one instant, or say that it changed."""

import contextlib
import itertools
import os
import random
import subprocess
import sys
import unittest
from unittest import mock

from adrkit_mcp.corpus.roots import CorpusUnavailable
from tests.security import rewriter
from tests.support import Client, Repository, record

#: More of them for a longer run.
CALLS = int(os.environ.get("ADRKIT_MCP_TEST_CALLS", "2000"))

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


class WriterTest(unittest.TestCase):
    """Records are rewritten, replaced, renamed, removed; `rewriter` tells what holds at every instant."""

    def setUp(self):
        self.repository = Repository(self)
        self.seen = {}  # fingerprint -> what it stood for

    def assertWasSo(self, health, items):
        found = {}
        for item in items:
            found.setdefault(item["id"], []).append(int(item["title"].split()[1]))
        self.assertEqual(sorted(found), ["0001", "0002", "0003", "0004", "0005", "0006"])
        self.assertEqual(found["0005"], [0])
        files = sorted(found["0006"])
        self.assertIn(files, ([files[-1]], [files[-1] - 1, files[-1]]))
        generations = [files[-1]]
        for id in ("0001", "0002", "0003", "0004"):
            generations += found[id]
        generations.append(files[0])
        self.assertEqual(generations, sorted(generations, reverse=True))
        count = health["recordCount"] - len(items)
        self.assertEqual((count, health["excludedCount"]), (rewriter.STILL, 0))
        self.assertEqual(self.seen.setdefault(health["fingerprint"], items), items)

    def assertIsWhole(self, title, body):
        self.assertEqual(body, (title + "\n") * rewriter.LINES)

    def test_a_change_at_any_call_of_the_system(self):
        chance = random.Random(11)
        writer = rewriter.Rewriter(self.repository.path())
        writer.start()
        steps = writer.steps()
        writing = [True]

        def interrupted(function):
            def call(*arguments, **options):
                result = function(*arguments, **options)
                if not writing[0] and chance.random() < 0.004:
                    writing[0] = True
                    for _ in range(chance.choice((1, 2, 2, 3, 3, 4, 12))):
                        next(steps)
                    writing[0] = False
                return result

            return call

        changed = 0
        with contextlib.ExitStack() as stack:
            for name in ("open", "read", "stat", "fstat", "scandir"):
                stack.enter_context(mock.patch.object(os, name, interrupted(getattr(os, name))))
            for _ in range(CALLS // 4):
                writing[0] = False
                try:
                    projection = self.repository.load()
                except CorpusUnavailable as error:
                    self.assertEqual(error.reason, "corpus-changed-during-load")
                    changed += 1
                    continue
                finally:
                    writing[0] = True
                moving = [item for item in projection.records if item.id < "1"]
                self.assertWasSo(projection.health(), [item.summary() for item in moving])
                for item in moving:
                    self.assertIsWhole(item.title, item.body)
        self.assertGreater(changed, CALLS / 40)
        self.assertGreater(len(self.seen), CALLS / 40)

    @unittest.skipUnless(os.name == "posix", "files that are open cannot be replaced")
    def test_another_process_writes_while_the_server_is_asked(self):
        writer = subprocess.Popen(
            [sys.executable, rewriter.__file__, self.repository.path()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.addCleanup(writer.__exit__, None, None, None)
        writer.stdout.readline()
        with Client(self.repository.root, self.repository.dir) as client:
            for number in range(CALLS):
                if number % 2:
                    answer = client.structured("get_decision", ref="000%d" % (number // 2 % 7))
                else:
                    answer = client.structured("search_decisions", query="generation", limit=100)
                result = answer["result"]
                if result["outcome"] == "corpus-unavailable":
                    self.assertEqual(result["reason"], "corpus-changed-during-load")
                    continue
                rules = {item["rule"] for item in result["findings"]["items"]}
                self.assertLessEqual(rules, {"unique-id"})
                if result["outcome"] == "results":
                    self.assertWasSo(answer["corpusHealth"], result["items"])
                elif result["outcome"] == "found":
                    self.assertIsWhole(result["decision"]["title"], result["decision"]["body"])
            writer.communicate()
            self.assertEqual(
                client.structured("search_decisions", query="generation"),
                self.repository.fresh("search_decisions", query="generation"),
            )
        self.assertGreater(len(self.seen), 5)


if __name__ == "__main__":
    unittest.main()
