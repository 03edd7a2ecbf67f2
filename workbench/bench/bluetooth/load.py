"""The load: straps of a virtual bluetoothd that notify, a broker, and the measurement of a reader."""
import json
import pathlib
import select
import tempfile
import time

from workbench.bench.bluetooth.usage import Usage
from workbench.parts.bluetooth import VirtualBluez
from workbench.parts.child import Child
from workbench.parts.mosquitto import Mosquitto
from workbench.parts.port import HOST
from workbench.parts.private_bus import PrivateBus

SETTLE = 2     # seconds: from the first notification until start-up has left the processor
LATE = 5       # seconds for the last of it to arrive
SAMPLES = 'trackme/v1/bench/samples/#'


class Load:
    """`straps` heart rate straps that notify `hertz` times a second each, evenly spread."""

    def __init__(self, straps, hertz):
        self.straps, self.hertz = straps, hertz

    def __str__(self):
        return f'{self.straps} straps × {self.hertz}/s'

    @property
    def addresses(self):
        return [f'C0:FF:EE:00:00:{n:02X}' for n in range(1, self.straps + 1)]


class MeasuredParts:
    """The parts around one reader, new for each run."""

    def __init__(self, directory, load, has_broker):
        self.directory = pathlib.Path(tempfile.mkdtemp(dir=directory))
        self.load = load
        self.ids = [f'strap{n}' for n in range(load.straps)]
        self.bus = PrivateBus(self.directory)
        self.bluez = VirtualBluez(self.directory, self.bus.address, {'peripherals': [
            {'id': id, 'kind': 'heart_rate', 'address': address}
            for id, address in zip(self.ids, load.addresses, strict=True)]})
        self.broker = Mosquitto(self.directory) if has_broker else None
        self.published = self.directory / 'published'
        self.subscriber = None

    def __enter__(self):
        self.bus.start()
        self.bluez.start()
        if self.broker:
            self.broker.start()
            self.subscriber = Child(
                ['mosquitto_sub', '-h', HOST, '-p', self.broker.port, '-t', SAMPLES, '-F', '%p'],
                stdout=open(self.published, 'wb'))
        return self

    def __exit__(self, *_):
        for part in (self.subscriber, self.broker, self.bluez, self.bus):
            if part:
                part.stop()

    def measure(self, process, seconds):
        """Returns the usage of `process` in the middle of a run, its notifications, and those of the whole run."""
        self.wait('subscribed', count=len(self.ids), characteristic='2a37')
        for id in self.ids:
            self.bluez.perform({
                'op': 'stream', 'id': id, 'every_ms': round(1000 / self.load.hertz),
                'values': [{'bpm': bpm, 'contact': True} for bpm in range(60, 100)]})
            self.drain(1 / self.load.hertz / self.load.straps)
        self.drain(SETTLE)
        used, sent = Usage.of(process), self.sent()
        self.drain(seconds)
        used, sent = Usage.of(process) - used, self.sent() - sent
        for id in self.ids:
            self.bluez.perform({'op': 'stop', 'id': id})
        self.drain(0.5)
        return used, sent, self.sent()

    def sent(self):
        self.bluez.perform({'op': 'stats'})
        return sum(strap['sent'] for strap in self.wait('stats')['peripherals'].values())

    def arrived(self, expected):
        """Returns the number of readings at the broker, once it is `expected` or it is late. Each reading has an id."""
        end = time.monotonic() + LATE
        while (count := self.published.read_bytes().count(b'"id":')) < expected and time.monotonic() < end:
            time.sleep(0.2)
        return count

    def wait(self, event, count=1, **fields):
        """Returns when that event has come `count` times; other events are dropped."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if not select.select([self.bluez.descriptor], [], [], 1)[0]:
                continue
            for line in self.bluez.read_lines() or []:
                told = json.loads(line)
                if told['event'] == event and all(told.get(k) == v for k, v in fields.items()):
                    count -= 1
                    if not count:
                        return told
        raise TimeoutError(f'no {event} of the virtual bluetoothd')

    def drain(self, seconds):
        """Lets time pass; the events have to be read or their pipe would stop the load."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.bluez.descriptor], [], [], left)[0]:
                self.bluez.read_lines()
