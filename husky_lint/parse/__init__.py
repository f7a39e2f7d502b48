"""Text in, trees with exact spans out."""
