"""What the command line says of itself."""

from __future__ import annotations

USAGE = (
    "usage: decisionscope query_decision QUESTION [--type T] [--owner S] [--area S] [--surface S] | "
    "list_decision_changes [--since CURSOR] [--limit N] | whoami | mcp   (--help tells more)"
)

HELP = """\
decisionscope: read-only access to a hosted decision record, as a command and as an MCP server.

usage: decisionscope query_decision QUESTION [--type action_item|follow_up|decision]
                     [--owner S] [--area S] [--surface S]      what was decided
       decisionscope list_decision_changes [--since CURSOR] [--limit 1..200]
                     what changed since a cursor; --since 0_ starts from the beginning
       decisionscope whoami                                    the token's organization and scopes
       decisionscope mcp                                       serve MCP on stdin and stdout
       decisionscope --version | --help

Results are JSON on stdout. Act only on an answer that is not blank; in every other case hold.

  RITHMO_MCP_TOKEN       service token of the organization, with the scope mcp:read; needed
  RITHMO_MCP_URL         endpoint (default: https://app.rithmo.ai/api/mcp)
  DECISIONSCOPE_TIMEOUT  seconds for a whole call (default: 30)
  HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE, SSL_CERT_DIR           as usual

Exit codes: 0 success, 1 the call failed or there is no token, 2 usage, or a variable that cannot be used.
"""
