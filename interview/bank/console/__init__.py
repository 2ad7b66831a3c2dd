"""The console: the script and the scorecard of who interviews."""
