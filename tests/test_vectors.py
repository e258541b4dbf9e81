"""The measured answers of a compatible peer, where they lie beside the project."""

import base64
import importlib.util
import json
import os
import unittest

from adrkit_mcp.corpus.lint import check_source
from tests.support import PROJECT

VECTORS = os.path.join(os.path.dirname(PROJECT), "shared", "vectors")
PATH = "docs/adr/0001-case.md"
#: Accidents of the peer, and hosts that need IDNA.
PASSED_OVER = {"js-quirk", "url-unicode"}
#: YAML beyond the subset, which may be read or refused.
MAY_REFUSE = {"yaml-may-refuse", "tag"}
FINDING_KEYS = ("rule", "severity", "id", "field", "pattern")


def checker():
    """The program that applies the vectors, as a module."""
    spec = importlib.util.spec_from_file_location("check", os.path.join(VECTORS, "check.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@unittest.skipUnless(os.path.isdir(VECTORS), "the vectors are not beside the project")
class VectorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.check = checker()

    def shortfalls(self, name):
        """What falls short in one file of vectors: (what, got, want)."""
        tally = self.check.Tally(name, 0)
        short = []
        tally.fail = lambda what, got=None, want=None: short.append((what, got, want))
        getattr(self.check, "check_" + name)(VECTORS, tally)
        self.assertGreater(tally.ok, 0)
        return short

    def apply(self, name):
        """Apply one file of vectors; everything that falls short is a failure of its own."""
        for what, got, want in self.shortfalls(name):
            with self.subTest(what):
                self.fail("got %.300r, want %.300r" % (got, want))

    def test_normalize(self):
        self.apply("normalize")

    def test_order(self):
        self.apply("order")

    def test_fingerprint(self):
        self.apply("fingerprint")

    def test_yaml(self):
        self.apply("yaml")

    def test_globs(self):
        self.apply("globs")

    def test_slow(self):
        # A machine that is busy with something else may be slow once.
        if self.shortfalls("slow"):
            self.apply("slow")

    def test_affects(self):
        self.apply("affects")


@unittest.skipUnless(os.path.isdir(VECTORS), "the vectors are not beside the project")
class SourcesTest(unittest.TestCase):
    def cases(self, name):
        with open(os.path.join(VECTORS, name + ".json"), encoding="utf-8") as file:
            data = json.load(file)
        template = data.get("file_template")
        for case in data["cases"]:
            tags = set(case.get("tags", ()))
            if not tags & PASSED_OVER:
                yield case, tags, self.source(case, template)

    def source(self, case, template):
        if template:
            return template.replace("{yaml}", case["yaml"]).encode("utf-8")
        return base64.b64decode(case["base64"])

    def check_case(self, case, tags, source):
        made, findings = check_source(source, PATH)
        if tags & MAY_REFUSE and [f["rule"] for f in findings] == ["frontmatter-parse"]:
            return
        self.assertEqual(
            [{k: f[k] for k in FINDING_KEYS if k in f} for f in findings],
            [{k: f[k] for k in FINDING_KEYS if k in f} for f in case.get("findings", ())],
        )
        self.assertEqual(made is not None, case["ok"])
        if made is not None:
            self.assertEqual(list(made.frontmatter), list(case["record"]))
            self.assertEqual(made.frontmatter, case["record"])
            self.assertEqual(made.body, case.get("body", made.body))

    def test_validation(self):
        for case, tags, source in self.cases("validation"):
            with self.subTest(case["name"]):
                self.check_case(case, tags, source)

    def test_source(self):
        for case, tags, source in self.cases("source"):
            with self.subTest(case["name"]):
                self.check_case(case, tags, source)


if __name__ == "__main__":
    unittest.main()
