"""Checks of docs/contract against the running gateway."""
