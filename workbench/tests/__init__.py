"""Unit tests of the programs in this package."""
