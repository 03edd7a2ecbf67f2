"""A virtual org.bluez on a private bus, driven line by line.

    python3 -m workbench.virtual_bluez --bus ADDRESS [--config FILE]

FILE is JSON: {"peripherals": [{"id": "strap", "kind": "heart_rate", "address": "C0:FF:EE:00:00:01", "name": "Virtual
Strap"}]}; simulated_peripheral.py has all the keys.

Standard input takes one JSON object a line, {"op": NAME, ...}; operations.py has all the operations. Standard output
reports events, one JSON object a line, {"event": NAME, ...}. A bad line is an event too, and ends nothing. The end of
input ends the program.

It sends readings only on request of its driver.
"""
import argparse
import json
import os
import sys

import dbus
from gi.repository import GLib

from workbench.virtual_bluez.operations import Control
from workbench.virtual_bluez.rig import Rig

# Without a file, a driver gets one wearable.
DEFAULT_CONFIG = {'peripherals': [
    {'id': 'strap', 'kind': 'heart_rate', 'address': 'C0:FF:EE:00:00:01', 'name': 'Virtual Strap'}]}


def tell(event, **details):
    try:
        print(json.dumps({'event': event, **details}), flush=True)
    except BrokenPipeError:   # the output has no reader any more
        os._exit(0)


class Lines:
    """Splits the input of a descriptor into lines and passes on each."""

    def __init__(self, descriptor, on_line, on_end):
        self.on_line, self.on_end, self.rest = on_line, on_end, b''
        GLib.io_add_watch(descriptor, GLib.IO_IN | GLib.IO_HUP | GLib.IO_ERR, self.readable)

    def readable(self, descriptor, _condition):
        data = os.read(descriptor, 65536)
        if not data:
            self.on_end()
            return GLib.SOURCE_REMOVE
        *lines, self.rest = (self.rest + data).split(b'\n')
        for line in lines:
            self.on_line(line)
        return GLib.SOURCE_CONTINUE


def perform_line(control, line):
    if not line.strip():
        return
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            raise ValueError('an operation is a JSON object')
    except ValueError as problem:
        tell('error', message=f'{problem}', request=line.decode(errors='replace'))
    else:
        control.perform(request)


def main():
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.virtual_bluez', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bus', required=True, metavar='ADDRESS', help='D-Bus address, unix:path=...')
    parser.add_argument('--config', metavar='FILE')
    arguments = parser.parse_args()
    config = DEFAULT_CONFIG
    if arguments.config:
        with open(arguments.config, encoding='utf-8') as file:
            config = json.load(file)
    loop = GLib.MainLoop()
    try:
        rig = Rig(arguments.bus, config, tell, on_bus_lost=loop.quit)
    except (dbus.DBusException, ValueError, KeyError) as problem:
        sys.exit(f'virtual_bluez: cannot start: {problem}')
    control = Control(rig, quit=loop.quit)
    Lines(sys.stdin.fileno(), lambda line: perform_line(control, line), loop.quit)
    tell('ready')
    loop.run()


if __name__ == '__main__':
    main()
