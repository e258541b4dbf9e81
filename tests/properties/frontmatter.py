"""Frontmatter of valid records."""

import datetime

from hypothesis import strategies as st

_slugs = st.from_regex("[a-z0-9][a-z0-9-]{0,8}", fullmatch=True)
_texts = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)
_titles = st.text(st.characters(exclude_categories=("Cs",)), min_size=3, max_size=40)
_dates = st.dates(datetime.date(1000, 1, 1)).map(str)
_ids = st.integers(0, 99_999).map("{:04}".format) | st.just("01ARZ3NDEKTSV4RRFFQ69G5FAV")
_references = _ids | st.builds("{}:{}".format, _slugs, _ids)
_people = st.sampled_from(("@ana", "@Olu-2", "team:core", "mira@pier.example"))


def _lists(items, unique):
    return st.lists(items, max_size=3, unique=unique)


_affects = st.fixed_dictionaries(
    {
        "type": st.sampled_from(("path", "package", "entity", "data")),
        "pattern": _texts,
        "negate": st.booleans(),
    },
    optional={"note": _texts, "repo": _texts},
)

REQUIRED = {
    "id": _ids,
    "title": _titles,
    "status": st.sampled_from(("draft", "proposed", "rejected", "deprecated")),
    "date": _dates,
}
OPTIONAL = {
    "schemaVersion": st.sampled_from(("0.1.0", "1.20.0")),
    "created": _dates,
    "deciders": _lists(_people, unique=False),
    "consulted": _lists(_people, unique=False),
    "informed": _lists(_people, unique=False),
    "tags": _lists(_slugs, unique=True),
    "scope": st.sampled_from(("component", "domain", "org")),
    "domain": _texts,
    "reversibility": st.sampled_from(("two-way-door", "one-way-door", "unknown")),
    "blastRadius": st.sampled_from(("component", "team", "cross-team", "org")),
    "supersedes": _lists(_references, unique=True),
    "relatesTo": _lists(_references, unique=True),
    "conflictsWith": _lists(_references, unique=False),
    "affects": _lists(_affects, unique=False),
    "evaluation": st.fixed_dictionaries(
        {
            "scores": st.dictionaries(st.text("ab: #é", max_size=4), st.floats(0, 4), max_size=3),
            "escalationReasons": st.just(["regulatory"]),
            "deterministicFindings": st.just([]),
        }
    ),
    "complianceControls": _lists(_texts, unique=True),
    "reviewBy": _dates,
}
#: What an absent field stands for, by the contract.
DEFAULTS = {
    "schemaVersion": "0.1.0",
    "scope": "component",
    "reversibility": "unknown",
    "blastRadius": "component",
}
for _name in (
    *("deciders", "consulted", "informed", "tags", "supersedes", "relatesTo", "conflictsWith"),
    *("affects", "assertions", "externalRefs", "complianceControls"),
):
    DEFAULTS[_name] = []
FRONTMATTER = st.fixed_dictionaries(REQUIRED, optional=OPTIONAL)
