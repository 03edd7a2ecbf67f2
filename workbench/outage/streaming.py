"""A house with a strap of many beats a second, and a consumer that survives the death of the broker."""
import pathlib
import random
import time
from collections.abc import Callable
from typing import Any

from workbench.clock import boot_ns
from workbench.house import PATIENCE_SECONDS, SHORT, STRAP, House, NotSeen
from workbench.outage.power import Disk
from workbench.parts.mosquitto import PersistentBroker
from workbench.parts.port import HOST

BEATS_MS = 50   # twenty readings a second: twenty wearables
FAST_BEATS_MS = 20   # fast enough that the outbox writes several readings together
CAUGHT_UP_SECONDS = 3
VALUES = list(range(60, 100))


class SturdyBroker(PersistentBroker):
    """A broker that saves each change and delivers at once: its death loses no acknowledged message."""

    def settings(self):
        # On every interface: the gateway may live in a network of its own.
        return super().settings().replace(f'listener {self.port} {HOST}', f'listener {self.port}') + (
            'autosave_on_changes true\nautosave_interval 1\nmax_inflight_messages 0\nmax_queued_messages 0\n')


class Stream(House):
    """A house with a stream of readings between `beat` and `quiet`."""

    broker_class: Callable[[pathlib.Path], Any] = SturdyBroker
    disk: Disk

    def __init__(self, program, seed=1, network=None, **more):
        super().__init__(program, SHORT, **more)
        self.chance, self.network, self.deaths = random.Random(seed), network, []

    def write_settings(self):
        super().write_settings()
        if self.network:
            self.replace_settings(('"127.0.0.1"', f'"{self.network.host}"'))

    def place(self, command):
        return self.network.command(command) if self.network else command

    def beat(self, every_ms=BEATS_MS):
        self.services.bluez.perform({
            'op': 'stream', 'id': STRAP, 'values': [{'bpm': bpm, 'contact': True} for bpm in VALUES],
            'every_ms': every_ms})

    def quiet(self):
        self.services.bluez.perform({'op': 'stop', 'id': STRAP})

    def hear(self, count, seconds=PATIENCE_SECONDS):
        """Waits for `count` more readings in the feed."""
        since, end = self.mark(), time.monotonic() + seconds
        while len(self.heard(since)) < count:
            if time.monotonic() > end:
                raise NotSeen(f'{count} readings')
            time.sleep(0.01)

    def die(self):
        """Kills the gateway with SIGKILL and records the instant."""
        self.kill_gateway()
        self.deaths.append(boot_ns())

    def cut_power(self):
        """Cuts the power of a box with its state on a `Disk`."""
        self.disk.cut()
        self.kill_gateway()
        self.deaths.append(boot_ns())
        self.disk.come_back()

    def rise(self):
        since = self.mark()
        self.spawn_gateway()
        self.wait_until_followed(since)

    def caught_up(self, seconds=CAUGHT_UP_SECONDS):
        """Waits until the consumer has all readings so far, or cannot get them any more.

        A killed Mosquitto loses messages that it acknowledged without a connected consumer and had not saved yet. Such
        losses were seen, with their PUBACK.
        """
        heard, end = {e['id'] for e in self.heard()}, time.monotonic() + seconds
        while heard - {e['id'] for e in self.came()} and time.monotonic() < end:
            time.sleep(0.05)

    def have_outbox(self):
        """Waits until the outbox file exists, which is made once in the life of a box: an earlier kill loses more."""
        self.hear(20)
        self.caught_up()

    def heard(self, since=0):
        return self.find(lambda e: e['source'] == 'feed' and e['event'] == 'reading', since)

    def came(self):
        return self.find(lambda e: e['source'] == 'broker' and '/samples/' in e['topic'] and 'value' in e)

    def break_broker(self):
        self.services.broker.kill()

    def mend_broker(self):
        self.services.broker.start()

    def drained(self, seconds=120):
        """Waits until the outbox is empty, by the gateway's status."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if any('unsent messages: 0' in line for line in self.ask(verb='status').get('lines', [])):
                    time.sleep(1)   # the broker delivers its last messages to the consumer
                    return
            except OSError:
                pass
            time.sleep(0.2)
        raise NotSeen(f'an empty outbox within {seconds} s')

    def waits(self, low, high):
        time.sleep(self.chance.uniform(low, high))
