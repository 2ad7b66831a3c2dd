"""Servers that the tests of this folder share, one for each set of flags."""

import pytest

from tests.spark.spark_process import SparkProcess


@pytest.fixture(scope="session")
def spark_with():
    """A running server by its flags; started once."""
    running = {}

    def start(*flags):
        if flags not in running:
            running[flags] = SparkProcess(*flags)
        return running[flags]

    yield start
    for server in running.values():
        server.stop()


@pytest.fixture
def spark(spark_with):
    return spark_with()
