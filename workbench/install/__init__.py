"""The Debian packages on a box with systemd: installed, used, cut from power, upgraded, hung, removed."""
