"""From a new row to every browser that watches."""
