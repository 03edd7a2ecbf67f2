"""The demo of the cloud half: Maria registers, links her account by her yes at home, and sees her heart rate. A clinic
asks her and a patient of another house for it, tells the two apart, and gets nothing more after her no. Her heart
races, and a dispatcher takes the call. An installer adds the box of her house to a fleet, and a spectator follows a
race.

    python3 -m workbench.demo.trackme [--seconds N] [--gateway PROGRAM] [--trackme PROGRAM]

N: duration of the run; 0, the default, serves until Ctrl-C. With a duration the server and the broker are killed with
SIGKILL at random times, and at the end the readings of a consumer of its own at the broker are compared with those in
the database. Gateway, D-Bus, broker and server are real, the strap and the Bluetooth service are virtual. Ends with 0
when each promise was kept.
"""
import argparse
import contextlib
import json
import pathlib
import random
import subprocess
import sys
import time
import urllib.request
from collections.abc import Collection, Iterator
from typing import Any

from workbench import gateway_settings as settings
from workbench import witness
from workbench.demo import clinic, dispatcher, run_pages
from workbench.demo.consent import say
from workbench.house import GATEWAY, ORDINARY, PERSON, NotSeen
from workbench.outage.streaming import Stream
from workbench.parts.interruption import Interrupted, unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM, TRACKME_PROGRAM
from workbench.trackme.server import NotServed, TrackMe, Visitor

USER, PASSWORD = 'maria', 'four walls, one door'
INSTALLER = 'gino'
BEAT_MS = 250
LINK_SECONDS = 20    # from the question on the page to the question at home, and back
LIVE_SECONDS = 10
DRAIN_SECONDS = 30   # for the last readings to reach the database
# Seconds between two kills, and until the killed process starts again.
KILL_EVERY, DEAD_FOR = (2.0, 6.0), (0.2, 2.0)


class TrackMeHouse(Stream):
    """A house whose gateway obeys the commands of a server beside it."""

    cloud: TrackMe

    def __init__(self, program: pathlib.Path, trackme: pathlib.Path) -> None:
        super().__init__(program)
        self.trackme, self.pace = trackme, ORDINARY

    def more_settings(self) -> str:
        self.cloud = self.make_cloud(self.directory / 'trackme')
        keys = self.directory / 'trackme.jwks'
        keys.write_text(self.cloud.public_keys, encoding='utf-8')
        return settings.commands(keys, may=[
            'request', 'withdraw', 'sample-interval', 'heartbeat-interval', *run_pages.COMMANDS])

    def make_cloud(self, directory: pathlib.Path) -> TrackMe:
        return TrackMe(self.trackme, directory, self.services.broker.port)

    def at_home(self, *words: str) -> str:
        """Runs a command of the gateway, which asks the daemon over its control socket."""
        done = subprocess.run(
            [str(self.program), *words, '--config', str(self.settings)], capture_output=True, text=True, timeout=60,
            check=False)
        if done.returncode:
            raise NotSeen(f'homegateway {" ".join(words)} to succeed: {done.stdout}{done.stderr}')
        return done.stdout

    def register(self) -> None:
        """Gives the gateway's public key to the server."""
        key = self.directory / 'gateway.jwks'
        key.write_text(self.at_home('contract', 'keys', '--jwks'), encoding='utf-8')
        self.cloud.command('houses', 'add', self.gateway_id, '--key', str(key))

    def move_in(self, user: str, name: str) -> tuple[Visitor, str]:
        """Registers an account, and asks the house to link it. Returns its visitor, and the question at home."""
        visitor = Visitor(self.cloud.origin)
        visitor.get('/register')
        visitor.post('/register', user=user, name=name, password=PASSWORD, again=PASSWORD, agree='yes')
        visitor.get('/links')
        visitor.post('/links', house=self.gateway_id, person=PERSON, role='acts', code=self.link_code())
        say(name, f'has registered at {self.cloud.origin}, and asks the house {self.gateway_id} to link the account')
        return visitor, self.question()

    def link_code(self) -> str:
        """Has the house make a code for an account, and returns its digits."""
        lines = self.at_home('link-code', PERSON).splitlines()
        return next(line.split()[1] for line in lines if line.split()[:1] == ['Code'])

    def accept_link(self, visitor: Visitor, request: str) -> bool:
        self.at_home('consent', 'accept', request, '--by', 'Maria')
        end = time.monotonic() + LINK_SECONDS
        while not linked(visitor) and time.monotonic() < end:
            time.sleep(0.2)
        return linked(visitor)

    def question(self, prefix: str = 'link-', known: Collection[str] = ()) -> str:
        """Returns the request in the house with this beginning of its name that is none of the known ones."""
        end = time.monotonic() + LINK_SECONDS
        while time.monotonic() < end:
            for word in self.at_home('consent', 'list').split():
                if word.startswith(prefix) and (name := word.strip('.,:;')) not in known:
                    return name
            time.sleep(0.2)
        raise NotSeen('the question in the house')

    def witnessed(self) -> list[str]:
        """Returns the IDs of Maria's readings that the consumer at the broker has received."""
        prefix = f'trackme/v1/{GATEWAY}/samples/{PERSON}'
        return [e['id'] for e in self.find(
            lambda e: e['source'] == 'broker' and e.get('topic', '').startswith(prefix) and 'value' in e)]


