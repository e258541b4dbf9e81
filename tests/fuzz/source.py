"""Files: a record or findings, never both; what a record says survives being written and read again."""

import json

from adrkit_mcp.corpus.findings import in_order
from adrkit_mcp.corpus.frontmatter import split
from adrkit_mcp.corpus.record import check_frontmatter
from adrkit_mcp.corpus.source import read_record
from adrkit_mcp.corpus.yaml_subset import parse
from adrkit_mcp.ecma import canonical_bytes

from ..support import accepted, governing, record, superseded
from . import yaml_subset
from .checks import strict_json, timely

RULES = {
    *("frontmatter-fence", "frontmatter-parse", "invalid-type", "required-field", "invalid-size"),
    *("invalid-enum-value", "invalid-format", "strict-unknown-key", "unique-items"),
    *("superseded-requires-supersededBy", "supersededBy-requires-superseded-status"),
    *("accepted-requires-decider-unless-imported", "agent-accepted-requires-ratifier"),
    "one-way-door-disallows-auto",
}
_PATH = "docs/adr/0001-x.md"
_BLOCK_STYLE = """---
id: "0001"
title: Use one queue
status: accepted
date: 2026-01-02
deciders: ["@ana", team:core, olu@example.org]
tags:
  - queue
  - data-flow
relatesTo: ["0002", infra:0003]
affects:
  - type: path
    pattern: src/**
    negate: false
assertions:
  - id: one-queue
    engine: grep
    severity: error
provenance:
  authoredBy: agent
  agent: {name: x, model: y}
  ratifiedBy: "@ana"
review: {tier: arb, slaDays: 3, decidedAt: 2026-01-02T10:00:00Z, approvals: ["@olu"]}
evaluation:
  scores: {clarity: 3.5, 2: 1}
  confidence: 0.5
externalRefs:
  - {type: issue, url: https://example.com/12}
reviewBy: 2027-01-02
---
# Use one queue

The body.
"""

SEEDS = [
    _BLOCK_STYLE.encode(),
    _BLOCK_STYLE.replace("2: 1", '"2": 1, "1": 0').encode(),
    _BLOCK_STYLE.replace("\n", "\r\n").encode(),
    record(body="text").encode(),
    accepted(affects=governing("src/**", negate=True), tags=["a", "b"]).encode(),
    superseded("0002", "0001", created="2025-01-01", domain="x").encode(),
    record("01ARZ3NDEKTSV4RRFFQ69G5FAV", "Ünï 😀", scope="org", schemaVersion="1.2.3").encode(),
]
_VALUES = (
    *("id: ", "title: ", "status: superseded\n", "date: 2024-02-30\n", "created: ", "scope: org\n"),
    *(
        "supersedes: ",
        "supersededBy: ",
        "conflictsWith: ",
        "provenance:\n",
        "review:\n",
        "scores: ",
    ),
    *("reversibility: one-way-door\n", "slaDays: 1e3\n", "length: 5\n", "__proto__: ", "negate: "),
    *('"0001"', "0001", "@ana", '"@ana"', "a@b.c", "null", "[]", "{}", "[[]]", "1e309", "9" * 20),
    *("https://a/b", "url: x:y\n", "2026-01-02T10:00+01:00", "accepted", "agent", "auto", "x: "),
)
FRAGMENTS = [*(text.encode() for text in _VALUES), b"---\n", b"---\r\n", *yaml_subset.FRAGMENTS]


def check(data):
    found, findings = timely(read_record, data, _PATH)
    again, findings_again = read_record(data, _PATH)
    assert findings == findings_again
    assert (found is None) == bool(findings)
    assert findings == in_order(findings)
    for item in findings:
        _check_finding(item)
    if found is not None:
        assert found.canonical == again.canonical
        _check_record(found)


def _check_finding(item):
    assert item["rule"] in RULES, item
    assert item["severity"] == "error"
    assert item["path"] == _PATH
    assert item["message"].isprintable(), item
    assert all(type(value) is str for value in item.values()), item
    json.dumps(item, ensure_ascii=False).encode("utf-8")


def _check_record(found):
    canonical = strict_json(found.canonical[1:].decode("utf-8"))
    head, body = split(found.source)
    assert canonical["sourcePath"] == _PATH
    assert canonical["body"] == found.body == found.source[body:].decode("utf-8", "replace")
    assert canonical["frontmatter"] == found.frontmatter
    assert check_frontmatter(parse(head.decode("utf-8", "replace")))[1] == []
    assert found.canonical.find(canonical_bytes(found.frontmatter)) > 0
    rewritten = b"---\n%s\n---\n%s" % (json.dumps(found.frontmatter).encode(), found.source[body:])
    again, findings = read_record(rewritten, _PATH)
    assert again is not None, findings
    assert again.canonical == found.canonical
