"""Fuzz the readers of untrusted input: `python -m tests.fuzz TARGET --seconds N`, TARGET or `all`.

A target is a module here, named as the module that it tests: SEEDS, FRAGMENTS of its language, and `check`,
which raises for bytes that are handled wrongly. Inputs are made in rounds, each from a seed of its own;
a crash is shown with the smallest input found and the seed of its round. The exit code is 1 after a crash.
"""

import argparse
import importlib
import random
import sys
import time
import traceback

TARGETS = ("yaml_subset", "source", "glob", "cursor", "server")

_ROUND = 2_000
_SHRINKING = 20
_SHOWN = 2_000


class _TimeIsUp(BaseException):
    """Ends a round, whatever it does."""


class Run:
    """The run of one target: its executions, and the input and error that were found last."""

    def __init__(self, name, seconds):
        self.name = name
        self.target = importlib.import_module("." + name, __package__)
        self.executions = 0
        self.crash = None
        self.started = time.monotonic()
        self._end = self.started + seconds

    @property
    def seconds(self):
        return time.monotonic() - self.started

    def until_end(self, seed):
        """Rounds until the time is up or an input crashes; the seed of the last round."""
        try:
            while self.crash is None:
                self._round(seed)
                seed += self.crash is None
        except _TimeIsUp:
            pass
        return seed

    def _round(self, seed):
        import hypothesis

        from .mutations import inputs

        run = hypothesis.given(inputs(self.target.SEEDS, self.target.FRAGMENTS))(self._execute)
        run = hypothesis.settings(
            max_examples=_ROUND,
            deadline=None,
            database=None,
            report_multiple_bugs=False,
            suppress_health_check=list(hypothesis.HealthCheck),
            verbosity=hypothesis.Verbosity.quiet,
            phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        )(run)
        try:
            hypothesis.seed(seed)(run)()
        except Exception:
            if self.crash is None:
                raise

    def _execute(self, value):
        if time.monotonic() > self._end:
            raise _TimeIsUp
        self.executions += 1
        try:
            self.target.check(value)
        except Exception as error:
            if self.crash is None:
                self._end = time.monotonic() + _SHRINKING
            self.crash = value, error
            raise


def fuzz(name, seconds, seed):
    """Whether a target ran without a crash; prints what it did."""
    run = Run(name, seconds)
    seed = run.until_end(seed)
    figures = (name, run.executions, run.seconds, 1 if run.crash else 0)
    print("%s: %d executions, %.0f seconds, %d crashes" % figures, flush=True)
    if run.crash is None:
        return True
    value, error = run.crash
    shown = ascii(value)
    print("input: " + (shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "... (cut)"))
    print("".join(traceback.format_exception(type(error), error, error.__traceback__)), end="")
    print("reproduce: tests.fuzz.%s.check(INPUT), or" % name)
    print("python -m tests.fuzz %s --seed %d" % (name, seed), flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=(*TARGETS, "all"))
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        parser.error("fuzzing needs hypothesis: pip install hypothesis")
    names = TARGETS if options.target == "all" else (options.target,)
    clean = [fuzz(name, options.seconds, options.seed) for name in names]
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main())
