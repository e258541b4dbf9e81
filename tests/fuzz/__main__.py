"""Fuzz the readers of untrusted input: `python -m tests.fuzz TARGET --seconds N`, TARGET or `all`.

A target is a module here, named as the module that it tests: SEEDS, FRAGMENTS of its language, and `check`,
which raises for bytes that are handled wrongly. Inputs come from atheris where it is installed, else from
hypothesis. The exit code is 1 after a crash, which is shown with its input made small.
"""

import argparse
import importlib
import importlib.util
import sys
import time
import traceback

from . import generated, guided

TARGETS = ("yaml_subset", "source", "glob", "cursor", "server")
ENGINES = {"atheris": guided, "hypothesis": generated}

_SECONDS_TO_SHRINK = 20
_SHOWN = 4_000


def fuzz(name, engine, seconds):
    """Whether a target ran without a crash; prints what it did."""
    target = importlib.import_module("." + name, __package__)
    started = time.monotonic()
    executions, crash = engine.run(target, seconds)
    figures = (name, executions, time.monotonic() - started, crash is not None)
    print("%s: %d executions, %.0f seconds, %d crashes" % figures, flush=True)
    if crash is not None:
        explain(name, target, shrunk(target, crash))
    return crash is None


def explain(name, target, crash):
    print(error_of(target, crash) or "no crash when run again: a matter of time or memory")
    text = repr(crash)
    if len(text) > _SHOWN:
        text = "%s... (%d bytes)" % (text[:_SHOWN], len(crash))
    print(
        "To reproduce it:\nfrom tests.fuzz import %s\n%s.check(%s)" % (name, name, text), flush=True
    )


def shrunk(target, crash):
    """The crashing input without the parts that it crashes without."""
    end = time.monotonic() + _SECONDS_TO_SHRINK
    size = len(crash)
    while size:
        start = 0
        while start < len(crash) and time.monotonic() < end:
            shorter = crash[:start] + crash[start + size :]
            if error_of(target, shorter):
                crash = shorter
            else:
                start += size
        size //= 2
    return crash


def error_of(target, data):
    """The traceback of a crash, "" without one."""
    try:
        target.check(data)
    except Exception:
        return traceback.format_exc()
    return ""


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=(*TARGETS, "all"))
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--engine", choices=ENGINES)
    options = parser.parse_args()
    installed = [name for name in ENGINES if importlib.util.find_spec(name)]
    engine = options.engine or (installed or [None])[0]
    if engine not in installed:
        parser.error("not installed: pip install %s" % (engine or " or ".join(ENGINES)))
    names = TARGETS if options.target == "all" else (options.target,)
    clean = [fuzz(name, ENGINES[engine], options.seconds) for name in names]
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main())
