"""Delivery of every reading under outages."""
