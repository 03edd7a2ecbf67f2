"""The measured programs: the gateway's own and their peers. Each ends with its standard input."""
import os
import pathlib
import subprocess

from workbench import gateway_settings as settings
from workbench.bench.bluetooth.usage import Usage

PEER = pathlib.Path(__file__).resolve().parent / 'bleak_reader.py'


class Reader:
    """A program: its command, and the number of readings that it received."""

    has_broker = False

    def __init__(self, name, program):
        self.name, self.program = name, program

    def command(self, house):
        raise NotImplementedError

    def start(self, house):
        with open(house.directory / 'reader.log', 'wb') as log:
            return subprocess.Popen(
                self.command(house), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                env={**os.environ, 'DBUS_SYSTEM_BUS_ADDRESS': house.bus.address})

    def end(self, process, house, expected):
        """Ends the program. Returns the number of readings that arrived at their destination."""
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
    """`way`: `signal`, bleak's default, or `socket`, as in the gateway."""

    def __init__(self, name, program, way):
        super().__init__(name, program)
        self.way = way

    def command(self, house):
        return [self.program, PEER, self.way, '-', *house.load.addresses]


class Gateway(Reader):
    """The daemon: rules, consent, queue, broker."""

    has_broker = True

    def command(self, house):
        text = (
            settings.house('bench', house.directory, house.broker.port, unsigned_acceptances=False)
            + settings.section('[bluetooth]', bus=house.bus.address) + settings.section('[gpsd]', enabled=False)
            + settings.consenting('anna', 'Anna'))
        for id, address in zip(house.ids, house.load.addresses, strict=True):
            text += settings.wearable(id, address, 'anna')
        path = house.directory / 'gateway.toml'
        path.write_text(text, encoding='utf-8')
        return [self.program, 'run', '--config', path]


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
