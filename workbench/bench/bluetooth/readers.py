"""The programs that are measured: ours and their peers. Each is told to end by the end of its input."""
import json
import os
import pathlib
import subprocess

from workbench.bench.bluetooth.usage import Usage
from workbench.parts.port import HOST

PEER = pathlib.Path(__file__).resolve().parent / 'bleak_reader.py'
SETTINGS = '''\
[gateway]
id = "bench"
state_directory = {directory}
control_socket = {socket}

[installed]
address = "bench"
latitude = 45.0
longitude = 9.0

[bluetooth]
bus = {bus}

[gpsd]
enabled = false

[broker]
host = {host}
port = {port}
tls = false

[[person]]
id = "anna"
name = "Anna"
data_policy = "accepted"
automated_sos = "accepted"
'''
WEARABLE = '\n[[wearable]]\nid = {id}\naddress = {address}\nperson = "anna"\n'


class Reader:
    """A program, how it is started, and how many readings it had in all."""

    has_broker = False

    def __init__(self, name, program):
        self.name, self.program = name, program

    def start(self, house):
        with open(house.directory / 'reader.log', 'wb') as log:
            return subprocess.Popen(
                self.command(house), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                env={**os.environ, 'DBUS_SYSTEM_BUS_ADDRESS': house.bus.address})

    def end(self, process, house, expected):
        """Ends it. Returns how many readings arrived where it brings them."""
        if self.has_broker:
            count = house.arrived(expected)
            process.terminate()
            process.communicate()
            return count
        return int(process.communicate()[0].split()[-1])


class OwnReader(Reader):
    """The radio alone: from the socket to a reading of the model."""

    def command(self, house):
        return [self.program, house.bus.address, *house.load.addresses]


class Bleak(Reader):
    """`way` is `signal`, as bleak does it unasked, or `socket`, as the gateway does."""

    def __init__(self, name, program, way):
        super().__init__(name, program)
        self.way = way

    def command(self, house):
        return [self.program, PEER, self.way, '-', *house.load.addresses]


class Gateway(Reader):
    """The daemon: rules, consent, queue, broker."""

    has_broker = True

    def command(self, house):
        text = SETTINGS.format(
            directory=json.dumps(str(house.directory)), bus=json.dumps(house.bus.address),
            socket=json.dumps(str(house.directory / 'control.sock')), host=json.dumps(HOST),
            port=house.broker.port)
        text += ''.join(
            WEARABLE.format(id=json.dumps(id), address=json.dumps(address))
            for id, address in zip(house.ids, house.load.addresses, strict=True))
        settings = house.directory / 'gateway.toml'
        settings.write_text(text, encoding='utf-8')
        return [self.program, 'run', '--config', settings]


class BleakAndPaho(Bleak):
    has_broker = True

    def command(self, house):
        return [self.program, PEER, self.way, str(house.broker.port), *house.load.addresses]


class Floor(Reader):
    """A bare C loop: floor.c. It makes its own load and measures itself."""

    def run(self, house, seconds):
        words = [house.load.straps, house.load.hertz, round(seconds)]
        if self.has_broker:
            words.append(house.broker.port)
        told = subprocess.run([self.program, *map(str, words)], stdout=subprocess.PIPE, check=True).stdout
        cpu_ns, switches, packets = map(int, told.split())
        return Usage(cpu_ns, switches), packets


class FloorAndBroker(Floor):
    has_broker = True
