"""What somebody practised, as files: out, in again, and gone."""
