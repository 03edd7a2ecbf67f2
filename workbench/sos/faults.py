"""Faults during an emergency. Each entry of FAULTS runs its episodes in a house of its own."""
import contextlib
import dataclasses
import fcntl
import json
import os
import pathlib
import subprocess
import tempfile
import time
from dataclasses import dataclass

from workbench.house import CALM, NotSeen, Pace
from workbench.parts.child import Child
from workbench.paths import ROOT, program
from workbench.sos import channels, kills
from workbench.sos.episode import begin, call_for_help, end, lost_and_doubled, watch_alarm
from workbench.sos.result import Result
from workbench.web.web_house import WebHouse

FRESH_SECONDS = 30   # AlarmLocation.freshness
ATTACKING_DEVICES = 64   # SessionStore.capacity: with two streams each, all that a house can have
ATTACKERS_HELD = 100   # of 1,400: the limits of the console turn the most of them out, each second again
SPINNERS = 4   # on two cores: two for each


@dataclass
class Run:
    """The arguments of every fault."""
    program: pathlib.Path
    pace: Pace
    count: int

    def house(self, kind=WebHouse, **options):
        return kind(self.program, self.pace, devices=1, **options)


def several(run, house, before=lambda number: None, around=contextlib.nullcontext, **moments):
    """Plays `count` episodes, each inside `around()`, and counts lost and doubled calls after the fault is over."""
    result = Result()
    for number in range(run.count):
        before(number)
        with around():
            result.episodes.append(episode := call_for_help(house, **moments))
        end(house, episode, result if number == run.count - 1 else None)
    return result


def told(house, code):
    """Returns true when the gateway has raised this condition."""
    return bool(house.find(lambda e: (e['event'], e.get('code'), e.get('raised')) == ('health', code, True)))


def counted(result, house):
    result.lost, result.doubled = lost_and_doubled(house, result.episodes)
    return result


def nothing(run):
    with run.house() as house:
        return counted(several(run, house), house)


# ---- the disk --------------------------------------------------------------------------

def disk_stalled(run):
    def prepare(house):
        image = house.directory / 'disk.img'
        with open(image, 'wb') as file:
            file.truncate(16 << 20)
        subprocess.run(['mkfs.ext4', '-q', image], check=True)
        mount(house, '-o', 'loop', image)
    with run.house(prepare=prepare) as house:
        subprocess.run(['fsfreeze', '--freeze', house.state], check=True)
        try:
            before = house.alarms_kept()
            result = several(run, house)
            if house.alarms_kept() != before:
                result.broken.append('alarms.json was written: the fault was none')
        finally:
            subprocess.run(['fsfreeze', '--unfreeze', house.state], check=True)
        return counted(result, house)


def disk_full(run):
    def prepare(house):
        mount(house, '-t', 'tmpfs', '-o', 'size=64k', 'none')
        with contextlib.suppress(OSError), open(house.state / 'filling', 'wb', buffering=0) as file:
            while True:
                file.write(bytes(4096))
    with run.house(prepare=prepare) as house:
        result = several(run, house)
        if not told(house, 'storage-unavailable'):
            result.broken.append('nobody was told that the disk takes nothing')
        return counted(result, house)


def mount(house, *what):
    subprocess.run(['mount', *what, house.state], check=True)
    house.cleanup.callback(subprocess.run, ['umount', house.state], check=True)


# ---- Bluetooth -------------------------------------------------------------------------

def frozen_during(run, part, moment):
    """A fault from the readings until the call for help."""
    with run.house() as house:
        chosen = getattr(house.services, part)

        @contextlib.contextmanager
        def thawed_afterwards():
            try:
                yield
            finally:
                chosen.thaw()
        return counted(several(run, house, around=thawed_afterwards, **{moment: chosen.freeze}), house)


def bus_frozen(run):
    return frozen_during(run, 'bus', 'after_last')


def bluetoothd_frozen(run):
    """A fault after the first reading: no other reading arrives, and the gateway confirms by time."""
    return frozen_during(run, 'bluez', 'after_first')


# ---- the position ----------------------------------------------------------------------

def gpsd_gone(run):
    with run.house(gpsd=True) as house:
        house.until('a position', lambda e: e['event'] == 'position')
        house.services.gpsd.stop()
        first = several(dataclasses.replace(run, count=1), house)
        for _ in range(FRESH_SECONDS + 1):
            house.send(CALM)   # the gateway would connect anew to a silent strap
            time.sleep(1)
        rest = several(dataclasses.replace(run, count=run.count - 1), house)
        result = Result(episodes=first.episodes + rest.episodes)
        sources = [episode.location for episode in result.episodes]
        result.remarks.append(f'location: {", ".join(dict.fromkeys(sources))}')
        if sources[0] != 'fix' or set(sources[1:]) != {'last-known'}:
            result.broken.append('the position was known and grew old, and the calls do not say so')
        return counted(result, house)


def gpsd_never(run):
    with run.house(gpsd=True, prepare=lambda house: house.services.gpsd.stop()) as house:
        result = several(run, house)
        sources = {episode.location for episode in result.episodes}
        result.remarks.append(f'location: {", ".join(sorted(sources))}')
        if sources != {'installed'}:
            result.broken.append(f'the position was never known, and the call said {sources}')
        return counted(result, house)


# ---- the machine -----------------------------------------------------------------------

def busy(run, rt):
    with run.house(rt=rt) as house:
        refused = told(house, 'realtime-unavailable')
        spinners = [subprocess.Popen(['/bin/sh', '-c', 'while :; do :; done']) for _ in range(SPINNERS)]
        try:
            result = several(run, house)
        finally:
            for spinner in spinners:
                spinner.kill()
                spinner.wait()
        if rt == refused:
            result.remarks.append('real-time priority is not to be had here' if rt else 'it took real-time priority')
        return counted(result, house)


