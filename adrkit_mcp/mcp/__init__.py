"""The Model Context Protocol over stdio: messages, the server of both eras, the transport."""
