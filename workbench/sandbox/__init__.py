"""The part of a systemd unit's sandbox that a process can apply to itself, for as-unit."""
