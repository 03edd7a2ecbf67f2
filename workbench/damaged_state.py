"""Damages each file of a full state directory in every way, and starts the daemon on it.

    python3 -m workbench.damaged_state [--gateway PROGRAM] [--rounds N] [--seed N] [--only FILE] [--quick]

Each round: the daemon starts, a press of an SOS button becomes a call at the broker, and either nothing is lost or a
health condition reports the loss. Needs root, as `make e2e-sos`.
"""
import argparse
import base64
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import uuid
from datetime import UTC, datetime, timedelta

from workbench import gateway_settings as settings
from workbench.house import GATEWAY, PATIENCE_SECONDS, PERSON, TOPIC, Event, House, NotSeen, Pace
from workbench.issuer import KEY_ID, Issuer
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM
from workbench.witness import READY_TOPIC

BUTTON, OTHER = 'button', 'paolo'
BELT = 'belt'   # in devices.toml
PACE = Pace(readings=1, gap=0, within=2.0, window=0.7)
# Each of these conditions reports a loss, with the file in its subject or log line.
DAMAGE = {'storage-damaged', 'devices-damaged', 'identity-renewed', 'alarms-forgotten', 'consent-damaged',
          'history-off', 'storage-unavailable', 'passing-log-unavailable'}
# Files without content: their loss is no loss, and the gateway may make them again.
HOLDS_NOTHING = {'gateway.lock'}
# Takes away root's right to read files regardless of their mode.
UNPRIVILEGED = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-dac_override,-dac_read_search']


