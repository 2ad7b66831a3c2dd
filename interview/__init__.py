"""Prefill: interview practice for LLM inference engineering, with a live lab."""
