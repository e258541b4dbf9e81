"""Runs a command on this process's own streams and records how it ended.

    python3 record_exit.py FILE COMMAND...

FILE gets `{"returncode", "stderr"}` as JSON once the command has ended; none is written when this
process is killed first.
"""

from __future__ import annotations

import json
import subprocess
import sys


def main(record: str, command: list[str]) -> int:
    ended = subprocess.run(command, stderr=subprocess.PIPE)
    with open(record, "w", encoding="utf-8") as file:
        stderr = ended.stderr.decode("utf-8", "backslashreplace")
        json.dump({"returncode": ended.returncode, "stderr": stderr}, file)
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