def sealed(text):
    """Returns the text of devices.toml with its checksum, as the commands write it."""
    sum = 0xcbf29ce484222325
    for byte in text.encode():
        sum = (sum ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return f'{text}# Checksum: {sum:x}\n'


class DamagedHouse(House):
    def __init__(self, program):
        super().__init__(program, PACE, prepare=DamagedHouse.prepare_files)
        self.peripherals += [
            {'id': BUTTON, 'kind': 'beacon', 'address': 'C0:FF:EE:00:00:05'},
            {'id': BELT, 'kind': 'heart_rate', 'address': 'C0:FF:EE:00:00:02', 'name': 'Belt'}]
        self.packet = 0
        self.is_unprivileged = False
        self.seen_of_last: list[Event] = []   # since the last start

    def prepare_files(self):
        self.issuer = Issuer(self.directory)
        (self.state / 'devices.toml').write_text(sealed(
            '# Written by: a test.\n\n' + settings.wearable(BELT, 'C0:FF:EE:00:00:02', OTHER)))
        folder = self.directory / 'runs.d'
        folder.mkdir()
        now = datetime.now(UTC)
        (folder / 'walk.toml').write_text(
            settings.section('', id='walk', title='A walk', end=(now + timedelta(hours=3)).isoformat())
            + settings.section('[[waves]]', id='all', start=(now - timedelta(minutes=3)).isoformat())
            + settings.section('[[checkpoints]]', id='bench', box=GATEWAY, distances_m=[100])
            + settings.section('[[participants]]', bib=17, tags=['C0:FF:EE:00:00:99'])
            + settings.section('[[participants]]', bib=18), encoding='utf-8')

    def more_settings(self):
        return (
            settings.consenting(OTHER, 'Paolo Rossi')
            + settings.section('[person.sos]', abort_window_seconds=PACE.window, repeat_seconds=300)
            + settings.wearable(
                BUTTON, 'C0:FF:EE:00:00:05', OTHER, {'button': 'sos-button'}, heard_by='advertising')
            + settings.commands(self.issuer.jwks, may=['drill', 'heartbeat-interval', 'run-leave', 'thresholds'])
            + settings.section('[race]', runs_directory=str(self.directory / 'runs.d')))

    def write_settings(self):
        super().write_settings()
        self.replace_settings(('[bluetooth]\n', '[bluetooth]\ntrackside_adapter = "hci99"\n'))

    def place(self, command):
        return [*UNPRIVILEGED, *command] if self.is_unprivileged else command

    def command(self, **what):
        """Publishes a signed command; returns when its receipt has come."""
        now = time.time()
        claims = {'iss': 'trackme', 'aud': GATEWAY, 'iat': int(now), 'exp': int(now) + 300,
                  'jti': str(uuid.uuid4()), 'seq': int(now * 1000), 'by': 'Anna', 'cmd': what}
        since = self.mark()
        self.publish_signed(self.issuer.sign({'alg': 'EdDSA', 'kid': KEY_ID, 'typ': 'trackme-command+jwt'}, claims))
        self.until(f'the receipt of {what}', lambda e: (
            e.get('topic', '').endswith('/receipts') and e.get('re') == claims['jti']), since)

    def witness_lines(self, pipe):
        for line in pipe:
            topic, _, payload = line.decode(errors='replace').rstrip('\n').partition(' ')
            if topic.endswith('/receipts'):
                middle = payload.split('.')[1]
                payload = base64.urlsafe_b64decode(middle + '=' * (-len(middle) % 4)).decode()
            with contextlib.suppress(ValueError):
                found = json.loads(payload)
                yield {**(found if isinstance(found, dict) else {}), 'topic': topic}
                continue
            yield {'topic': topic}

    def press(self):
        """Presses the other person's button once."""
        self.packet = self.packet % 250 + 1
        for _ in range(200):
            since = self.mark()
            self.services.bluez.perform(
                {'op': 'advertise', 'id': BUTTON, 'hex': f'4400{self.packet:02x}3a01', 'times': 6})
            told = self.until('the advert', lambda e: e['source'] == 'wearable' and e['event'] in (
                'advertised', 'unheard'), since)
            if told['event'] == 'advertised':
                return
            time.sleep(0.1)
        raise NotSeen('somebody who hears adverts')

    # ---- observations of the state ------------------------------------------------------

    def conditions(self, since):
        holding = {}
        for e in self.find(lambda e: e['source'] == 'feed' and e['event'] == 'health', since):
            holding[(e['code'], e.get('subject'))] = e['raised']
        return {name for name, holds in holding.items() if holds}

    def observed(self, since, expected_ids):
        """Returns the content of the state directory as seen from outside the gateway."""
        # Sorted. Conditions and the count of unsent messages are no state. Open alarms are compared separately: the
        # press of each round opens another one.
        lines = self.ask(verb='status')['lines']
        kept = [line for line in lines
                if ('accepted' in line or '140' in line) and not line.startswith(('[', 'OPEN ALARM'))]
        day = 86_400_000
        now = int(time.time() * 1000)
        page = self.ask(verb='history', person=PERSON, kind='heart-rate', resolution='raw', **{
            'from': now - day, 'to': now + day})
        arrived = {e.get('id') for e in self.find(lambda e: e['source'] == 'broker', since)}
        alarms = self.run('alarms', 'list')
        return {
            'status': sorted(kept),
            'history': len(json.dumps(page.get('history', {}).get('samples', page.get('history')))),
            'missing messages': len(expected_ids - arrived),
            'open alarm': any('maria' in line and 'OPEN' in line for line in alarms) or bool(self.find(
                lambda e: e['source'] == 'feed' and e.get('person') == PERSON and e['event'] in (
                    'alarm', 'dispatch'), since)),
            'records': sum(PERSON in line for line in alarms),
            'key': self.run('contract', 'keys'),
            'wearables': [line for line in self.run('devices', 'list') if BELT in line][:1] != [],
            'runs': self.ask(verb='runs', subject='walk', kind='runners')['lines'],
            'passings': [line.split(', SHA')[0] for line in self.run('passings', 'verify')],
        }

    def until_witness_is_back(self):
        """Waits until the witness is connected again after the broker was stopped."""
        since = self.mark()
        for _ in range(100):
            subprocess.run(['mosquitto_pub', '-p', str(self.services.broker.port), '-t', READY_TOPIC, '-m', '{}'],
                           check=True, timeout=20)
            with contextlib.suppress(NotSeen):
                return self.until('the witness', lambda e: e.get('topic') == READY_TOPIC, since, 0.3)
        raise NotSeen('the witness after the broker was away')

    def run(self, *words):
        return subprocess.run(
            [str(self.program), *words, '--config', str(self.settings)], capture_output=True, text=True,
            timeout=PATIENCE_SECONDS).stdout.splitlines()


def fill(rig, templates):
    """Lets the daemon make two full state directories: one after a kill, and one after a stop."""
    rig.command(type='heartbeat-interval', seconds=120)
    rig.command(type='thresholds', person=PERSON, kind='heart-rate', high=125)
    rig.command(type='run-leave', run='walk', bibs=[18])
    for bpm in range(60, 100):
        rig.send(bpm)
    # An ended alarm, for the journal.
    since = rig.mark()
    rig.send(150)
    rig.until('the call', lambda e: e.get('topic') == TOPIC and e.get('state') == 'confirmed', since)
    rig.ask(verb='resolve', by='Anna')
    rig.send(72)
    wait_for_file(rig.state / 'history.sqlite')
    rig.ask(verb='history', person=PERSON, kind='heart-rate', resolution='raw', **{'from': 0, 'to': 1})
    rig.services.broker.stop()
    for bpm in range(60, 90):
        rig.send(bpm)
    since = rig.mark()
    rig.send(150)
    rig.until('the alarm', lambda e: e['source'] == 'feed' and e['event'] == 'alarm', since)
    wait_for_file(rig.state / 'alarms.json')
    # After this time the gathered readings are on the disk.
    time.sleep(3)
    rig.kill_gateway()
    shutil.copytree(rig.state, templates / 'killed')
    rig.spawn_gateway()
    rig.wait_until_followed(rig.mark())
    rig.gateway.process.send_signal(signal.SIGTERM)
    rig.gateway.process.wait(timeout=20)
    shutil.copytree(rig.state, templates / 'stopped')


def wait_for_file(path):
    end = time.monotonic() + PATIENCE_SECONDS
    while not path.exists():
        if time.monotonic() > end:
            raise NotSeen(f'{path}')
        time.sleep(0.05)


# ---- damages -------------------------------------------------------------------------------

def cut(size):
    return lambda path: os.truncate(path, size)


def flip(offset, bits):
    def change(path):
        with open(path, 'r+b') as file:
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ bits]))
    return change


