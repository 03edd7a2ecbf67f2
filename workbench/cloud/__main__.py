"""The cloud half on more than one machine: nothing lost, nothing doubled while servers, broker and database die.

    python3 -m workbench.cloud [--gateway PROGRAM] [--trackme PROGRAM] [--only WORD]

A real gateway with a virtual strap, Mosquitto, two servers behind HAProxy, of which one serves and one waits, and a
PostgreSQL primary with a synchronous standby. Each row kills one of them with SIGKILL, several times, while readings
and calls for help come. A server that ends is started again a second later, as systemd does it. Ends with 0 when
nothing was lost or doubled, and each interruption was within its limit.
"""
import argparse
import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import psycopg2

from workbench.bench.message import stamp, uuid7
from workbench.demo.trackme import TrackMeHouse
from workbench.house import GATEWAY, PERSON, NotSeen
from workbench.parts.child import Child
from workbench.parts.interruption import unwind_on_signals
from workbench.parts.port import HOST, free_port
from workbench.parts.postgres import Pair
from workbench.paths import GATEWAY_PROGRAM, TRACKME_PROGRAM
from workbench.trackme.api_fuzz import person
from workbench.trackme.server import TrackMe

BEAT_MS = 250
CALL_EVERY, LOOK_EVERY = 0.5, 0.05
RESTART_SECONDS = 1.0     # RestartSec= of the unit
REST_SECONDS = 12         # of each kill: its interruption, and a time without one
CALL_LIMIT, SAMPLE_LIMIT = 2.0, 10.0
SETTLE_SECONDS = 30


class Servers(TrackMe):
    """Two servers with one database, one set of keys and one address."""

    def __init__(self, program: pathlib.Path, directory: pathlib.Path, broker_port: int) -> None:
        super().__init__(program, directory, broker_port)
        self.database = Pair()
        self.database.start()
        address = directory / 'database'
        address.write_text(self.database.address, encoding='utf-8')
        address.chmod(0o600)
        text = self.settings.read_text(encoding='utf-8') + f'\n[database]\nurl_file = "{address}"\n'
        self.proxy_port, self.ports = free_port(), [self.port, free_port()]
        self.origin = f'http://{HOST}:{self.proxy_port}'
        self.files = [directory / f'trackme-{number}.toml' for number in (1, 2)]
        for file, port in zip(self.files, self.ports, strict=True):
            lines = text.splitlines()
            lines[:2] = [f'listen = "{HOST}:{port}"', f'origin = "{self.origin}"']
            file.write_text('\n'.join(lines) + '\n', encoding='utf-8')
        self.settings = self.files[0]
        self.nodes: list[Child | None] = [None, None]
        self.ended: list[float] = [0, 0]
        self.proxy: Child | None = None

    def start(self) -> None:
        configuration = self.directory / 'haproxy.cfg'
        configuration.write_text(
            'defaults\n  mode http\n  timeout connect 1s\n  timeout client 60s\n  timeout server 60s\n'
            '  option redispatch\n  retries 3\n'
            f'frontend pages\n  bind {HOST}:{self.proxy_port}\n  default_backend servers\n'
            'backend servers\n  option httpchk GET /health\n'
            f'  http-check send hdr Host {HOST}:{self.proxy_port}\n'
            + ''.join(f'  server s{number} {HOST}:{port} check inter 200ms fall 2 rise 1\n'
                      for number, port in enumerate(self.ports)), encoding='utf-8')
        with open(self.directory / 'haproxy.log', 'ab') as log:
            self.proxy = Child(['haproxy', '-f', configuration], stdout=log, stderr=log)
        for number in range(2):
            self.start_node(number)
        end = time.monotonic() + SETTLE_SECONDS
        while not self.is_healthy():
            self.look_after()
            assert time.monotonic() < end, self.log.read_text(encoding='utf-8')[-2_000:]
            time.sleep(0.1)

    def start_node(self, number: int) -> None:
        with open(self.log, 'ab') as log:
            self.nodes[number] = Child(
                [self.program, 'serve', '--config', self.files[number]], stdout=log, stderr=log)

    def look_after(self) -> None:
        """Starts a server that has ended, a second later."""
        for number, node in enumerate(self.nodes):
            if node and not node.running:
                self.nodes[number], self.ended[number] = None, time.monotonic()
            elif not node and time.monotonic() - self.ended[number] >= RESTART_SECONDS:
                self.start_node(number)

    def active(self) -> int:
        """Returns the number of the server that serves."""
        for number, port in enumerate(self.ports):
            with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=1):
                return number
        return 0

    def kill(self) -> None:
        node = self.nodes[self.active()]
        assert node
        node.kill()
        self.kills += 1

    def stop(self) -> None:
        for child in (*self.nodes, self.proxy):
            if child:
                child.stop()
        self.database.stop()


