"""Serves a repository as the program does, but `search_decisions` runs the attack that its query names.

sealed_server.py BASE: the repository is BASE/repo. With `bare`, modules that attacks need are not imported
before the seal, and a query is the name of a module to import.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from adrkit_mcp import console, service
from adrkit_mcp.corpus import directory
from adrkit_mcp.tools import search_decisions
from adrkit_mcp.tools.answer import Answer

base, bare = sys.argv[1], sys.argv[2:] == ["bare"]
if bare:
    in_a_call = while_loading = {}
else:
    from tests.security import attacks

    place = attacks.Place(base)
    if os.name == "posix":
        place.held = os.open(place.outside, os.O_RDONLY)
    in_a_call, while_loading = attacks.IN_A_CALL, attacks.READS_WHILE_LOADING
armed = []


def answer(projection, arguments):
    query = arguments["query"]
    if query in while_loading:
        armed.append(query)
    elif query in in_a_call:
        in_a_call[query](place)
    else:
        __import__(query)
    return Answer({"outcome": "results"}, "The attack " + query + " got through.")


def read(self, *arguments, original=directory.Directory.read):
    """Attacks when a record was just opened, which is when the most is let through."""
    files = original(self, *arguments)
    if armed:
        place.reading = self._reading
        while_loading[armed.pop()](place)
    return files


search_decisions.answer = answer
directory.Directory.read = read
os._exit(service.serve(os.path.join(base, "repo"), "docs/adr", console.complain))
