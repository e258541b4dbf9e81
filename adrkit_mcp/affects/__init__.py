"""Matchers of the `affects` field: what the patterns of a record mean."""
