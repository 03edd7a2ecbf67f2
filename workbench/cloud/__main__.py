"""The cloud half on more than one machine: nothing lost, nothing doubled while servers, brokers and database die.

    python3 -m workbench.cloud [--gateway PROGRAM] [--trackme PROGRAM] [--only WORD]

A real gateway with a virtual strap, three RabbitMQ nodes with quorum queues, two servers behind HAProxy, and a
PostgreSQL primary with a synchronous standby. Both servers serve pages and take calls for help; one of them has the
duties that are done once. Each row kills one part with SIGKILL, several times, while readings and calls for help come
and the pages of a person and of a dispatcher are open at each server. The last row ends a server by SIGTERM, as an
upgrade does it. A server that ends is started again a second later, as systemd does it. Ends with 0 when nothing was
lost or doubled, each interruption was within its limit, and readings and calls came on each page.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from workbench.bench.message import stamp, uuid7
from workbench.cloud.servers import Servers
from workbench.cloud.witness import LOOK_EVERY, Connection, OpenPage, Witness
from workbench.cluster.household import CONSUMER, PASSWORD, ClusterStream
from workbench.cluster.rabbit import IS_INSTALLED, Cluster
from workbench.demo.trackme import TrackMeHouse
from workbench.house import GATEWAY, PERSON, NotSeen
from workbench.parts.interruption import unwind_on_signals
from workbench.parts.port import HOST
from workbench.paths import GATEWAY_PROGRAM, TRACKME_PROGRAM
from workbench.trackme.api_fuzz import person
from workbench.trackme.server import TrackMe, Visitor

SERVER = 'trackme'
BEAT_MS = 250
CALL_EVERY, CALL_AGAIN = 0.5, 0.1
REST_SECONDS = 12         # of each kill: its interruption, and a time without one
CALL_LIMIT, SAMPLE_LIMIT = 2.0, 10.0
SETTLE_SECONDS = 30


class Trial:
    def __init__(self, house: Any, servers: Servers, pages: list[OpenPage]) -> None:
        self.house, self.servers, self.pages = house, servers, pages
        self.witness = Witness(servers.database.address)
        # Instants at which the calls began, by alarm. A call is made until the broker takes it.
        self.called: dict[str, float] = {}
        self.refusal = ''
        # Acts of the watch, each at its instant. A child is started by the main thread, with which it would end.
        self.later: list[tuple[float, Callable[[], object]]] = []
        self.is_over = False
        threading.Thread(target=self.call_on, daemon=True).start()

    def call_on(self) -> None:
        while not self.is_over:
            began = time.monotonic()
            now = time.time_ns() // 1_000_000
            alarm = uuid7(now)
            body = {'alarm': alarm, 'id': uuid7(now), 'person': PERSON, 'state': 'confirmed', 'priority': 'high',
                    'round': 1, 'drill': False, 'time': stamp(now),
                    'cause': {'rule': 'heart-rate-high', 'device': 'strap', 'kind': 'heart-rate', 'value': 150,
                              'unit': '/min', 'limit': 131, 'loinc': '8867-4'}}
            self.called[alarm] = began
            while not self.is_over and not self.publish(json.dumps(body)):
                time.sleep(CALL_AGAIN)
            time.sleep(max(0, began + CALL_EVERY - time.monotonic()))

    def publish(self, text: str) -> bool:
        """Returns whether the broker has taken a call of the house. A broker that does not answer is left soon."""
        words = ['mosquitto_pub', '-h', HOST, '-p', str(self.house.cluster.port), '-u', GATEWAY, '-P', PASSWORD,
                 '-i', f'{GATEWAY}-caller', '-q', '1', '-t', f'trackme/v1/{GATEWAY}/sos/{PERSON}', '-m', text]
        try:
            done = subprocess.run(words, check=False, capture_output=True, timeout=1)
        except subprocess.TimeoutExpired:
            self.refusal = 'no answer within a second'
            return False
        self.refusal = done.stderr.decode().strip()
        return done.returncode == 0

    def watch(self, seconds: float) -> None:
        """Starts again whatever is to come back meanwhile."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.servers.look_after()
            for item in [item for item in self.later if item[0] <= time.monotonic()]:
                self.later.remove(item)
                item[1]()
            time.sleep(LOOK_EVERY)

    def row(self, name: str, times: int, kill: Callable[[], None]) -> bool:
        began, gaps = set(self.called), []
        shown = [page.events for page in self.pages]
        for _ in range(times):
            start = time.monotonic()
            kill()
            self.watch(REST_SECONDS)
            gaps.append(self.witness.longest_gap(start))
        calls = self.called.keys() - began
        self.watch(3)
        if not calls:
            raise NotSeen(f'a call that the broker takes: {self.refusal}')
        late = [self.witness.calls.get(alarm, time.monotonic()) - self.called[alarm] for alarm in calls]
        pages = [page.events - before for page, before in zip(self.pages, shown, strict=True)]
        is_kept = max(gaps) <= SAMPLE_LIMIT and max(late) <= CALL_LIMIT and all(pages)
        print(f'| {name} | {times} | {max(gaps):.1f} | {len(late)} | {max(late):.2f} | {", ".join(map(str, pages))} | '
              f'{"kept" if is_kept else "BROKEN"} |', flush=True)
        return is_kept

    def end_calls(self) -> None:
        self.is_over = True
        self.watch(2)

    def counts(self) -> bool:
        """Compares the database with the consumer at the broker."""
        end = time.monotonic() + SETTLE_SECONDS
        database = Connection(self.servers.database.address)
        while True:
            self.servers.look_after()
            found = database.rows("SELECT encode(id, 'hex') FROM sample") or []
            stored = [f'{i[:8]}-{i[8:12]}-{i[12:16]}-{i[16:20]}-{i[20:]}' for (i,) in found]
            missing = set(self.house.witnessed()) - set(stored)
            lost = self.called.keys() - self.witness.calls.keys()
            if not (missing or lost) or time.monotonic() > end:
                break
            time.sleep(0.2)
        calls = database.rows('SELECT count(*), count(DISTINCT alarm) FROM desk_call') or [(0, 0)]
        doubled = len(stored) - len(set(stored)) + calls[0][0] - calls[0][1]
        print(f'\n{len(set(self.house.witnessed()))} readings and {len(self.called)} calls at the broker: '
              f'{len(missing)} readings and {len(lost)} calls missing, {doubled} doubled')
        return not (missing or lost or doubled)


