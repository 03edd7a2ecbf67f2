"""The peer of the Bluetooth benchmark: connects straps through bleak and decodes their notifications.

    bleak_reader.py signal|socket BROKER_PORT|- ADDRESS...

It does the work of a careful program of its kind and no more: heart rate and contact of each notification, with the
time of arrival. With a broker, it publishes each through paho as JSON at QoS 1, with the fields that the gateway sends.
At the end of input it prints the number of notifications.
"""
import asyncio
import datetime
import json
import sys
import time
import uuid

from bleak import BleakClient, BleakScanner

RATE = '00002a37-0000-1000-8000-00805f9b34fb'


class Readings:
    def __init__(self, publish):
        self.publish = publish
        self.count, self.last = 0, None

    def listener(self, device):
        def heard(_characteristic, data):
            flags = data[0]
            rate = int.from_bytes(data[1:3], 'little') if flags & 1 else data[1]
            contact = None if not flags & 4 else bool(flags & 2)
            self.last = rate, contact, time.clock_gettime(time.CLOCK_BOOTTIME)
            self.count += 1
            if self.publish:
                self.publish(device, rate, contact)
        return heard


def publisher(port):
    import paho.mqtt.client as paho
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, 'bench', protocol=paho.MQTTv5)
    client.connect('127.0.0.1', port)
    client.loop_start()

    def publish(device, rate, contact):
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec='milliseconds')
        client.publish('trackme/v1/bench/samples/anna/heart-rate', json.dumps({
            'id': str(uuid.uuid4()), 'person': 'anna', 'device': device, 'kind': 'heart-rate', 'value': rate,
            'unit': '/min', 'loinc': '8867-4', 'contact': 'detected' if contact else 'lost',
            'time': now, 'received': now}), qos=1)
    return publish


async def main(way, port, *addresses):
    readings = Readings(publisher(int(port)) if port != '-' else None)
    clients = []
    for number, address in enumerate(addresses):
        device = await BleakScanner.find_device_by_address(address, timeout=20)
        client = BleakClient(device)
        await client.connect()
        await client.start_notify(
            RATE, readings.listener(f'strap{number}'), bluez={'use_start_notify': way != 'socket'})
        clients.append(client)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(readings.count, flush=True)
    for client in clients:
        await client.disconnect()


asyncio.run(main(*sys.argv[1:]))
