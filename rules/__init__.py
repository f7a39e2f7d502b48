"""Rule packs; the engine discovers every package in this folder."""
