"""A virtual org.bluez: the D-Bus interface of bluetoothd 5.66, without a radio."""
