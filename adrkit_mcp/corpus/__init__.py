"""The corpus: the records of one directory, read, checked and projected."""
