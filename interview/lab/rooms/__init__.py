"""People around one run: who sits in a room, and who may do what there."""
