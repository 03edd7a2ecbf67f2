"""Benchmarks against peers: other programs on the same load."""
