"""What a sample costs the cloud half, beside a consumer that only acknowledges.

    python3 -m workbench.bench.trackme --trackme PROGRAM [--postgres] [--rate N] [--seconds 20] [--backlog 100000]

Mosquitto, the server on SQLite or PostgreSQL, one process that publishes for all houses and a dispatcher's stream, on
this machine. Four parts: memory at rest; samples at a rate, with calls for help between them; a backlog that waited in
the broker, and the same backlog by mosquitto_sub(1), which stores nothing. Processor times are those of the processes,
from proc(5). A message has 5 readings of a person, as a house with 5 kinds at 1 Hz sends it. Needs paho-mqtt.
"""
import argparse
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator

import paho.mqtt.client as paho

from workbench.bench.message import stamp, uuid7
from workbench.bench.process import processor_seconds, resident_mb
from workbench.parts.interruption import unwind_on_signals
from workbench.parts.mosquitto import PersistentBroker
from workbench.parts.port import HOST
from workbench.quantiles import quantile
from workbench.trackme.on_postgres import TrackMeOnPostgres
from workbench.trackme.server import TrackMe

HOUSES, PERSONS = 50, 20
# Kind, unit and LOINC code of each reading of a message, with the value.
READINGS = (
    ('heart-rate', '/min', '8867-4', 72), ('oxygen-saturation', '%', '59408-5', 96),
    ('body-temperature', 'Cel', '8310-5', 36.6), ('respiration-rate', '/min', '9279-1', 14),
    ('body-weight', 'kg', '29463-7', 61.5))
CALLS_EVERY_SECONDS = 0.5
# Goals of the product, for two cores.
RATE_GOAL, POSTGRES_RATE_GOAL, COST_GOAL_US, CALL_GOAL_MS, MEMORY_GOAL_MB = 5_000, 10_000, 100, 500, 150
# Sent in relation to the goal: a rate that is sent can at most be reached.
ABOVE_GOAL = 1.2
PATIENCE_SECONDS = 120


class RoomyBroker(PersistentBroker):
    """A broker that drops nothing of a backlog. It is not killed, so it need not save each change: with 20,000 messages
    in its file a save after each one takes most of a disk."""

    def settings(self) -> str:
        return super().settings() + 'max_inflight_messages 0\nmax_queued_messages 0\n'


def message(person: str) -> str:
    now = time.time_ns() // 1_000_000
    return json.dumps({'person': person, 'samples': [
        {'id': uuid7(now), 'device': 'strap', 'kind': kind, 'unit': unit, 'loinc': loinc, 'value': value,
         'time': stamp(now)} for kind, unit, loinc, value in READINGS]})


