"""Settings: where the corpus is, and who said so. Flag before environment before default."""

from __future__ import annotations

import os

from .corpus.roots import DEFAULT_DIR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CWD_FLAG, CWD_VARIABLE = "--cwd", "ADRKIT_MCP_CWD"
DIR_FLAG, DIR_VARIABLE = "--dir", "ADRKIT_MCP_DIR"


class UsageError(Exception):
    """A command line that cannot be understood; the text says which word of it."""


class Setting:
    """A value, and where it comes from: a flag, a variable, or `default`."""

    __slots__ = ("source", "value")

    def __init__(self, value: str, source: str) -> None:
        self.value = value
        self.source = source


class Settings:
    """`root`, the repository, and `directory`, the ADR directory in it."""

    __slots__ = ("directory", "root")

    def __init__(self, root: Setting, directory: Setting) -> None:
        self.root = root
        self.directory = directory


def read_settings(flags: Mapping[str, str], environment: Mapping[str, str]) -> Settings:
    """Settings from parsed flags and the environment; an empty variable counts as not set."""
    return Settings(
        _setting(flags, CWD_FLAG, environment, CWD_VARIABLE, os.curdir),
        _setting(flags, DIR_FLAG, environment, DIR_VARIABLE, DEFAULT_DIR),
    )


def _setting(
    flags: Mapping[str, str], flag: str, environment: Mapping[str, str], variable: str, default: str
) -> Setting:
    if flag in flags:
        return Setting(flags[flag], flag)
    if environment.get(variable):
        return Setting(environment[variable], variable)
    return Setting(default, "default")
