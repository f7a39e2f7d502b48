"""One module a report format."""
