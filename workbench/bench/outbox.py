"""Cost of the outbox: drain of a backlog beside a bare C loop, live latency during the drain, bytes to the disk.

    python3 -m workbench.bench.outbox --gateway PROGRAM --floor PROGRAM [--backlog 100000] [--rounds 3]

Broker and daemon are real, the strap is virtual. The backlog is written into the database of a gateway that was killed:
copies of one of its own messages. Needs root, as the house fixture does.
"""
import argparse
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import time
import uuid

from workbench.clock import boot_ns
from workbench.outage.streaming import Stream, SturdyBroker
from workbench.parts.interruption import unwind_on_signals
from workbench.witness import READY_TOPIC

WINDOW = 20   # of the bridge, and so of the floor


class QuickBroker(SturdyBroker):
    """A broker that keeps nothing on its disk: the bytes that are measured are the gateway's."""

    def settings(self):
        return super().settings().replace('autosave_interval 1', 'autosave_interval 0').replace(
            'persistence true', 'persistence false').replace('autosave_on_changes true', 'autosave_on_changes false')


class Bench(Stream):
    """A stream with a consumer of the live messages only: a slow consumer of the backlog would change the result."""

    broker_class = QuickBroker
    witness_topics = [READY_TOPIC, 'trackme/v1/+/status', 'trackme/v1/+/samples/#']


QUIET_SECONDS, WRITING_SECONDS = 10, 60


def is_sample(event):
    return event['source'] == 'broker' and '/samples/' in event['topic'] and 'value' in event


def fill(house, count):
    """`count` more rows like the newest one, each under an id of its own."""
    with sqlite3.connect(house.state / 'outbox.sqlite') as database:
        place, *row = database.execute('SELECT * FROM message WHERE lane = 1 ORDER BY place DESC LIMIT 1').fetchone()
        old = str(uuid.UUID(bytes=row[0])).encode()
        def rows():
            for number in range(1, count + 1):
                # The creation time stays: the gateway does not send a message that is too old.
                new = row[0][:6] + b'\x70' + os.urandom(1) + b'\x80' + number.to_bytes(7, 'big')
                copy = [new, *row[1:6], row[6].replace('heart-rate', 'body-weight'),
                        row[7].replace(old, str(uuid.UUID(bytes=new)).encode()), *row[8:-1],
                        None]   # no checksum
                yield place + number, *copy
        database.executemany(f'INSERT INTO message VALUES ({",".join("?" * (1 + len(row)))})', rows())
        # Counts as a transaction of the gateway.
        [(transactions,)] = database.execute('PRAGMA user_version')
        database.execute(f'PRAGMA user_version = {transactions + 1}')
        return len(row[7])


def latencies(house, since):
    """Returns the milliseconds from the gateway's feed to the consumer, for each reading from `since` on."""
    heard = {e['id']: e['boot_ns'] for e in house.find(
        lambda e: e['source'] == 'feed' and e['event'] == 'reading', since)}
    return [(e['seen_ns'] - heard[e['id']]) / 1e6 for e in house.find(is_sample, since) if e['id'] in heard]


def written(house):
    """Returns the bytes that the gateway has written to the disk."""
    text = pathlib.Path(f'/proc/{house.gateway.process.pid}/io').read_text()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith('write_bytes')))


def unsent(house):
    for line in house.ask(verb='status').get('lines', []):
        if found := re.fullmatch(r'unsent messages: (\d+)', line):
            return int(found[1])
    return None


def draining(house, backlog):
    """Returns acknowledged messages a second, between the first and the last tenth of the backlog."""
    seen: list[tuple[int, int]] = []
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            left = unsent(house)
        except OSError:   # the gateway does not listen yet
            left = None
        # The gateway counts the backlog only after it has opened the database.
        if left is not None and (seen or left > backlog / 2):
            seen.append((boot_ns(), left))
            if left < backlog / 20:
                break
        time.sleep(0.02)
    inner = [point for point in seen if backlog * 0.1 <= point[1] <= backlog * 0.9]
    if len(inner) < 2:
        raise SystemExit(f'the drain was not seen: {seen[:3]} ... {seen[-3:]}')
    (first, before), (last, after) = inner[0], inner[-1]
    return (before - after) / ((last - first) / 1e9)


def drain(program, floor, backlog):
    with Bench(program, seed=1) as house:
        house.beat()
        house.hear(40)
        since = house.mark()
        time.sleep(QUIET_SECONDS)
        idle = latencies(house, since)
        house.break_broker()
        house.hear(5)
        house.die()
        size = fill(house, backlog)
        house.mend_broker()
        begin = house.mark()
        house.spawn_gateway()
        rate = draining(house, backlog)
        busy = latencies(house, begin)
        print('.', end='', flush=True, file=sys.stderr)
        port = house.services.broker.port
        bare = backlog / float(subprocess.run(
            [floor, str(port), str(backlog), str(size), str(WINDOW)], check=True, capture_output=True).stdout)
        return rate, bare, statistics.median(idle), statistics.median(busy), size


def writing(program):
    """Measures five wearables at 1 Hz: one strap of the rig at 5 Hz."""
    with Bench(program, seed=2) as house:
        house.services.bluez.perform({
            'op': 'stream', 'id': 'strap', 'values': [{'bpm': 70, 'contact': True}], 'every_ms': 200})
        house.hear(10)
        since, before = house.mark(), written(house)
        time.sleep(WRITING_SECONDS)
        after = written(house)
        samples = house.find(is_sample, since)
        return (after - before) / max(len(samples), 1), len(samples)


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.bench.outbox', description=__doc__.splitlines()[0])
    parser.add_argument('--gateway', required=True, type=pathlib.Path)
    parser.add_argument('--floor', required=True, type=pathlib.Path)
    parser.add_argument('--backlog', type=int, default=100_000)
    parser.add_argument('--rounds', type=int, default=3)
    arguments = parser.parse_args()
    unwind_on_signals()
    rounds = [drain(arguments.gateway, arguments.floor, arguments.backlog) for _ in range(arguments.rounds)]
    rate, bare, idle, busy, size = (statistics.median(values) for values in zip(*rounds, strict=True))
    share = statistics.median(r[0] / r[1] for r in rounds)
    print(f'\ndrain of {arguments.backlog} messages: {rate:,.0f}/s, bare C loop {bare:,.0f}/s, share {share:.0%} '
          f'(budget 80 %)')
    print(f'live latency: {idle:.1f} ms idle, {busy:.1f} ms while draining, {busy / idle:.1f} times (budget 2)')
    bytes_each, count = writing(arguments.gateway)
    print(f'to the disk at 5 readings a second: {bytes_each:,.0f} bytes a reading over {count} of them, '
          f'{bytes_each / size:.0f} times its payload of {size:.0f}, {bytes_each * 5 * 86_400 / 1e9:.2f} GB a day')


if __name__ == '__main__':
    main()
