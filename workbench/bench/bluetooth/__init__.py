"""Processor time of a notification: the gateway, bleak with paho-mqtt, and a C loop."""
