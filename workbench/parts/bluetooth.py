"""The virtual bluetoothd as a part: operations in, events out."""
import json
import os
import subprocess

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.paths import program


class VirtualBluez(Part):
    name = 'bluez'

    def __init__(self, directory, bus_address, config=None):
        """`config` is a dictionary as in virtual_bluez.py, or None for one heart rate strap."""
        super().__init__(directory)
        self.bus_address, self.config = bus_address, config
        self.rest = b''

    def start(self):
        command = [*program('virtual_bluez'), '--bus', self.bus_address]
        if self.config is not None:
            path = self.directory / 'peripherals.json'
            path.write_text(json.dumps(self.config), encoding='utf-8')
            command += ['--config', path]
        with self.log_file() as log:
            self.child = Child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.rest = b''
        self.first_line(self.child.process.stdout.raw)   # unbuffered: the rest is read_lines()'s

    @property
    def descriptor(self):
        """Readable when events are there."""
        return self.child.process.stdout.fileno()

    def perform(self, line):
        """Hands over one operation, a dictionary or a line of JSON. BrokenPipeError when it is gone."""
        text = line if isinstance(line, str) else json.dumps(line)
        if not self.child:
            raise BrokenPipeError('the virtual bluetoothd is not running')
        self.child.process.stdin.write(text.encode() + b'\n')
        self.child.process.stdin.flush()

    def read_lines(self):
        """The event lines that are there, waiting for the first; None at the end."""
        data = os.read(self.descriptor, 65536)
        if not data:
            return None
        *lines, self.rest = (self.rest + data).split(b'\n')
        return [line.decode() for line in lines]