def garbage(random):
    return lambda path: path.write_bytes(random.randbytes(700))


def nested(path):
    path.write_bytes(b'[' * 20_000)


def directory(path):
    path.unlink()
    path.mkdir()


def unreadable(path):
    path.chmod(0)


def damages(path, random, flips):
    size = path.stat().st_size
    yield 'missing', pathlib.Path.unlink
    yield 'a directory', directory
    yield 'unreadable', unreadable
    yield 'garbage', garbage(random)
    yield 'nested', nested
    if size == 0:
        return
    lines = [at + 1 for at, byte in enumerate(path.read_bytes()) if byte == 10]
    # The worst cut leaves a well-formed rest.
    sizes = {0, 1, size // 2, size - 1, *random.sample(lines, min(len(lines), 3)), *(
        min(size - 1, 32 + 4120 * random.randrange(1, 30)) if path.name.endswith('-wal') else random.randrange(size)
        for _ in range(3))}
    for length in sorted(sizes - {size}):
        yield ('emptied' if length == 0 else f'cut to {length} of {size}'), cut(length)
    for offset in sorted({0, size - 1, *(random.randrange(size) for _ in range(flips))}):
        bits = random.choice([1, 2, 4, 8, 16, 32, 64, 128, 255])
        yield f'byte {offset} of {size} with bits {bits:#x} flipped', flip(offset, bits)


def plan(templates, chance, flips, only):
    for template in ('killed', 'stopped'):
        for path in sorted((templates / template).iterdir()):
            if only and path.name != only:
                continue
            if template == 'stopped' and not path.name.endswith(('.sqlite', '.json', '.jsonl', '.inbox')):
                continue
            for name, change in damages(path, chance, flips):
                yield template, path.name, name, change


# ---- rounds --------------------------------------------------------------------------------

def start_over(rig, templates, template):
    shutil.rmtree(rig.state)
    shutil.copytree(templates / template, rig.state)


