"""How long what is known of a candidate stays, and who looked at it."""
