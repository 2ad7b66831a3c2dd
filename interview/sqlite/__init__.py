"""Django's database engine for a SQLite file that its owner alone may read."""
