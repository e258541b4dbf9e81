"""decisionscope: read-only access to a hosted decision record, as a command and as an MCP server."""