class Neighbour(TrackMeHouse):
    """Another house at the same broker and server. Its person has the short name of the first one's."""

    gateway_id = 'e2e-neighbour'

    def __init__(self, house: TrackMeHouse) -> None:
        super().__init__(house.program, house.trackme)
        self.house = house
        self.broker_class = lambda directory: contextlib.nullcontext(house.services.broker)

    def make_cloud(self, directory: pathlib.Path) -> TrackMe:
        return self.house.cloud

    def start_witness(self) -> None:
        """Its witness has an ID of its own at the broker."""
        command = witness.command(
            self.services.broker.port, [f'trackme/v1/{self.gateway_id}/#'], options=['-i', 'witness-next-door', '-c'])
        self.follow_witness(command)


def linked(visitor: Visitor) -> bool:
    return any(link['state'] == 'linked' for link in visitor.json('/api/v1/me')['links'])


def live_value(visitor: Visitor, path: str) -> dict[str, Any]:
    """Returns the first reading of the page's stream."""
    request = urllib.request.Request(visitor.origin + path)
    with visitor.opener.open(request, timeout=LIVE_SECONDS) as stream:
        is_reading = False
        for line in stream:
            if line.startswith(b'event:'):
                is_reading = line.strip() == b'event: reading'
            elif is_reading and line.startswith(b'data:'):
                return dict(json.loads(line[5:]))
    raise NotSeen('a reading in the stream')


def kills(house: TrackMeHouse, seconds: float, chance: random.Random) -> int:
    """Kills the server and the broker at random times, and starts them again. Returns the kills of the broker."""
    end, broker = time.monotonic() + seconds, 0
    while time.monotonic() + KILL_EVERY[1] + DEAD_FOR[1] < end:
        time.sleep(chance.uniform(*KILL_EVERY))
        if chance.random() < 0.3:
            house.break_broker()
            broker += 1
            time.sleep(chance.uniform(*DEAD_FOR))
            house.mend_broker()
        else:
            house.cloud.kill()
            time.sleep(chance.uniform(*DEAD_FOR))
            house.cloud.start()
    time.sleep(max(0, end - time.monotonic()))
    return broker


def settle(house: TrackMeHouse) -> None:
    """Waits until the database has the readings of the witness, or cannot get them any more."""
    house.drained()
    end = time.monotonic() + DRAIN_SECONDS
    while time.monotonic() < end:
        if not set(house.witnessed()) - set(house.cloud.sample_ids(GATEWAY)):
            return
        time.sleep(0.2)


def look_after_boxes(house: TrackMeHouse) -> Iterator[tuple[str, bool]]:
    """Adds the box of the house to the fleet of an installer."""
    cloud = house.cloud
    cloud.command('accounts', 'add-installer', INSTALLER, '--name', 'Gino Bianchi', '--fleet', 'Elettro Rossi',
                  text=PASSWORD + '\n')
    visitor = Visitor(cloud.origin)
    visitor.get('/sign-in')
    visitor.post('/sign-in', user=INSTALLER, password=PASSWORD)
    visitor.get('/fleet/add')
    visitor.post('/fleet/add', code=house.at_home('contract', 'claim').strip())
    text = visitor.get('/fleet')
    say('installer', f'looks at {cloud.origin}/fleet   user name {INSTALLER}, password {PASSWORD}')
    yield 'an installer sees the box, and nothing of Maria', (
        GATEWAY in text and '>there<' in text and PERSON not in text)