def busy_realtime(run):
    return busy(run, rt=True)


def busy_ordinary(run):
    return busy(run, rt=False)


def console_attacked(run):
    """Holds the process of the pages during the emergencies, by streams, deaf clients and half requests."""
    with WebHouse(run.program, run.pace, devices=ATTACKING_DEVICES) as house:
        port = house.address.rsplit(':', 1)[1]
        attack = house.children['attack'] = Child(
            [*program('sos.page_attack'), port, *house.cookies], stdout=subprocess.PIPE)
        house.listen('attack', map(json.loads, attack.stdout))
        house.until('the attack', lambda e: e['event'] == 'held' and e['turned_out'])
        began = house.mark()
        result = several(run, house)
        held = house.find(lambda e: e['event'] == 'held', began)
        middle = sorted(held, key=connected)[len(held) // 2]
        result.remarks.append(
            f'{middle["streams"]} of 1,000 streams, {middle["deaf"]} of 100 deaf clients and {middle["halves"]} of 300 '
            f'half requests were connected at a time; the limits of the console turned out '
            f'{held[-1]["turned_out"] - held[0]["turned_out"]}')
        if connected(middle) < ATTACKERS_HELD:
            result.broken.append('few visitors held the console: the fault was none')
        attack.kill()
        if not house.children['console'].running:
            result.broken.append('the console ended')
        elif house.get('/pair')[0] != 200:
            result.broken.append('the console serves nobody after the attack')
        return counted(result, house)


def connected(report):
    return report['streams'] + report['deaf'] + report['halves']


def wall_clock_stepped(run):
    """Steps the wall clock of the gateway by hours after the first dangerous reading, not that of the machine."""
    with tempfile.TemporaryDirectory() as directory:
        library, shift = pathlib.Path(directory, 'wall_shift.so'), pathlib.Path(directory, 'shift')
        source = ROOT / 'Tests/E2ESOS/wall_shift.c'
        subprocess.run(['cc', '-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'], check=True)
        shift.write_text('0')
        steps = iter([5 * 3600, -3 * 3600, 40 * 86400, -2 * 86400] * run.count)
        with run.house(environment={'LD_PRELOAD': library, 'WALL_SHIFT': shift}) as house:
            result = several(run, house, after_first=lambda: shift.write_text(str(next(steps))))
            days = {e['at'][:10] for e in house.find(lambda e: e['event'] == 'dispatch')}
            if run.count > 1 and len(days) < 2:
                result.broken.append('the gateway saw no step: the fault was none')
            return counted(result, house)


def console_full(run):
    with run.house(console_is_read=False) as house:
        pipe = os.open(f'/proc/{house.gateway.process.pid}/fd/1', os.O_WRONLY | os.O_NONBLOCK)
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 4096)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(pipe, b'x' * 512)
        os.close(pipe)
        result = several(run, house)
        result.remarks.append('alarm by its feed')
        if not told(house, 'house-unalarmed'):
            result.broken.append('nobody was told that the room hears nothing')
        return counted(result, house)


def killed(phase):
    def play(run):
        with run.house() as house:
            result = Result()
            allowed = 0
            for number in range(run.count):
                try:
                    house.last = result if number == run.count - 1 else None
                    episode, repeats = phase(house, number, result)
                    allowed += repeats
                    result.episodes.append(episode)
                except NotSeen as problem:
                    result.broken.append(str(problem))
                    break
            counted(result, house)
            if result.doubled <= allowed and result.doubled:
                result.remarks.append(f'{result.doubled} given again with the same alarm and round, as it must be')
                result.doubled = 0
            return result
    return play


class RefusingHouse(WebHouse):
    """The person has not accepted AutomatedSOS: nobody is called, and the room must not say otherwise."""

    def write_settings(self):
        super().write_settings()
        self.replace_settings(('automated_sos = "accepted"', 'automated_sos = "not-accepted"'))


def terms_refused(run):
    with run.house(kind=RefusingHouse) as house:
        result = Result()
        for number in range(min(run.count, 2)):
            episode = begin(house)
            watch_alarm(house, episode)
            line = house.until('that nobody is called', lambda e: (
                e['source'] == 'console' and 'Nobody is called' in e['text']), episode.since)
            episode.dispatch_ns = line['seen_ns']
            result.episodes.append(episode)
            end(house, episode, result if number == min(run.count, 2) - 1 else None)
        result.remarks.append('nobody is called; the time is that of the sentence')
        if house.calls():
            result.broken.append('somebody was called without the terms')
        return result


# Name, function, and true where the fault needs the machine alone.
FAULTS = [
    ('none', nothing, False),
    ('terms refused', terms_refused, False),
    *((name, play, False) for name, play in channels.FAULTS),
    ('disk stalled', disk_stalled, False),
    ('disk full', disk_full, False),
    ('D-Bus frozen', bus_frozen, False),
    ('bluetoothd frozen', bluetoothd_frozen, False),
    ('gpsd gone', gpsd_gone, False),
    ('gpsd never there', gpsd_never, False),
    ('wall clock stepped', wall_clock_stepped, False),
    ('console full', console_full, False),
    *((f'killed {name}', killed(phase), False) for name, phase in kills.PHASES),
    ('console attacked', console_attacked, True),
    ('cores busy, real-time', busy_realtime, True),
    ('cores busy, ordinary', busy_ordinary, True)]
