"""Mock interviews: timed, no peeking, and a report at the end."""
