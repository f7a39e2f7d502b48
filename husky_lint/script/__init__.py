"""What the page's script does, read from its source and never run."""
