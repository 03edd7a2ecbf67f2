"""The outside world of a gateway, one real or virtual part a file, each started on its own."""
