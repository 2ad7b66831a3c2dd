"""Pages of people: the door, the links, one's account, the owner's list."""
