#!/usr/bin/env python3
"""The peer of the bluetooth benchmark: connects one strap through bleak and decodes what it notifies.

    bleak_reader.py ADDRESS stream|socket

It does what a careful program of its kind does and no more: heart rate and contact of each
notification, with the time of arrival. Prints "subscribed", then, at the end of input, the count.
"""
import asyncio
import sys
import time

from bleak import BleakClient, BleakScanner

RATE = '00002a37-0000-1000-8000-00805f9b34fb'


class Readings:
    def __init__(self):
        self.count, self.last = 0, None

    def heard(self, _characteristic, data):
        flags = data[0]
        rate = int.from_bytes(data[1:3], 'little') if flags & 1 else data[1]
        contact = None if not flags & 4 else bool(flags & 2)
        self.last = rate, contact, time.clock_gettime(time.CLOCK_BOOTTIME)
        self.count += 1


async def main(address, way):
    readings = Readings()
    device = await BleakScanner.find_device_by_address(address, timeout=20)
    async with BleakClient(device) as client:
        await client.start_notify(RATE, readings.heard, bluez={'use_start_notify': way != 'socket'})
        print('subscribed', flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(readings.count, flush=True)


asyncio.run(main(*sys.argv[1:]))
