"""What a backup or a restore refuses."""


class ArchiveError(Exception):
    """The message is a sentence for whoever runs the command."""
