"""Parts of the virtual modem."""
