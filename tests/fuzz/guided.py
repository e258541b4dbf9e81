"""Inputs from atheris, which keeps and mutates what reaches new code; some twenty times as many.

It ends the process that it runs in, so this module is run as one of its own.
"""

import importlib
import os
import re
import subprocess
import sys
import tempfile

from .checks import MAX_LENGTH

_MAX_WORD = 64  # bytes of an entry of libFuzzer's dictionary
_TIMEOUT = 30
_count = re.compile(rb"stat::number_of_executed_units:\s*([0-9]+)").search


def run(target, seconds):
    """(the number of inputs checked, the one that crashed or None)."""
    name = target.__name__.rpartition(".")[2]
    with tempfile.TemporaryDirectory(prefix="adrkit-mcp-fuzz-") as directory:
        words = [sys.executable, "-m", __name__, name, directory, str(int(seconds))]
        ended = subprocess.run(words, capture_output=True)
        crashes = [file for file in os.listdir(directory) if file.startswith("crash-")]
        executions = _count(ended.stderr)
        if executions is None or (ended.returncode != 0 and not crashes):
            sys.exit("atheris failed:\n" + ended.stderr.decode("utf-8", "replace")[-2000:])
        crash = None
        if crashes:
            with open(os.path.join(directory, crashes[0]), "rb") as file:
                crash = file.read()
        return int(executions[1]), crash


def main(name, directory, seconds):
    import atheris

    with atheris.instrument_imports(include=["adrkit_mcp"]):
        target = importlib.import_module("." + name, __package__)
    seeds = os.path.join(directory, "seeds")
    os.mkdir(seeds)
    for number, seed in enumerate(target.SEEDS):
        with open(os.path.join(seeds, str(number)), "wb") as file:
            file.write(seed)
    dictionary = os.path.join(directory, "dictionary")
    with open(dictionary, "w", encoding="ascii") as file:
        for fragment in target.FRAGMENTS:
            word = "".join(map("\\x%02x".__mod__, fragment[:_MAX_WORD]))
            file.write('"%s"\n' % word)
    options = {
        "dict": dictionary,
        "max_len": MAX_LENGTH,
        "max_total_time": seconds,
        "timeout": _TIMEOUT,
        "artifact_prefix": os.path.join(directory, "crash-"),
        "print_final_stats": 1,
    }
    flags = ["-%s=%s" % option for option in options.items()]
    atheris.Setup([__name__, *flags, seeds], target.check)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