class Region(ClusterStream, TrackMeHouse):
    """A house at three brokers, whose server is two servers."""

    def make_cloud(self, directory: pathlib.Path) -> TrackMe:
        return Servers(self.trackme, directory, [node.port for node in self.cluster.nodes], SERVER, PASSWORD)


def cookies(visitor: Visitor) -> str:
    return '; '.join(f'{cookie.name}={cookie.value}' for cookie in visitor.cookies)


def play(house: Region, only: str) -> bool:
    servers = house.cloud
    assert isinstance(servers, Servers)
    try:
        servers.start()
        house.register()
        house.beat(BEAT_MS)
        pages = [
            OpenPage(node.port, path, event, f'{HOST}:{servers.proxy_port}', cookie)
            for path, event, cookie in (('/data/1/live', 'reading', cookies(person(house))),
                                        ('/desk/live', 'change', cookies(servers.dispatcher())))
            for node in servers.nodes]
        trial = Trial(house, servers, pages)
        trial.watch(5)
        dead: list[Any] = []

        def broker(place: Callable[[], Any]) -> None:
            # The one of the row before has come back by then.
            for node in dead:
                node.wait_until_there()
            node = place()
            dead[:] = [node]
            node.die()
            trial.later.append((time.monotonic() + REST_SECONDS / 2, node.start))
        places = iter([house.gateway_node, house.consumer_node, house.gateway_node])
        rows: list[tuple[str, int, Callable[[], None]]] = [
            ('nothing', 1, lambda: None),
            ('the server with the duties', 3, servers.kill),
            ('the server without them', 2, servers.kill_other),
            ('a node of the broker', 3, lambda: broker(next(places))),
            ('the primary of the database', 1, servers.database.fail_over),
            ('the server with the duties, on the new primary', 1, servers.kill),
            ('the server with the duties, told to end', 2, servers.end)]
        print(f'| killed | times | longest time without a new reading, s (limit {SAMPLE_LIMIT:.0f}) | calls | '
              f'latest call in the database, s (limit {CALL_LIMIT:.0f}) | news on the pages | verdict |\n'
              '|---|---|---|---|---|---|---|', flush=True)
        kept = [trial.row(name, times, kill) for name, times, kill in rows if only in name]
        trial.end_calls()
        house.quiet()
        return trial.counts() and all(kept)
    finally:
        servers.stop()


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.cloud', description=__doc__.splitlines()[0])
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--trackme', default=TRACKME_PROGRAM, type=pathlib.Path)
    parser.add_argument('--only', default='', help='the rows with this word in their names')
    options = parser.parse_args()
    if not IS_INSTALLED:
        parser.error('no RabbitMQ here: apt-get install rabbitmq-server')
    unwind_on_signals()
    with Cluster() as cluster:
        cluster.admit(options.gateway, [GATEWAY], CONSUMER, PASSWORD, server=SERVER)
        with Region(options.gateway, cluster, trackme=options.trackme) as house:
            return 0 if play(house, options.only) else 1


if __name__ == '__main__':
    sys.exit(main())
