"""What of a systemd unit's sandbox a process can put itself under, for as-unit."""
