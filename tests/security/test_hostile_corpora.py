"""Corpora made to break, block, blow up or mislead a reader: each gets a finding or an outcome, in time."""

import contextlib
import os
import unittest
from unittest import mock

from tests.support import Repository, record


class SwappedTest(unittest.TestCase):
    """What is swapped for a link between the look at it and its opening is not followed."""

    def test_a_subfolder(self):
        repository = Repository(self).add(record())
        outside = os.path.join(repository.base, "outside")
        os.mkdir(outside)
        for name in ("secret.md", "0001-secret.md"):
            with open(os.path.join(outside, name), "w"):
                pass
        folder = repository.path("below")
        os.mkdir(folder)
        listed = []
        scandir = os.scandir

        def scandir_then_swap(handle):
            listed.append(os.stat(handle))
            with scandir(handle) as iterator:
                entries = list(iterator)
            if not os.path.islink(folder):
                os.rmdir(folder)
                os.symlink(outside, folder)
            return contextlib.nullcontext(entries)

        with mock.patch.object(os, "scandir", scandir_then_swap):
            self.assertEqual(repository.load().findings, [])
        self.assertFalse(any(os.path.samestat(status, os.stat(outside)) for status in listed))


if __name__ == "__main__":
    unittest.main()
