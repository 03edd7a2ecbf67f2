#!/usr/bin/python3
"""What a notification costs: the gateway beside a Python program with bleak.

    bluetooth.py --reader FILE --gateway FILE --python FILE [--rounds 3] [--seconds 10] [--every-ms 2]

The same private bus, the same virtual bluetoothd and the same load for each reader in turn; counted
is the processor time of the reader's process alone, over the same seconds in the middle of its run.
The gateway's reader is its radio alone: from the socket or the bus to a reading of the model. Beside
it the whole daemon, with its rules judging each reading and its feed told, for which bleak has no
counterpart. Then the share of one core that five wearables at 1 Hz take of the daemon.

Figures of two programs in one run compare; those of two runs or machines do not.
"""
import argparse
import json
import os
import pathlib
import select
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'Tests/Rig'))

from parts.private_bus import PrivateBus  # noqa: E402
from parts.virtual_bluez import VirtualBluez  # noqa: E402

BLEAK_READER = pathlib.Path(__file__).resolve().parent / 'bleak_reader.py'
SETTLE = 2   # seconds: from the subscription until start-up has left the processor
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
host = "127.0.0.1"
port = 9
tls = false

[[person]]
id = "anna"
name = "Anna"
'''
WEARABLE = '\n[[wearable]]\nid = {id}\naddress = {address}\nperson = "anna"\n'


def cpu_ns(process):
    """Processor time of a process, all its threads, as clock_getcpuclockid(3) builds its clock."""
    return time.clock_gettime_ns(~process.pid << 3 | 2)


class Bench:
    """A bus and a virtual bluetoothd with straps; one reader at a time."""

    def __init__(self, directory, straps, sockets):
        self.directory = pathlib.Path(tempfile.mkdtemp(dir=directory))
        self.straps = [
            {'id': f'strap{n}', 'kind': 'heart_rate', 'address': f'C0:FF:EE:00:00:{n:02X}'}
            for n in range(1, straps + 1)]
        self.bus = PrivateBus(self.directory)
        self.bus.start()
        self.bluez = VirtualBluez(
            self.directory, self.bus.address, {'peripherals': self.straps, 'sockets': sockets})
        self.bluez.start()

    def stop(self):
        self.bluez.stop()
        self.bus.stop()

    def wait(self, event, count=1, **fields):
        """Until that event has come `count` times; what comes besides is dropped."""
        end = time.monotonic() + 30
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

    def sent(self):
        self.bluez.perform({'op': 'stats'})
        return sum(strap['sent'] for strap in self.wait('stats')['peripherals'].values())

    def drain(self, seconds):
        """Lets time pass; the events have to be read or their pipe would stop the load."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.bluez.descriptor], [], [], left)[0]:
                self.bluez.read_lines()

    def measure(self, process, every_ms, seconds):
        """Processor nanoseconds and notifications of the middle of a run."""
        self.wait('subscribed', count=len(self.straps), characteristic='2a37')
        for strap in self.straps:
            self.bluez.perform({
                'op': 'stream', 'id': strap['id'], 'every_ms': every_ms,
                'values': [{'bpm': bpm, 'contact': True} for bpm in range(60, 100)]})
        self.drain(SETTLE)
        cpu, sent = cpu_ns(process), self.sent()
        self.drain(seconds)
        cpu, sent = cpu_ns(process) - cpu, self.sent() - sent
        for strap in self.straps:
            self.bluez.perform({'op': 'stop', 'id': strap['id']})
        return cpu, sent


def gateway(bench, program):
    settings = bench.directory / 'gateway.toml'
    text = SETTINGS.format(
        directory=json.dumps(str(bench.directory)), bus=json.dumps(bench.bus.address),
        socket=json.dumps(str(bench.directory / 'control.sock')))
    text += ''.join(
        WEARABLE.format(id=json.dumps(strap['id']), address=json.dumps(strap['address']))
        for strap in bench.straps)
    settings.write_text(text, encoding='utf-8')
    with open(bench.directory / 'gateway.log', 'w', encoding='utf-8') as log:
        return subprocess.Popen(
            [program, 'run', '--config', settings], stdin=subprocess.PIPE, stdout=log, stderr=log)


def reader(bench, program):
    addresses = [strap['address'] for strap in bench.straps]
    return subprocess.Popen(
        [program, bench.bus.address, *addresses], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)


def bleak(bench, python, way):
    environment = {**os.environ, 'DBUS_SYSTEM_BUS_ADDRESS': bench.bus.address}
    with open(bench.directory / 'bleak.log', 'w', encoding='utf-8') as log:
        return subprocess.Popen(
            [python, BLEAK_READER, bench.straps[0]['address'], way], env=environment, stdin=subprocess.PIPE,
            stdout=log, stderr=log)


def run(directory, start, every_ms, seconds, straps=1, sockets=True):
    bench = Bench(directory, straps, sockets)
    process = None
    try:
        process = start(bench)
        return bench.measure(process, every_ms, seconds)
    finally:
        if process:
            process.stdin.close()
            process.terminate()
            process.wait()
        bench.stop()


def compare(arguments, directory):
    readers = {
        'reader, by socket': (lambda b: reader(b, arguments.reader), True),
        'reader, by signal': (lambda b: reader(b, arguments.reader), False),
        'whole gateway': (lambda b: gateway(b, arguments.gateway), True),
        'bleak, as it comes': (lambda b: bleak(b, arguments.python, 'stream'), True),
        'bleak, by socket': (lambda b: bleak(b, arguments.python, 'socket'), True)}
    readers = {name: reader for name, reader in readers.items() if arguments.only in name}
    costs = {name: [] for name in readers}
    # Round by round, so that what else the machine does meets all of them.
    for _ in range(arguments.rounds):
        for name, (start, sockets) in readers.items():
            cpu, sent = run(
                directory, start, arguments.every_ms, arguments.seconds, sockets=sockets)
            costs[name].append(cpu / sent / 1000)
    print(f'processor time per notification, µs, one strap at {1000 / arguments.every_ms:.0f}/s, '
          f'median of {arguments.rounds} runs of {arguments.seconds} s (least to most)')
    medians = {name: statistics.median(values) for name, values in costs.items()}
    for name, values in costs.items():
        print(f'  {name:20} {medians[name]:7.1f}   ({min(values):.1f} to {max(values):.1f})')
    for peer in medians.keys() & {'bleak, as it comes', 'bleak, by socket'}:
        if 'reader, by socket' not in medians:
            continue
        ratio = medians['reader, by socket'] / medians[peer]
        print(f'  reader by socket / {peer}: {ratio:.2f} (1/{1 / ratio:.1f})')


def idle(arguments, directory):
    shares = []
    for _ in range(arguments.rounds):
        seconds = max(arguments.seconds, 10)
        cpu, _ = run(directory, lambda b: gateway(b, arguments.gateway), 1000, seconds, straps=5)
        shares.append(cpu / seconds / 1e7)
    print(f'gateway with five straps at 1 Hz: {statistics.median(shares):.2f} % of one core '
          f'({min(shares):.2f} to {max(shares):.2f})')


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--reader', required=True)
    parser.add_argument('--gateway', required=True)
    parser.add_argument('--python', required=True, help='a Python with bleak')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=float, default=10)
    parser.add_argument('--every-ms', type=int, default=2)
    parser.add_argument('--only', default='', help='measure only readers whose name has this in it')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        compare(arguments, directory)
        idle(arguments, directory)


if __name__ == '__main__':
    main()
