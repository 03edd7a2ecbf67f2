"""A race of 200 runners on the pages of the cloud half.

An organiser creates it, the box gets it by signed commands, passings and positions come shuffled and doubled, and a
spectator compares the standings with the truth.
"""
import datetime
import json
import random
import re
import secrets
import subprocess
import time
from collections.abc import Collection, Iterator
from typing import Any, Protocol

from workbench.demo.consent import say
from workbench.house import GATEWAY
from workbench.parts.port import HOST
from workbench.trackme.server import NotServed, TrackMe, Visitor

RUN, ORGANISER, PASSWORD = 'park-1k', 'luke', 'four walls, one door'
RUNNERS, FINISHERS = 200, 150
METRES = 1_000
COMMANDS = ('run-create', 'run-change', 'run-cancel', 'run-enrol', 'run-leave')
RECEIPT_SECONDS, PAGE_SECONDS = 30, 10
OWN_BIB = 500
# A straight course to the north of 1,000 m.
GPX = ('<gpx version="1.1" creator="demo" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
       '<trkpt lat="45.46" lon="9.18"/><trkpt lat="45.4645" lon="9.18"/><trkpt lat="45.469" lon="9.18"/>'
       '</trkseg></trk></gpx>')


class House(Protocol):
    """The parts of a house that the race needs."""

    cloud: TrackMe

    def at_home(self, *words: str) -> str: ...

    def question(self, prefix: str, known: Collection[str] = ()) -> str: ...


def rfc3339(time_s: float) -> str:
    return datetime.datetime.fromtimestamp(time_s, datetime.UTC).isoformat(timespec='milliseconds').replace(
        '+00:00', 'Z')


def message_id(time_s: float) -> str:
    """A UUID of version 7."""
    digits = f'{int(time_s * 1000):012x}7{secrets.randbits(12):03x}{secrets.randbits(62) | 1 << 63:016x}'
    return f'{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}'


def passing(bib: int, order: int, at: float) -> dict[str, Any]:
    return {'bib': bib, 'bound_ms': 400, 'box': GATEWAY, 'checkpoint': 'line', 'clock': 'gps', 'clock_bound_ms': 100,
            'first': rfc3339(at - 2), 'flags': [], 'hits': 40, 'id': message_id(at), 'last': rfc3339(at + 2),
            'method': 'ble-peak', 'order': order, 'rssi': -60, 'run': RUN, 'time': rfc3339(at)}


def position(bib: int, metres: int, at: float) -> dict[str, Any]:
    return {'age_s': 1, 'bib': bib, 'box': GATEWAY, 'distance_m': metres, 'flags': [], 'id': message_id(at),
            'latitude': 45.46, 'longitude': 9.18, 'measured': rfc3339(at), 'run': RUN, 'time': rfc3339(at)}


def publish(cloud_port: int, topic: str, messages: list[dict[str, Any]]) -> None:
    subprocess.run(
        ['mosquitto_pub', '-h', HOST, '-p', str(cloud_port), '-q', '1', '-l', '-t',
         f'trackme/v1/{GATEWAY}/runs/{RUN}/{topic}'],
        input=''.join(json.dumps(message) + '\n' for message in messages), text=True, timeout=60, check=True)


def organised(house: House, start: float) -> Visitor:
    """Returns the organiser, on the page of a run with its runners and the box of the house."""
    luke = Visitor(house.cloud.origin)
    luke.get('/register')
    luke.post('/register', user=ORGANISER, name='Luke Neri', password=PASSWORD, again=PASSWORD, agree='yes')
    luke.get('/my-runs/new')
    luke.post('/my-runs/new', id=RUN, title='Park 1K', description='Around the park', waves=rfc3339(start),
              end=rfc3339(start + 7_200), checkpoints=f'line 0,{METRES} {GATEWAY} finish', course=GPX,
              most=str(RUNNERS))
    luke.post(f'/my-runs/{RUN}/boxes', code=house.at_home('contract', 'claim').strip())
    for bib in range(1, RUNNERS + 1):
        shows = {'shows': 'yes'} if bib % 2 else {}
        luke.post(f'/my-runs/{RUN}/participants', bib=str(bib), name=f'Runner {bib}',
                  tag=f'C0:FF:EE:00:{bib >> 8:02X}:{bib & 255:02X}', **shows)
    return luke


def commands(cloud: TrackMe) -> list[tuple[Any, ...]]:
    return cloud.rows('SELECT type, state, reason FROM run_command ORDER BY asked')


