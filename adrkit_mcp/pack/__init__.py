"""What a release consists of besides the wheel: single-file archives, their hashes, `server.json`."""
