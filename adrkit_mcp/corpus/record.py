"""The ADR schema, declared, and the record it makes of a file.

The table of fields is the contract's "Frontmatter schema"; forms and invariants follow section 1 of the
contract notes.
"""

from __future__ import annotations

import re

from ..ecma import WHITE_SPACE, normalize, sort_key, trim
from ..jsontext import Encoded, dumps, encode, quote, quoted
from ..schema import (
    Boolean,
    Choice,
    Form,
    Integer,
    Issue,
    ListOf,
    MapOf,
    Number,
    Object,
    Text,
    defaulted,
    optional,
    required,
)
from .frontmatter import split
from .yaml_subset import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STATUSES = ("draft", "proposed", "accepted", "rejected", "superseded", "deprecated")
SCOPES = ("component", "domain", "org")
MATCHER_TYPES = ("path", "entity", "package", "resource", "api", "data")

_is_id = re.compile(r"[0-9]{4,}|[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}").fullmatch
_is_slug = re.compile(r"[a-z0-9][a-z0-9-]*").fullmatch
_is_handle = re.compile(r"@[A-Za-z0-9-]+|team:[a-z0-9-]+").fullmatch
_is_version = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+").fullmatch
_match_date = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})").fullmatch
_TIME = (
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_USUAL_HOST = "abcdefghijklmnopqrstuvwxyz0123456789-."


def split_ref(text: str) -> tuple[str | None, str] | None:
    """(log or None, id) of an AdrRef `[log:]id`; None when the text is no AdrRef."""
    log, colon, id = text.rpartition(":")
    if not _is_id(id) or (colon and not _is_slug(log)):
        return None
    return log or None, id


def _is_identity(text: str) -> bool:
    """`@handle`, `team:slug` or an e-mail address, without white space in JavaScript's sense."""
    if _is_handle(text):
        return True
    local, at, domain = text.partition("@")
    dotted = "." in domain[1:-1]
    return (
        bool(local and at and dotted)
        and "@" not in domain
        and not any(c in WHITE_SPACE for c in text)
    )


def _is_date(text: str) -> bool:
    """A day of the proleptic Gregorian calendar, year 0000 included."""
    match = _match_date(text)
    if match is None:
        return False
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    if not 1 <= month <= 12:
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _MONTH_DAYS[month - 1] + leap


def _is_datetime(text: str) -> bool:
    """ISO 8601 with `Z` or a numeric offset; seconds and their fraction may be missing."""
    # Rare, and large for an expression: not compiled before one is met.
    return _is_date(text[:10]) and re.fullmatch(_TIME, text[10:]) is not None


def _is_url(text: str) -> bool:
    """Whether a text is an absolute URL, such as `https://` and a host of plain letters, which most are."""
    scheme, _, rest = text.partition("://")
    host = rest.partition("/")[0]
    if (
        scheme in ("https", "http")
        and not host.strip(_USUAL_HOST)
        and host.rpartition(".")[2][:1].isalpha()  # so that it is no IPv4 address
        and "xn--" not in host
    ):
        return True
    from ..whatwg_url import is_absolute_url

    return is_absolute_url(text)


class _Url(Text):
    """An absolute URL; what is stored is the text trimmed, nothing else is changed."""

    def __init__(self) -> None:
        super().__init__(form=Form(_is_url, "an absolute URL, such as https://example.com/12"))

    def check(self, value: Any, issues: list[Issue]) -> Any:
        return super().check(trim(value) if value.__class__ is str else value, issues)


TEXT = Text()
VERSION = Text(form=Form(_is_version, "a version such as 0.1.0"))
ID = Text(form=Form(_is_id, 'four or more digits in quotes, such as "0007", or a ULID'))
ADR_REF = Text(form=Form(split_ref, 'the id of a record, such as "0007", or log:id'))
IDENTITY = Text(form=Form(_is_identity, 'an identity: "@handle", "team:slug" or an e-mail address'))
SLUG = Text(form=Form(_is_slug, "lower-case letters, digits and hyphens"))
DATE = Text(form=Form(_is_date, "a calendar date, such as 2026-01-31"))
DATETIME = Text(form=Form(_is_datetime, "a time with its offset, such as 2026-01-31T09:30:00Z"))
URL = _Url()
STATUS = Choice(*STATUSES)
SCOPE = Choice(*SCOPES)
SEVERITY = Choice("error", "warn", "info")

MATCHER = Object({
    "type": required(Choice(*MATCHER_TYPES)),
    "pattern": required(Text(minimum=1)),
    "repo": optional(TEXT),
    "negate": defaulted(Boolean(), False),
    "note": optional(TEXT),
})  # fmt: skip

ASSERTION = Object({
    "id": required(SLUG),
    "description": optional(TEXT),
    "engine": required(Choice("rego", "jsonpath", "grep", "custom")),
    "expression": optional(TEXT),
    "expressionFile": optional(TEXT),
    "input": defaulted(Choice("iac-plan", "sbom", "openapi", "source", "catalog", "custom"), "source"),
    "severity": required(SEVERITY),
})  # fmt: skip

PROVENANCE = Object({
    "authoredBy": defaulted(Choice("human", "agent", "agent-drafted"), "human"),
    "agent": optional(Object({
        "name": optional(TEXT),
        "model": optional(TEXT),
        "harness": optional(TEXT),
        "runId": optional(TEXT),
    })),
    "ratifiedBy": optional(IDENTITY),
    "sourceArtifact": optional(TEXT),
    "importedFrom": optional(Object({
        "sourceKind": required(Choice("madr", "agent-log", "plan-artifact", "other")),
        "sourceRef": required(TEXT),
        "fingerprint": required(TEXT),
        "importedAt": optional(DATETIME),
    })),
})  # fmt: skip

REVIEW = Object({
    "tier": optional(Choice("auto", "async", "arb")),
    "tierReason": optional(TEXT),
    "queuedAt": optional(DATETIME),
    "escalatedAt": optional(DATETIME),
    "decidedAt": optional(DATETIME),
    "slaDays": optional(Integer(minimum=0)),
    "quorum": optional(Integer(minimum=1)),
    "approvals": defaulted(ListOf(IDENTITY), []),
    "objections": defaulted(ListOf(Object({
        "by": required(IDENTITY),
        "summary": optional(TEXT),
        "resolved": defaulted(Boolean(), False),
    })), []),
})  # fmt: skip

EVALUATION = Object({
    "ranAt": optional(DATETIME),
    "evaluatorVersion": optional(TEXT),
    "rubricVersion": optional(TEXT),
    "scores": optional(MapOf(Number(0, 4))),
    "confidence": optional(Number(0, 1)),
    "escalate": optional(Boolean()),
    "escalationReasons": defaulted(ListOf(Choice(
        "one-way-door", "cost-threshold", "security-surface", "data-residency", "regulatory",
        "contradicts-accepted-adr", "low-confidence", "pass-disagreement",
        "agent-authored-production", "novel-no-precedent", "human-requested",
    )), []),
    "deterministicFindings": defaulted(ListOf(Object({
        "rule": required(TEXT),
        "severity": required(SEVERITY),
        "message": optional(TEXT),
        "adr": optional(ADR_REF),
    })), []),
})  # fmt: skip

EXTERNAL_REF = Object({
    "type": required(Choice("issue", "pr", "rfc", "incident", "doc", "meeting", "control", "other")),
    "id": optional(TEXT),
    "url": required(URL),
    "label": optional(TEXT),
})  # fmt: skip

FRONTMATTER = Object({
    "schemaVersion": defaulted(VERSION, "0.1.0"),
    "id": required(ID),
    "title": required(Text(minimum=3, maximum=120)),
    "status": required(STATUS),
    "date": required(DATE),
    "created": optional(DATE),
    "deciders": defaulted(ListOf(IDENTITY), []),
    "consulted": defaulted(ListOf(IDENTITY), []),
    "informed": defaulted(ListOf(IDENTITY), []),
    "tags": defaulted(ListOf(SLUG, unique=True), []),
    "scope": defaulted(SCOPE, "component"),
    "domain": optional(TEXT),
    "reversibility": defaulted(Choice("two-way-door", "one-way-door", "unknown"), "unknown"),
    "blastRadius": defaulted(Choice("component", "team", "cross-team", "org"), "component"),
    "supersedes": defaulted(ListOf(ADR_REF, unique=True), []),
    "supersededBy": optional(ADR_REF),
    "relatesTo": defaulted(ListOf(ADR_REF, unique=True), []),
    "conflictsWith": defaulted(ListOf(ADR_REF), []),
    "affects": defaulted(ListOf(MATCHER), []),
    "assertions": defaulted(ListOf(ASSERTION), []),
    "provenance": optional(PROVENANCE),
    "review": optional(REVIEW),
    "evaluation": optional(EVALUATION),
    "externalRefs": defaulted(ListOf(EXTERNAL_REF), []),
    "complianceControls": defaulted(ListOf(TEXT, unique=True), []),
    "reviewBy": optional(DATE),
})  # fmt: skip


def check_frontmatter(data: Any) -> tuple[dict[str, Any], list[Issue]]:
    """The frontmatter with its defaults filled, and every issue; it is a record's only without issues."""
    issues: list[Issue] = []
    frontmatter = FRONTMATTER.check(data, issues)
    if not any(issue.hard for issue in issues):
        issues.extend(broken_invariants(frontmatter))
    return frontmatter, issues


def broken_invariants(frontmatter: dict[str, Any]) -> list[Issue]:
    """The five rules between fields; they look at values as written, well formed or not."""
    status = frontmatter["status"]
    successor = frontmatter.get("supersededBy")
    provenance = frontmatter.get("provenance") or {}
    review = frontmatter.get("review") or {}
    accepted = status == "accepted"
    by_agent = provenance.get("authoredBy") in ("agent", "agent-drafted")
    rules = (
        (
            status == "superseded" and not successor,
            "superseded-requires-supersededBy",
            "supersededBy",
            'a superseded record names its successor: write supersededBy: "0012"',
        ),
        (
            successor and status != "superseded",
            "supersededBy-requires-superseded-status",
            "status",
            "a record with supersededBy has the status superseded",
        ),
        (
            accepted and not frontmatter["deciders"] and "importedFrom" not in provenance,
            "accepted-requires-decider-unless-imported",
            "deciders",
            'an accepted record names who decided: write deciders: ["@handle"]',
        ),
        (
            accepted and by_agent and not provenance.get("ratifiedBy"),
            "agent-accepted-requires-ratifier",
            "provenance.ratifiedBy",
            'an accepted record that an agent wrote names who ratified it: write ratifiedBy: "@handle"',
        ),
        (
            frontmatter["reversibility"] == "one-way-door" and review.get("tier") == "auto",
            "one-way-door-disallows-auto",
            "review.tier",
            "a one-way door is reviewed by people: write tier: async or tier: arb",
        ),
    )
    return [Issue(rule, message, None, field) for broken, rule, field, message in rules if broken]


class Record:
    """One valid ADR: its source, and of its frontmatter what tools compare and list.

    `frontmatter` is read again from the source when it is asked for: a call shows one record whole,
    while the corpus keeps thousands.
    """

    __slots__ = (
        "_body_at",
        "_body_start",
        "_frontmatter_json",
        "_search_text",
        "canonical",
        "conflicts_with",
        "has_references",
        "id",
        "import_incomplete",
        "matchers",
        "order",
        "relates_to",
        "scope",
        "source",
        "source_path",
        "status",
        "superseded_by",
        "supersedes",
        "tags",
        "title",
    )

    def __init__(
        self,
        source: bytes,
        source_path: str,
        frontmatter: dict[str, Any],
        canonical_frontmatter: str,
        body_start: int,
    ) -> None:
        """`canonical_frontmatter`: the canonical JSON of `frontmatter`."""
        self.source = source
        self.source_path = source_path
        self.id: str = frontmatter["id"]
        self.title: str = frontmatter["title"]
        self.status: str = frontmatter["status"]
        self.scope: str = frontmatter["scope"]
        self.tags: list[str] = frontmatter["tags"]
        self.supersedes: list[str] = frontmatter["supersedes"]
        self.superseded_by: str | None = frontmatter.get("supersededBy")
        self.relates_to: list[str] = frontmatter["relatesTo"]
        self.conflicts_with: list[str] = frontmatter["conflictsWith"]
        self.has_references = bool(
            self.supersedes or self.superseded_by or self.relates_to or self.conflicts_with
        )
        self.matchers: list[dict[str, Any]] = frontmatter["affects"]
        imported = "importedFrom" in (frontmatter.get("provenance") or {})
        self.import_incomplete = (
            imported and self.status == "accepted" and not frontmatter["deciders"]
        )
        self.order = (sort_key(self.id), sort_key(source_path))
        #: Canonical JSON of `{sourcePath, frontmatter, body}`, behind the comma that stands between two of
        #: them: the record's part of the fingerprint.
        self.canonical = b',{"body":%s,"frontmatter":%s,"sourcePath":%s}' % (
            quoted(source[body_start:]),
            encode(canonical_frontmatter),
            encode(quote(source_path)),
        )
        self._body_start = body_start
        self._frontmatter_json: Encoded | None = None
        self._search_text: str | None = None
        self._body_at = 0

    @property
    def body(self) -> str:
        """All behind the frontmatter, as it stands in the file."""
        return self.source[self._body_start :].decode("utf-8", "replace")

    @property
    def frontmatter(self) -> dict[str, Any]:
        """The frontmatter in the order of the schema, defaults filled."""
        head, _ = split(self.source)
        return check_frontmatter(parse(head.decode("utf-8", "replace")))[0]

    @property
    def frontmatter_json(self) -> Encoded:
        """`frontmatter` as JSON, kept once it was asked for."""
        if self._frontmatter_json is None:
            self._frontmatter_json = Encoded(dumps(self.frontmatter))
        return self._frontmatter_json

    @property
    def search_text(self) -> str:
        """Title, id, tags and body, each normalized alone, with NUL between them: what has no NUL and is not
        in here is in none of them.
        """
        if self._search_text is None:
            labels = (*self.search_labels(), "")
            text = "\0".join(labels)
            self._body_at = len(text)
            self._search_text = text + normalize(self.body)
        return self._search_text

    def search_labels(self) -> tuple[str, ...]:
        """(title, id, *tags), each normalized alone, as searches compare them."""
        return (normalize(self.title), normalize(self.id), *map(normalize, self.tags))

    def body_contains(self, needle: str) -> bool:
        """Whether the normalized body contains a normalized text."""
        return self.search_text.find(needle, self._body_at) >= 0

    def may_label(self, needle: str) -> bool:
        """Whether a normalized text can be in title, id or a tag; if it has no NUL, whether it is."""
        return self.search_text.find(needle, 0, self._body_at) >= 0

    def summary(self) -> dict[str, Any]:
        """`{id, title, status, sourcePath}`, as lists show a record."""
        return {
            "id": self.id,
            "title": self.title,
            "status": self.status,
            "sourcePath": self.source_path,
        }