def tell(house: House, broker_port: int) -> Iterator[tuple[str, bool]]:
    """Plays the race. Yields each promise, with true where it was kept."""
    cloud, chance = house.cloud, random.Random(17)
    start = time.time() - 900
    luke = organised(house, start)
    try:
        luke.post(f'/my-runs/{RUN}/participants', bib='999', tag='C0:FF:EE:00:FF:FF')
        yield 'a run takes no more runners than it has room for', False
    except NotServed as refusal:
        yield 'a run takes no more runners than it has room for', '409' in str(refusal)
    end = time.monotonic() + RECEIPT_SECONDS
    while time.monotonic() < end and any(row[1] == 'sent' for row in commands(cloud)):
        time.sleep(0.5)
    states = {row[1:] for row in commands(cloud)}
    listed = house.at_home('runs', 'list')
    yield f'the box has the run by signed commands with receipts ({states})', (
        states == {('done', None)} and RUN in listed)

    truth = {bib: 240 + chance.random() * 400 for bib in range(1, FINISHERS + 1)}
    passings = [passing(bib, 1, start + chance.random() * 20) for bib in range(1, RUNNERS + 1)]
    passings += [passing(bib, 2, start + seconds) for bib, seconds in truth.items()]
    passings += passings[::3]
    chance.shuffle(passings)
    publish(broker_port, 'passings', passings)
    on_course = {bib: chance.randrange(100, METRES) for bib in range(FINISHERS + 1, RUNNERS + 1)}
    places = [position(bib, metres, start + 600) for bib, metres in on_course.items()]
    places += [position(bib, 5, start + 100) for bib in on_course]
    publish(broker_port, 'positions', places)
    # Of a runner that is not in the run.
    publish(broker_port, 'passings', [passing(4_242, 2, start + 200)])

    spectator = Visitor(cloud.origin)
    say('spectator', f'looks at {cloud.origin}/runs/{RUN}')
    expected = sorted(truth, key=lambda bib: int((start + truth[bib]) * 1000))
    end = time.monotonic() + PAGE_SECONDS
    while True:
        runners = spectator.json(f'/api/v1/runs/{RUN}')['runners']
        seen = [runner['bib'] for runner in runners if runner['state'] == 'finished']
        located = {r['bib']: r['distance_m'] for r in runners if r.get('is_located')}
        if (seen == expected and located == on_course) or time.monotonic() > end:
            break
        time.sleep(0.5)
    errors = [abs(split['gun_ms'] - truth[r['bib']] * 1000) for r in runners for split in r['splits']
              if r['state'] == 'finished' and split['order'] == 2]
    yield f'a spectator sees {len(seen)} finishers in their true order and times', (
        seen == expected and len(errors) == FINISHERS and max(errors) <= 2)
    yield f'the other {len(located)} are where they were measured last', located == on_course
    yield 'nobody but the runners of the run is shown', {r['bib'] for r in runners} == set(range(1, RUNNERS + 1))
    yield 'names are shown with the yes of the runners alone', all(
        ('name' in runner) == bool(runner['bib'] % 2) for runner in runners)
    yield 'the page has the course', '<svg class="map"' in spectator.get(f'/runs/{RUN}')
    luke.get(f'/my-runs/{RUN}')
    luke.post(f'/my-runs/{RUN}/participants/leave', bib='1')
    time.sleep(1.5)
    yield 'a runner who has left is shown no more', 'Runner 1<' not in spectator.get(f'/runs/{RUN}?text=1')


def heart_rate(cloud: TrackMe, is_shown: bool) -> bool:
    """Returns whether a spectator soon sees the heart rate of the person's runner, or soon sees it no more."""
    spectator, end = Visitor(cloud.origin), time.monotonic() + PAGE_SECONDS
    while time.monotonic() < end:
        runners = spectator.json(f'/api/v1/runs/{RUN}')['runners']
        shown = {runner['bib'] for runner in runners if 'heart_rate' in runner}
        if shown == ({OWN_BIB} if is_shown else set()):
            return True
        time.sleep(0.2)
    return False


def share(house: House, person: Visitor) -> Iterator[tuple[str, bool]]:
    """Lets a linked person run, and share her heart rate by a yes at home. Her strap streams meanwhile."""
    page = f'/runs/{RUN}/join'
    person.get(page)
    person.post(page, bib=str(OWN_BIB), name='Maria', tag='C0:FF:EE:00:0F:FF')
    choices = re.search(r'name="person" value="([^"]+)"', person.get(page))
    assert choices, 'the page of the enrolment offers no linked person'
    person.post(f'/runs/{RUN}/share', person=choices[1])
    request = house.question('run-')
    yield 'no spectator sees a heart rate before her yes', heart_rate(house.cloud, is_shown=False)
    house.at_home('consent', 'accept', request, '--by', 'Maria')
    yield 'spectators see her heart rate after her yes at home, and nobody else has one', heart_rate(
        house.cloud, is_shown=True)
    house.at_home('consent', 'withdraw', request, '--by', 'Maria')
    yield 'and no more after her no', heart_rate(house.cloud, is_shown=False)