class Loader:
    """Publishes for all houses, each message at QoS 1."""

    def __init__(self, port: int) -> None:
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, 'houses', protocol=paho.MQTTv5)
        self.client.max_inflight_messages_set(1_000)
        self.client.connect(HOST, port)
        self.client.loop_start()
        self.persons = itertools.cycle(
            (f'house-{house}', f'person-{person}') for house in range(HOUSES) for person in range(PERSONS))

    def send(self, messages: int) -> paho.MQTTMessageInfo:
        for _ in range(messages):
            house, person = next(self.persons)
            info = self.client.publish(f'trackme/v1/{house}/samples/{person}', message(person), qos=1)
        return info

    def stop(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def stored(cloud: TrackMe) -> int:
    return int(cloud.rows('SELECT count(*) FROM sample')[0][0])


def await_stored(cloud: TrackMe, count: int) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while (seen := stored(cloud)) < count:
        if time.monotonic() > end:
            dead = cloud.rows('SELECT reason, detail, count(*) FROM dead_letter GROUP BY 1, 2')
            raise SystemExit(f'{seen} of {count} samples are stored after {PATIENCE_SECONDS} s; set aside: {dead}')
        time.sleep(0.05)


class Desk:
    """A dispatcher's page: reads the page again at each word of its stream, and notes when it shows a call."""

    def __init__(self, cloud: TrackMe) -> None:
        self.visitor = cloud.dispatcher()
        # Instants of the calls, and of their first sight, by alarm.
        self.waiting: dict[str, float] = {}
        self.seen: dict[str, float] = {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        request = urllib.request.Request(self.visitor.origin + '/desk/live')
        with self.visitor.opener.open(request, timeout=PATIENCE_SECONDS) as stream:
            for line in stream:
                if line.startswith(b'event:') and b'alive' not in line:
                    page = urllib.request.Request(self.visitor.origin + '/desk/board')
                    with self.visitor.opener.open(page, timeout=15) as answer:
                        text = answer.read().decode()
                    now = time.monotonic()
                    for alarm in set(re.findall('[0-9a-f-]{36}', text)) & self.waiting.keys():
                        self.seen.setdefault(alarm, now)


def call(loader: Loader, desk: Desk) -> None:
    """Calls for help."""
    now = time.time_ns() // 1_000_000
    alarm = uuid7(now)
    body = {'alarm': alarm, 'id': uuid7(now), 'person': 'maria', 'state': 'confirmed', 'priority': 'high', 'round': 1,
            'drill': False, 'time': stamp(now),
            'cause': {'rule': 'heart-rate-high', 'device': 'strap', 'kind': 'heart-rate', 'value': 150, 'unit': '/min',
                      'limit': 131, 'loinc': '8867-4'}}
    desk.waiting[alarm] = time.monotonic()
    loader.client.publish('trackme/v1/house-0/sos/maria', json.dumps(body), qos=1)


def at_a_rate(loader: Loader, desk: Desk, rate: int, seconds: float) -> int:
    """Sends messages evenly, and calls between them. Returns the number of samples."""
    messages = int(rate * seconds / len(READINGS))
    began, next_call = time.monotonic(), CALLS_EVERY_SECONDS
    for number in range(messages):
        loader.send(1)
        due = number * len(READINGS) / rate
        if due >= next_call:
            call(loader, desk)
            next_call += CALLS_EVERY_SECONDS
        if (ahead := began + due - time.monotonic()) > 0.002:
            time.sleep(ahead)
    return messages * len(READINGS)


def drain_by_witness(port: int, loader: Loader, messages: int) -> float:
    """Returns the seconds in which mosquitto_sub takes the same backlog out of a queue of its own."""
    command = ['mosquitto_sub', '-h', HOST, '-p', str(port), '-V', 'mqttv5', '-c', '-i', 'witness', '-x', '3600',
               '-q', '1', '-t', 'trackme/v1/+/samples/#', '-D', 'connect', 'receive-maximum', '1000']
    subprocess.run([*command, '-E'], check=True)
    loader.send(messages).wait_for_publish()
    began = time.monotonic()
    subprocess.run([*command, '-C', str(messages)], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def database_seconds(cloud: TrackMe) -> float:
    """Returns the processor time of a database with processes of its own; 0 for one within the server."""
    if not isinstance(cloud, TrackMeOnPostgres):
        return 0
    return sum(processor_seconds(process) for process in cloud.database.processes())


def database_bytes(cloud: TrackMe) -> int:
    if isinstance(cloud, TrackMeOnPostgres):
        return int(cloud.rows('SELECT pg_database_size(current_database())')[0][0])
    return sum((cloud.directory / name).stat().st_size for name in ('trackme.sqlite', 'trackme.sqlite-wal')
               if (cloud.directory / name).exists())


def measure(
        cloud: TrackMe, broker: RoomyBroker, rate: int, rate_goal: int, seconds: float, backlog: int) -> Iterator[str]:
    for house in range(HOUSES):
        cloud.command('houses', 'add', f'house-{house}', '--key', str(cloud.directory / 'houses.jwks'))
    cloud.start()
    assert cloud.child and broker.child
    server, mosquitto = cloud.child.process.pid, broker.child.process.pid
    time.sleep(2)
    yield f'at rest: {resident_mb(server):.0f} MB resident (goal {MEMORY_GOAL_MB})'

    loader, desk = Loader(broker.port), Desk(cloud)
    time.sleep(1)
    empty = database_bytes(cloud)
    before = processor_seconds(server), processor_seconds(mosquitto), database_seconds(cloud)
    began = time.monotonic()
    count = at_a_rate(loader, desk, rate, seconds)
    sent = time.monotonic() - began
    await_stored(cloud, count)
    took = time.monotonic() - began
    own, carried, kept = (
        (after - start) / count * 1e6 for after, start in zip(
            (processor_seconds(server), processor_seconds(mosquitto), database_seconds(cloud)), before, strict=True))
    yield (f'{count} samples sent in {sent:.1f} s and stored in {took:.1f} s: {count / took:.0f} a second (goal '
           f'{rate_goal}); server {own:.0f} us, broker {carried:.0f} us and database {kept:.0f} us a sample (goal '
           f'{COST_GOAL_US} together)')
    time.sleep(2)
    times = [(desk.seen[alarm] - at) * 1e3 for alarm, at in desk.waiting.items() if alarm in desk.seen]
    missing = len(desk.waiting) - len(times)
    yield (f"{len(times)} calls on the dispatcher's page, {missing} missing: median {quantile(times, 0.5):.0f} ms, "
           f'p99 {quantile(times, 0.99):.0f} ms (goal {CALL_GOAL_MS})')
    size = database_bytes(cloud) - empty
    yield (f'{size / count:.0f} bytes a sample of the database and its log; {resident_mb(server):.0f} MB resident')

    cloud.kill()
    messages = backlog // len(READINGS)
    loader.send(messages).wait_for_publish()
    began = time.monotonic()
    cloud.start()
    await_stored(cloud, count + messages * len(READINGS))
    own = time.monotonic() - began
    ids = cloud.sample_ids()
    witness = drain_by_witness(broker.port, loader, messages)
    samples = messages * len(READINGS)
    yield (f'a backlog of {samples} samples: {samples / own:.0f} a second with the start of the server, '
           f'{own / witness:.1f} x the time of mosquitto_sub; {len(ids) - len(set(ids))} stored twice')
    loader.stop()


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.bench.trackme', description=__doc__.splitlines()[0])
    parser.add_argument('--trackme', required=True, type=pathlib.Path)
    parser.add_argument('--postgres', action='store_true', help='the server on PostgreSQL')
    parser.add_argument('--rate', type=int, help=f'samples a second: by default {ABOVE_GOAL} x the goal')
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('--backlog', type=int, default=100_000, help='samples')
    arguments = parser.parse_args()
    goal = POSTGRES_RATE_GOAL if arguments.postgres else RATE_GOAL
    rate = arguments.rate or int(goal * ABOVE_GOAL)
    unwind_on_signals()
    with tempfile.TemporaryDirectory() as folder:
        directory = pathlib.Path(folder)
        broker = RoomyBroker(directory)
        broker.start()
        kind = TrackMeOnPostgres if arguments.postgres else TrackMe
        cloud = kind(arguments.trackme, directory / 'trackme', broker.port)
        (cloud.directory / 'houses.jwks').write_text(cloud.public_keys, encoding='utf-8')
        try:
            for line in measure(
                    cloud, broker, rate, goal, arguments.seconds, arguments.backlog):
                print(line, flush=True)
        finally:
            cloud.stop()
            broker.stop()
    return 0


if __name__ == '__main__':
    sys.exit(main())
