from __future__ import annotations

import unittest

from adrkit_mcp.affects.matchers import package_rule

RESOLVABLE_ELSEWHERE = (
    "lantern",
    "lantern@^1.2.0",
    "lantern@ >=1 <3 ",
    "lantern@\u00a01\ufeff",
    "lantern@npm:pier@1",
    "@scope/lantern",
    "@scope/lantern@~2.1",
    "@scope@1",
    "@",
    "@@1",
    "a@@1",
    "a b @*",
    "lantern@||",
)
BAD = (
    "lantern@",
    "lantern@ ",
    "lantern@\u00a0",
    "lantern@latest",
    "lantern@1.2.3.4",
    "lantern@workspace:*",
    "lantern@\u00851",
    "a@b@c",
    "a@1@",
    "@scope/lantern@",
    "@@",
    "",
    " ",
    " @1",
    "\ufeff@1",
)


class PackageRuleTest(unittest.TestCase):
    def test_a_package_is_not_looked_up(self) -> None:
        for pattern in RESOLVABLE_ELSEWHERE:
            with self.subTest(pattern=pattern):
                self.assertEqual(package_rule(pattern), "affects-unresolvable")

    def test_a_malformed_pattern_is_bad(self) -> None:
        for pattern in BAD:
            with self.subTest(pattern=pattern):
                self.assertEqual(package_rule(pattern), "affects-bad-pattern")


if __name__ == "__main__":
    unittest.main()
