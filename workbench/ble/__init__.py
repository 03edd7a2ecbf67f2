"""The BLE rig: virtual wearables on the real bluetoothd of a guest. Runs inside the guest."""
