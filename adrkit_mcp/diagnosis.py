"""Why the server does not start: one line that says what was tried, which flag or variable set it, and the
likely cause. Only ever for the person who started it; answers to clients tell the bare reason.
"""

from __future__ import annotations

import os
import re

from .corpus.roots import MESSAGES
from .settings import CWD_FLAG, CWD_VARIABLE, DIR_FLAG, DIR_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .settings import Setting, Settings

#: Where other tools keep ADRs.
_OTHER_DIRECTORIES = (
    "doc/adr",
    "docs/decisions",
    "docs/adrs",
    "docs/architecture/decisions",
    "docs/architecture/adr",
    "doc/decisions",
    "doc/architecture/decisions",
    "adr",
    "adrs",
    "decisions",
)
_UNEXPANDED = re.compile(r"\$\{[^}]*\}?|\$[A-Za-z_]\w*|%[A-Za-z_]\w*%|^~(?=[\\/]|$)")


def diagnose(reason: str, settings: Settings) -> str:
    """The line for a failure `reason` of the corpus."""
    about_root = reason.startswith("root-")
    setting = settings.root if about_root else settings.directory
    flag, variable = (CWD_FLAG, CWD_VARIABLE) if about_root else (DIR_FLAG, DIR_VARIABLE)
    parts = [
        "%s: %s" % (reason, MESSAGES[reason]),
        _tried(setting, settings, about_root),
        _cause(reason, setting, settings) or "set it with %s or %s" % (flag, variable),
    ]
    return "; ".join(parts)


def _tried(setting: Setting, settings: Settings, about_root: bool) -> str:
    source = "by default" if setting.source == "default" else "from " + setting.source
    if about_root:
        return "tried %s (%s)" % (_shown(_absolute(setting.value)), source)
    return "tried %s (%s) in %s" % (
        _shown(setting.value),
        source,
        _shown(_absolute(settings.root.value)),
    )


def _cause(reason: str, setting: Setting, settings: Settings) -> str:
    literal = _UNEXPANDED.search(setting.value)
    if literal and reason.endswith("-not-found"):
        return "%s is the literal text %s: this client does not expand it, write %s" % (
            setting.source,
            _shown(literal[0]),
            "an absolute path" if reason == "root-not-found" else "a folder such as docs/adr",
        )
    if reason == "root-not-git":
        return _cause_of_no_git(_absolute(settings.root.value))
    if reason == "dir-not-found":
        return _cause_of_no_directory(settings)
    if reason == "root-not-readable":
        return _cause_of_no_access(settings.root.value)
    if reason == "dir-not-readable":
        return _cause_of_no_access(os.path.join(settings.root.value, setting.value))
    if reason == "dir-outside-root":
        return "%s has to be inside %s, links resolved" % (DIR_FLAG, CWD_FLAG)
    return ""


def _cause_of_no_git(root: str) -> str:
    git = os.path.join(root, ".git")
    if os.path.exists(git):
        return _cause_of_no_access(git)
    parent = os.path.dirname(root)
    while parent != root:
        if os.path.exists(os.path.join(parent, ".git")):
            return (
                "%s holds a .git, so this is a subfolder of a repository: pass %s %s (or set %s)"
                % (
                    _shown(parent),
                    CWD_FLAG,
                    _shown(parent),
                    CWD_VARIABLE,
                )
            )
        root, parent = parent, os.path.dirname(parent)
    return "pass the repository with %s or %s, or add an empty .git file to its root" % (
        CWD_FLAG,
        CWD_VARIABLE,
    )


def _cause_of_no_directory(settings: Settings) -> str:
    for other in _OTHER_DIRECTORIES:
        if os.path.isdir(os.path.join(settings.root.value, other)):
            return "%s exists: pass %s %s (or set %s)" % (other, DIR_FLAG, other, DIR_VARIABLE)
    return ""


def _cause_of_no_access(path: str) -> str:
    """Who we are and whose it is, or the folder on the way to it: in containers the two often differ."""
    while True:
        try:
            status = os.stat(path)
            break
        except OSError:
            path, below = os.path.dirname(path), path
            if path == below or not path:
                return ""
    if not hasattr(os, "getuid"):
        return ""
    return (
        "this process is uid %d gid %d, %s belongs to uid %d gid %d with mode %04o: run as its owner, "
        'in a container with --user "$(id -u):$(id -g)"'
        % (
            os.getuid(),
            os.getgid(),
            _shown(path),
            status.st_uid,
            status.st_gid,
            status.st_mode & 0o7777,
        )
    )


def _absolute(path: str) -> str:
    """The absolute path, or the path itself when the current directory is gone."""
    try:
        return os.path.abspath(path)
    except OSError:
        return path


def _shown(path: str) -> str:
    """A path on one line: control and undecodable characters escaped, cut to a sane length."""
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in path)
    return text if len(text) <= 300 else text[:300] + "..."
