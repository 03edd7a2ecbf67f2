"""Scenarios of the BLE rig, one program each."""
