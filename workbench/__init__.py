"""Test fixtures, end-to-end tests, benchmarks and demos of HomeGateway.

Programs start as modules from the root of the repository: `python3 -m workbench.demo`.
"""
