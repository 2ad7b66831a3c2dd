"""Own cards: the editor, and packs that come in."""
