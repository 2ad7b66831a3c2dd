"""A simulated DGX Spark that serves vLLM's API. It knows neither Django nor the lab."""
