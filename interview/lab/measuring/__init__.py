"""The lab worker and the process in which it measures."""
