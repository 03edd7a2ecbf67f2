"""The 5-second promise under faults."""
