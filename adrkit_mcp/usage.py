"""What the command line says of itself."""

from __future__ import annotations

USAGE = (
    "usage: adrkit-mcp [--cwd PATH] [--dir PATH] [call TOOL [JSON] | lint]   (--help tells more)"
)

HELP = """\
adrkit-mcp: decision memory for coding agents, a read-only MCP server over a Git-kept ADR corpus.

usage: adrkit-mcp [--cwd PATH] [--dir PATH]                       serve MCP on stdin and stdout
       adrkit-mcp call TOOL [JSON] [--text] [--cwd PATH] [--dir PATH]  one tool call, for people and scripts
       adrkit-mcp lint [--format text|json|github] [--cwd PATH] [--dir PATH]  what is wrong with the corpus

  --cwd PATH   repository root, the folder that holds .git   (ADRKIT_MCP_CWD; default: current folder)
  --dir PATH   folder of the ADRs, inside the root           (ADRKIT_MCP_DIR; default: docs/adr)
  --help       this text
  --version    the version

call: TOOL is get_decision, get_decision_context, list_superseded or search_decisions; JSON its arguments
(- reads them from stdin). Prints the structured answer as JSON, or with --text its summary line.
  adrkit-mcp call search_decisions '{"query": "postgres", "status": ["rejected"]}'
lint: prints findings with path, line, rule and what to write instead.

Exit codes: serve 0 at end of input, 1 unusable root or directory or broken stream, 2 usage;
call 0 answer, 1 corpus unavailable, 2 bad arguments; lint 0 no errors, 1 errors found or corpus
unavailable, 2 usage."""