def tell(house: TrackMeHouse, seconds: float) -> Iterator[tuple[str, bool]]:
    """Plays the demo. Yields each promise, with true where it was kept."""
    cloud = house.cloud
    house.register()
    cloud.start()
    house.beat(BEAT_MS)
    visitor, request = house.move_in(USER, 'Maria Rossi')
    say('house', house.at_home('consent', 'show', request))
    try:
        visitor.get('/data/1')
        yield 'nothing of Maria is shown before her yes', False
    except NotServed as refusal:
        yield 'nothing of Maria is shown before her yes', '404' in str(refusal)

    yield 'the account is linked by her yes at home', house.accept_link(visitor, request)
    value = live_value(visitor, '/data/1/live')
    say('page', f'shows live: {value["kind"]} {value["value"]}')
    yield 'her heart rate is live on the page', value['kind'] == 'heart-rate'
    with Neighbour(house) as neighbour:
        neighbour.register()
        other, request = neighbour.move_in('maria-neri', 'Maria Neri')
        yield 'Maria Neri of another house has an account as well', neighbour.accept_link(other, request)
        neighbour.beat(BEAT_MS)
        yield from clinic.tell(
            cloud, clinic.Patient(visitor, house.at_home, house.question, 1),
            clinic.Patient(other, neighbour.at_home, neighbour.question, 2))
    yield from dispatcher.tell(cloud, house)
    yield from look_after_boxes(house)
    yield from run_pages.tell(house, house.services.broker.port)
    house.beat(BEAT_MS)
    yield from run_pages.share(house, visitor)

    if not seconds:
        say('page', f'{cloud.origin}   user name {USER}, password {PASSWORD}')
        say('', 'The house, at home:')
        say('', f'  {house.program} consent list --config {house.settings}')
        say('', 'Ctrl-C ends it.')
        try:
            while True:
                time.sleep(1)
        except (Interrupted, KeyboardInterrupt):
            return
    broker = kills(house, seconds, random.Random())
    house.quiet()
    settle(house)
    witnessed, stored = house.witnessed(), cloud.sample_ids(GATEWAY)
    # Intervals between beats come in the messages of the heart rate, and fill minutes of their own.
    minutes = int(cloud.rows(
        'SELECT coalesce(sum(count), 0) FROM minute JOIN series ON series.id = minute.series '
        f"WHERE series.kind <> 'rr-interval' AND series.gateway = '{GATEWAY}'")[0][0])
    missing, extra = set(witnessed) - set(stored), set(stored) - set(witnessed)
    say('count', f'{len(set(witnessed))} readings at the broker, {len(stored)} in the database; '
                 f'{len(witnessed) - len(set(witnessed))} came again; the server was killed {cloud.kills} times, '
                 f'the broker {broker} times')
    yield f'no reading is missing in the database ({len(missing)} are)', bool(witnessed) and not missing
    yield 'no reading is stored twice', len(stored) == len(set(stored)) and minutes == len(stored)
    yield f'the database has no reading that the broker did not have ({len(extra)})', not extra
    # The neighbour's gateway is registered after its start: its first messages may be those of an unknown house.
    dead = cloud.rows(f"SELECT reason, count(*) FROM dead_letter WHERE topic LIKE '%/{GATEWAY}/%' GROUP BY reason")
    yield f'no message of the house was set aside ({dead})', not dead
    visitor.get('/links')
    visitor.post('/links/1/end')
    try:
        visitor.get('/data/1')
        yield 'after she has ended the link, nothing is shown', False
    except NotServed as refusal:
        yield 'after she has ended the link, nothing is shown', '404' in str(refusal)


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.demo.trackme', description=__doc__.splitlines()[0])
    parser.add_argument('--seconds', type=float, default=0, metavar='N')
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--trackme', default=TRACKME_PROGRAM, type=pathlib.Path)
    arguments = parser.parse_args()
    unwind_on_signals()
    broken = 0
    with TrackMeHouse(arguments.gateway, arguments.trackme) as house:
        try:
            for promise, is_kept in tell(house, arguments.seconds):
                print(f'{"kept" if is_kept else "BROKEN":12}{promise}', flush=True)
                broken += not is_kept
        finally:
            if hasattr(house, 'cloud'):
                house.cloud.stop()
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(main())
