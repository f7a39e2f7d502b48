"""The scene graph: who paints what, in which order and where."""
