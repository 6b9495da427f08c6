"""The routes. They contain no logic: each reads the request, calls another module, and writes the response."""
