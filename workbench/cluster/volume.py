"""The size of a reading on the wire, measured between the running daemon and a real Mosquitto.

    python3 -m workbench.cluster.volume [--gateway PROGRAM] [--readings N]

Bytes of MQTT 5 in both directions, without TLS, TCP and IP, for a reading and for a day.
"""
import argparse
import pathlib
import time

from workbench.cluster.forwarder import Forwarder
from workbench.outage.streaming import Stream
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM

DAY_SECONDS = 86_400


class Weighed(Stream):
    def write_settings(self):
        super().write_settings()
        port = self.services.broker.port
        self.scales = self.cleanup.enter_context(Forwarder([port]))
        self.replace_settings((f'port = {port}\n', f'port = {self.scales.port}\n'))

    def carried(self):
        return self.scales.up, self.scales.down


def bodies(house, since, part):
    return house.find(lambda e: e['source'] == 'broker' and part in e['topic'], since)


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.cluster.volume', description=__doc__.splitlines()[0])
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--readings', default=400, type=int)
    arguments = parser.parse_args()
    unwind_on_signals()
    with Weighed(arguments.gateway) as house:
        time.sleep(2)   # the messages of the start have gone out
        before, since = house.carried(), house.mark()
        house.beat()
        house.hear(arguments.readings)
        house.quiet()
        house.drained()
        samples = len(bodies(house, since, '/samples/'))
        others = len(bodies(house, since, 'trackme/')) - samples
        up, down = (after - start for after, start in zip(house.carried(), before, strict=True))
    print(f'{samples} readings and {others} other messages: {up} bytes up, {down} down')
    print(f'a reading: {up / samples:.0f} bytes up, {down / samples:.1f} down')
    print(f'{DAY_SECONDS} readings, a day at 1 Hz: {up / samples * DAY_SECONDS / 1e6:.0f} MB up')


if __name__ == '__main__':
    main()
