"""A virtual org.bluez: the D-Bus face of bluetoothd 5.66, without a radio behind it."""
