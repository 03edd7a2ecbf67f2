"""Processor time of a notification: the gateway beside Python programs on the same load.

    python3 -m workbench.bench.bluetooth --reader FILE --gateway FILE --floor FILE --python FILE [--rounds 5]
                                         [--seconds 10] [--load 20x50 ...]

The figure is the processor time of all threads of the reader's process, and of the processes that it has started,
between two instants in the middle of its run; start, connection and subscription come before and do not count. The
readers take turns, so that other load on the machine meets all of them, and medians are compared. A run in which a
reader missed or doubled a notification is no measurement, and ends the benchmark.

- radio: the gateway's reader alone, to a reading of the model, beside bleak with a callback.
- pipeline: the daemon, with its rules judging each reading, to the broker's acknowledgement at QoS 1,
  beside bleak with paho-mqtt.
- floor: a bare C loop that reads the packets and drops them, or passes them to libmosquitto. Its time is the time of
  the kernel and the library; no program on this machine takes less.

bleak uses D-Bus signals by default, and a socket, as the gateway does, on request. Figures of two programs in one run
can be compared; figures of two runs or machines cannot.
"""
import argparse
import statistics
import tempfile

from workbench.bench.bluetooth.load import Load, MeasuredParts
from workbench.bench.bluetooth.readers import Bleak, BleakAndPaho, Floor, FloorAndBroker, Gateway, OwnReader


class Cost:
    """The results of one reader under one load over all runs."""

    def __init__(self):
        self.cpu_us, self.switches, self.shares, self.received = [], [], [], 0

    def add(self, used, sent, received, seconds):
        self.cpu_us.append(used.cpu_ns / sent / 1000)
        self.switches.append(used.switches / sent)
        self.shares.append(used.cpu_ns / seconds / 1e7)
        self.received += received

    @property
    def median(self):
        return statistics.median(self.cpu_us)


def measure(reader, load, seconds, directory, cost):
    with MeasuredParts(directory, load, reader.has_broker) as house:
        if isinstance(reader, Floor):
            used, sent = reader.run(house, seconds)
            return cost.add(used, sent, sent, seconds)
        process = reader.start(house)
        try:
            used, sent, total = house.measure(process, seconds)
            received = reader.end(process, house, total)
        finally:
            process.kill()
            process.wait()
    if received != total:
        raise SystemExit(f'{reader.name}, {load}: {total} notifications were sent, {received} arrived')
    return cost.add(used, sent, received, seconds)


def compare(title, load, own, peers, arguments, directory):
    readers = [reader for reader in (own, *peers) if arguments.only in reader.name]
    costs = {reader.name: Cost() for reader in readers}
    for _ in range(arguments.rounds):
        for reader in readers:
            measure(reader, load, arguments.seconds, directory, costs[reader.name])
    print(f'\n{title}, {load}, median of {arguments.rounds} runs of {arguments.seconds:g} s')
    print(f'  {"":24} {"µs each":>8} {"least":>7} {"most":>7} {"switches":>9} {"of a core":>10} {"received":>9}')
    for name, cost in costs.items():
        print(
            f'  {name:24} {cost.median:8.1f} {min(cost.cpu_us):7.1f} {max(cost.cpu_us):7.1f} '
            f'{statistics.median(cost.switches):9.2f} {statistics.median(cost.shares):8.2f} % {cost.received:9}')
    for peer in readers:
        if peer is not own and own in readers:
            ratio = costs[own.name].median / costs[peer.name].median
            print(f'  {own.name} / {peer.name}: {ratio:.2f} (1/{1 / ratio:.1f})')


def main():
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.bench.bluetooth', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--reader', required=True)
    parser.add_argument('--gateway', required=True)
    parser.add_argument('--floor', required=True)
    parser.add_argument('--python', required=True, help='a Python with bleak and paho-mqtt')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=float, default=10)
    parser.add_argument('--load', nargs='+', default=['20x50', '5x1'], help='STRAPSxHERTZ')
    parser.add_argument('--only', default='', help='measure only readers whose name has this in it')
    arguments = parser.parse_args()
    contests = [
        ('radio', OwnReader('our reader', arguments.reader), [
            Bleak('bleak', arguments.python, 'signal'),
            Bleak('bleak by socket', arguments.python, 'socket'),
            Floor('floor', arguments.floor)]),
        ('pipeline', Gateway('gateway', arguments.gateway), [
            BleakAndPaho('bleak + paho', arguments.python, 'signal'),
            BleakAndPaho('bleak by socket + paho', arguments.python, 'socket'),
            FloorAndBroker('floor + libmosquitto', arguments.floor)])]
    with tempfile.TemporaryDirectory() as directory:
        for title, own, peers in contests:
            for load in arguments.load:
                straps, hertz = load.split('x')
                compare(title, Load(int(straps), int(hertz)), own, peers, arguments, directory)


if __name__ == '__main__':
    main()
