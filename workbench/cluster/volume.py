"""The size of a reading on the wire, measured between the running daemon and a real Mosquitto.

    python3 -m workbench.cluster.volume [--gateway PROGRAM]

Bytes of MQTT 5 in both directions, without TLS, TCP and IP, for a reading and for a day. An RR interval counts as a
reading: it was a message of its own before it travelled with its heart rate.
"""
import argparse
import pathlib
import time

from workbench.cluster.forwarder import Forwarder
from workbench.house import PATIENCE_SECONDS, STRAP
from workbench.outage.streaming import BEATS_MS, VALUES, Stream
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM

DAY_SECONDS = 86_400
# Milliseconds between notifications of a strap, the RR intervals in each, and the number of readings.
LOADS = {
    'a strap at 1 Hz, with its intervals': (1_000, [827], 60),
    'a strap at 1 Hz': (1_000, [], 30),
    'a strap at 5 Hz, as five wearables': (200, [], 100),
    'a strap at 5 Hz with its intervals, as five straps': (200, [827], 200),
    'a strap at 20 Hz, as twenty wearables': (50, [], 400),
}
# Seconds of `[person.sample_seconds]` for both kinds of the first load.
SAMPLE_SECONDS = 10


class Weighed(Stream):
    def __init__(self, program, sample_seconds):
        self.sample_seconds = sample_seconds
        super().__init__(program)

    def beat(self, every_ms=BEATS_MS, intervals=()):
        self.services.bluez.perform({
            'op': 'stream', 'id': STRAP, 'every_ms': every_ms,
            'values': [{'bpm': bpm, 'contact': True, 'rr_ms': list(intervals)} for bpm in VALUES]})

    def write_settings(self):
        super().write_settings()
        port = self.services.broker.port
        self.scales = self.cleanup.enter_context(Forwarder([port]))
        self.replace_settings((f'port = {port}\n', f'port = {self.scales.port}\n'))
        if self.sample_seconds:
            self.replace_settings(
                ('[person.sos]\n', f'[person.sample_seconds]\nheart_rate = {self.sample_seconds}\n'
                                   f'rr_interval = {self.sample_seconds}\n\n[person.sos]\n'))

    def carried(self):
        return self.scales.up, self.scales.down


def bodies(house, since, part):
    return house.find(lambda e: e['source'] == 'broker' and part in e['topic'], since)


def weigh(program, every_ms, intervals, readings, sample_seconds=0):
    with Weighed(program, sample_seconds) as house:
        time.sleep(2)   # the messages of the start have gone out
        before, since = house.carried(), house.mark()
        house.beat(every_ms, intervals)
        house.hear(readings, PATIENCE_SECONDS + readings * every_ms / 1_000)
        house.quiet()
        house.drained()
        measured = len(house.heard(since))
        samples = bodies(house, since, '/samples/')
        up, down = (after - start for after, start in zip(house.carried(), before, strict=True))
    count = sum(1 + len(sample.get('rr_ms', ())) for sample in samples)
    return measured, count, up, down


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.cluster.volume', description=__doc__.splitlines()[0])
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    arguments = parser.parse_args()
    unwind_on_signals()
    for name, (every_ms, intervals, readings) in LOADS.items():
        _, count, up, down = weigh(arguments.gateway, every_ms, intervals, readings)
        print(f'{name}: {count} readings, {up / count:.0f} bytes up and {down / count:.1f} down each, '
              f'{up / count * DAY_SECONDS * 1_000 / every_ms * (1 + len(intervals)) / 1e6:.0f} MB up a day', flush=True)
    name, (every_ms, intervals, readings) = next(iter(LOADS.items()))
    measured, count, up, _ = weigh(arguments.gateway, every_ms, intervals, readings * 2, SAMPLE_SECONDS)
    print(f'{name}, sent every {SAMPLE_SECONDS} s: {count} of {measured} readings sent, '
          f'{up / measured * DAY_SECONDS * 1_000 / every_ms * (1 + len(intervals)) / 1e6:.1f} MB up a day', flush=True)


if __name__ == '__main__':
    main()