def play(rig, expected, ids, unprivileged=False):
    """Starts the gateway on the present state directory.

    Returns the problem or None, the raised health conditions of damage, and the observations.
    """
    since = rig.mark()
    rig.is_unprivileged = unprivileged
    rig.spawn_gateway()
    try:
        try:
            rig.wait_until_followed(since)
            rig.press()
            rig.until('the call', lambda e: (
                e.get('topic', '').endswith(f'/sos/{OTHER}') and e.get('state') == 'confirmed'), since, 12)
        except (NotSeen, OSError) as problem:
            code = rig.gateway.process.poll()
            return f'no help (exit {code}): {problem}', set(), None
        end = time.monotonic() + (8 if expected else 4)
        while True:
            told = {c for c in rig.conditions(since) if c[0] in DAMAGE}
            seen = rig.observed(since, ids)
            if expected is None:
                if time.monotonic() > end and seen['missing messages'] == 0:
                    return None, told, seen
            elif told or seen == expected:
                return None, told, seen
            elif time.monotonic() > end:
                lost = {key: (expected[key], seen[key]) for key in seen if seen[key] != expected[key]}
                return f'lost without a word: {lost}', told, seen
            time.sleep(0.2)
    finally:
        rig.kill_gateway()
        rig.seen_of_last = rig.find(lambda e: True, since)


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.damaged_state', description=__doc__.split('\n')[0])
    parser.add_argument('--gateway', type=pathlib.Path, default=GATEWAY_PROGRAM)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--flips', type=int, default=6, help='bytes flipped of each file, one a round')
    parser.add_argument('--rounds', type=int, help='at most so many, chosen at random')
    parser.add_argument('--only', help='the name of one file')
    parser.add_argument('--quick', action='store_true', help='20 rounds')
    options = parser.parse_args()
    unwind_on_signals()
    chance = random.Random(options.seed)
    with DamagedHouse(options.gateway.resolve()) as rig:
        templates = rig.directory / 'templates'
        templates.mkdir()
        fill(rig, templates)
        print('state directory:', ' '.join(sorted(path.name for path in (templates / 'killed').iterdir())))
        rig.services.broker.start()
        rig.until_witness_is_back()
        rounds = list(plan(templates, chance, options.flips, options.only))
        limit = 20 if options.quick else options.rounds
        if limit and limit < len(rounds):
            rounds = chance.sample(rounds, limit)
        expected, ids = {}, {}
        for template in ('killed', 'stopped'):
            # Twice: the first start gives the ids of the messages.
            start_over(rig, templates, template)
            problem, told, seen = play(rig, None, set())
            ids[template] = {e['id'] for e in rig.seen_of_last if (
                e['source'] == 'broker' and e.get('id') and '/samples' in e['topic'])}
            start_over(rig, templates, template)
            problem, told, expected[template] = play(rig, None, ids[template])
            if problem or told:
                print(f'{template}, undamaged: {problem}, told {told}')
                return 1
            print(f'{template}: {len(ids[template])} messages wait, {json.dumps(expected[template])[:600]}')
        broken: list[tuple[str, ...]] = []
        silent: list[tuple[str, ...]] = []
        healed = 0
        begun = time.monotonic()
        for number, (template, name, kind, change) in enumerate(rounds, 1):
            start_over(rig, templates, template)
            change(rig.state / name)
            problem, told, _ = play(rig, expected[template], ids[template], unprivileged=kind == 'unreadable')
            healed += not problem and not told
            words = ', '.join(sorted(f'{code} {subject or ""}'.strip() for code, subject in told)) or 'nothing lost'
            print(f'{number}/{len(rounds)} {template} {name} {kind}: {problem or words}', flush=True)
            if problem:
                (silent if problem.startswith('lost') else broken).append((template, name, kind, problem))
                log = (rig.directory / 'gateway.log').read_text(errors='replace').splitlines()
                print('    ' + '\n    '.join(log[-12:]))
        print(f'{len(rounds)} rounds in {time.monotonic() - begun:.0f} s: {len(broken)} without help, '
              f'{len(silent)} silent losses, {healed} without a loss')
        for round in broken + silent:
            print('  ', *round)
        return 1 if broken or silent else 0


if __name__ == '__main__':
    sys.exit(main())
