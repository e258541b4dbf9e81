"""Decision memory for coding agents: a read-only MCP server over a Git-kept ADR corpus."""