class Witness:
    """Readings and calls in the database, with the instants at which they were first seen."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.connection: Any = None
        self.samples, self.grown = 0, time.monotonic()
        self.calls: dict[str, float] = {}

    def rows(self, query: str) -> list[tuple[Any, ...]] | None:
        """Nil while there is no database."""
        try:
            if self.connection is None:
                self.connection = psycopg2.connect(self.address)
                self.connection.autocommit = True
            with self.connection.cursor() as cursor:
                cursor.execute(query)
                return list(cursor.fetchall())
        except psycopg2.Error:
            self.connection = None
            return None

    def look(self) -> float | None:
        """Returns the seconds since the readings before, where there are new ones."""
        found = self.rows('SELECT count(*) FROM sample')
        for (alarm,) in self.rows('SELECT alarm FROM desk_call') or []:
            self.calls.setdefault(str(alarm), time.monotonic())
        if not found or found[0][0] <= self.samples:
            return None
        now = time.monotonic()
        took, self.samples, self.grown = now - self.grown, found[0][0], now
        return took


class Trial:
    def __init__(self, house: TrackMeHouse, servers: Servers) -> None:
        self.house, self.servers = house, servers
        self.witness = Witness(servers.database.address)
        self.called: dict[str, float] = {}
        self.refusal = ''

    def call(self) -> None:
        """Calls for help, where the broker takes it."""
        now = time.time_ns() // 1_000_000
        alarm = uuid7(now)
        body = {'alarm': alarm, 'id': uuid7(now), 'person': PERSON, 'state': 'confirmed', 'priority': 'high',
                'round': 1, 'drill': False, 'time': stamp(now),
                'cause': {'rule': 'heart-rate-high', 'device': 'strap', 'kind': 'heart-rate', 'value': 150,
                          'unit': '/min', 'limit': 131, 'loinc': '8867-4'}}
        done = subprocess.run(
            ['mosquitto_pub', '-h', HOST, '-p', str(self.house.services.broker.port), '-q', '1', '-t',
             f'trackme/v1/{GATEWAY}/sos/{PERSON}', '-m', json.dumps(body)],
            check=False, capture_output=True, timeout=10)
        if done.returncode == 0:
            self.called[alarm] = time.monotonic()
        else:
            self.refusal = done.stderr.decode().strip()

    def watch(self, seconds: float) -> float:
        """Looks and calls meanwhile. Returns the longest time without a new reading."""
        end, next_call, longest = time.monotonic() + seconds, 0.0, 0.0
        while (now := time.monotonic()) < end:
            self.servers.look_after()
            if now >= next_call:
                self.call()
                next_call = now + CALL_EVERY
            longest = max(longest, self.witness.look() or 0)
            time.sleep(LOOK_EVERY)
        return longest

    def row(self, name: str, times: int, kill: Callable[[], None]) -> bool:
        began, gaps = set(self.called), []
        for _ in range(times):
            kill()
            gaps.append(self.watch(REST_SECONDS))
        self.watch(3)
        if not self.called.keys() - began:
            raise NotSeen(f'a call that the broker takes: {self.refusal}')
        late = [self.witness.calls.get(alarm, time.monotonic()) - at for alarm, at in self.called.items()
                if alarm not in began]
        is_kept = max(gaps) <= SAMPLE_LIMIT and max(late) <= CALL_LIMIT
        print(f'| {name} | {times} | {max(gaps):.1f} | {len(late)} | {max(late):.2f} | '
              f'{"kept" if is_kept else "BROKEN"} |', flush=True)
        return is_kept

    def counts(self) -> bool:
        """Compares the database with the consumer at the broker."""
        end = time.monotonic() + SETTLE_SECONDS
        while True:
            self.servers.look_after()
            found = self.witness.rows("SELECT encode(id, 'hex') FROM sample") or []
            stored = [f'{i[:8]}-{i[8:12]}-{i[12:16]}-{i[16:20]}-{i[20:]}' for (i,) in found]
            missing = set(self.house.witnessed()) - set(stored)
            self.witness.look()
            lost = self.called.keys() - self.witness.calls.keys()
            if not (missing or lost) or time.monotonic() > end:
                break
            time.sleep(0.2)
        calls = self.witness.rows('SELECT count(*), count(DISTINCT alarm) FROM desk_call') or [(0, 0)]
        doubled = len(stored) - len(set(stored)) + calls[0][0] - calls[0][1]
        print(f'\n{len(set(self.house.witnessed()))} readings and {len(self.called)} calls at the broker: '
              f'{len(missing)} readings and {len(lost)} calls missing, {doubled} doubled')
        return not (missing or lost or doubled)


class Region(TrackMeHouse):
    """A house whose server is two servers."""

    def make_cloud(self, directory: pathlib.Path) -> TrackMe:
        return Servers(self.trackme, directory, self.services.broker.port)


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.cloud', description=__doc__.splitlines()[0])
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--trackme', default=TRACKME_PROGRAM, type=pathlib.Path)
    parser.add_argument('--only', default='', help='the rows with this word in their names')
    options = parser.parse_args()
    unwind_on_signals()
    with Region(options.gateway, options.trackme) as house:
        servers = house.cloud
        assert isinstance(servers, Servers)
        try:
            servers.start()
            house.register()
            house.beat(BEAT_MS)
            person(house)
            trial = Trial(house, servers)
            trial.watch(3)

            def broker() -> None:
                house.break_broker()
                trial.watch(1)
                house.mend_broker()
            rows: list[tuple[str, int, Callable[[], None]]] = [
                ('none', 1, lambda: None), ('the server that serves killed', 3, servers.kill),
                ('broker killed', 2, broker), ('primary killed, standby promoted', 1, servers.database.fail_over),
                ('the server killed on the new primary', 1, servers.kill)]
            print(f'| killed | times | longest time without a new reading, s (limit {SAMPLE_LIMIT:.0f}) | calls | '
                  f'latest call in the database, s (limit {CALL_LIMIT:.0f}) | verdict |\n|---|---|---|---|---|---|',
                  flush=True)
            kept = [trial.row(name, times, kill) for name, times, kill in rows if options.only in name]
            house.quiet()
            return 0 if trial.counts() and all(kept) else 1
        finally:
            servers.stop()


if __name__ == '__main__':
    sys.exit(main())
