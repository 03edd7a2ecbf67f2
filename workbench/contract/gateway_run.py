"""A run of the gateway in which everything happens that the contract describes, at a real broker."""
import base64
import contextlib
import functools
import json
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
import traceback
import uuid
from datetime import UTC, datetime, timedelta

import jwt
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from workbench import gateway_settings as settings
from workbench import gathered, house
from workbench.contract import consent_ledger as ledger
from workbench.contract import sealed
from workbench.contract.document import CONTRACT, claims, load, refused
from workbench.house import House
from workbench.issuer import KEY_ID as ISSUER_KEY_ID
from workbench.issuer import Issuer
from workbench.parts import make_recording
from workbench.parts.child import Child
from workbench.parts.interruption import unwind_on_signals
from workbench.witness import READY_TOPIC

ROOT = f'trackme/v1/{house.GATEWAY}'
ACCEPTED = f'{house.TOPIC}/accepted'
COMMANDS, RECEIPTS, DESK = f'{ROOT}/commands', f'{ROOT}/receipts', f'{ROOT}/desk'
PARTY = 'clinic'
SHARED = f'{ROOT}/parties/{PARTY}/{house.PERSON}/heart-rate'
# The number of the ledger entry of the grant.
GRANT = 4
# A party with a registered key, and a party that receives FHIR.
KEYED, KEY_ID, KEY = 'doctor', '2026-a', X25519PrivateKey.generate()
FHIR = 'hospital'
RUN, BIB = 'walk', 17
# A window longer than the 4.5 s until the early notice: the gateway then sends `pending` and `confirmed`.
PACE = house.Pace(readings=1, gap=0, within=2.0, window=6)


def is_condition(code, raised, event):
    return event['source'] == 'feed' and event.get('code') == code and event['raised'] is raised


def as_sent(event):
    """Returns the payload of a reading that was seen."""
    added = ('topic', 'event', 'source', 'seen_ns', 'start')
    return {name: value for name, value in event.items() if name not in added}


class ContractHouse(House):
    """A house with a witness that also records QoS and retain flag of each message."""

    def write_settings(self):
        super().write_settings()
        self.replace_settings(
            ('unsigned_acceptances = true\n', ''),
            ('[gateway]\n', '[gateway]\nheartbeat_seconds = 10\nlog_level = "debug"\n'),
            ('[person.sos]\n', '[person.sos]\nearly_notice = true\ncarers = ["mqtt"]\n'),
            ('[[person]]\n', '[[person]]\ncarries_box = true\n'))
        key = {'kid': KEY_ID, 'x25519': base64.b64encode(KEY.public_key().public_bytes_raw()).decode()}
        kinds = ['heart-rate', 'limits', 'location', 'profile-height']
        ledger.write(self.state, house.GATEWAY, [
            *ledger.granted(house.PERSON, PARTY, 'r1', kinds),
            *ledger.grant(house.PERSON, {'id': KEYED, 'name': 'A doctor', 'sealing': key}, 'r2', kinds),
            *ledger.grant(house.PERSON, {'id': FHIR, 'name': 'A hospital'}, 'r3', kinds[:1], format='fhir')])

    def write_run(self):
        """Writes a race along the walk that the satellite receiver repeats, with a checkpoint every few metres.

        The carrier of the box is a participant, and 100 m from the start when the walk begins.
        """
        folder = self.directory / 'runs.d'
        folder.mkdir()
        walk = [make_recording.walk(epoch)[:2] for epoch in range(0, make_recording.EPOCHS, 5)]
        (latitude, longitude), (north, east) = walk[0], (walk[1][0] - walk[0][0], walk[1][1] - walk[0][1])
        steps = 100 / (make_recording.SPEED_M_S * 5)
        points = [(latitude - north * steps, longitude - east * steps), *walk]
        track = ''.join(f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"/>' for latitude, longitude in points)
        (folder / 'walk.gpx').write_text(
            f'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{track}</trkseg></trk></gpx>',
            encoding='utf-8')
        now = datetime.now(UTC)
        (folder / 'walk.toml').write_text(
            settings.section('', id=RUN, title='A walk', end=(now + timedelta(hours=1)).isoformat(), course='walk.gpx')
            + settings.section('[[waves]]', id='all', start=(now - timedelta(minutes=3)).isoformat())
            + settings.section('[[checkpoints]]', id='bench', distances_m=list(range(104, 148, 4)))
            + settings.section('[[participants]]', bib=BIB, carries=house.GATEWAY)
            + settings.section('[[participants]]', bib=BIB + 1), encoding='utf-8')

    def more_settings(self):
        issuer = Issuer(self.directory)
        self.issuer = issuer.pem.read_text(encoding='ascii')
        return (
            settings.commands(issuer.jwks, desk=True) + settings.section('[sos]', notice_after_seconds=5)
            + settings.section('[location]', sample_seconds=10)
            + settings.section('[race]', runs_directory=f'{self.directory}/runs.d'))

    def tell_in_fhir(self):
        """Selects FHIR from the next start on; messages in the outbox keep their form."""
        self.replace_settings(('[broker]\n', '[broker]\nreadings = "fhir"\n'))

    def tell_singly(self):
        """Selects one message for each reading from the next start on."""
        self.replace_settings(('[broker]\n', '[broker]\ngather_milliseconds = 0\n'))

    def signed(self, example):
        """Returns the example for the present time and this gateway, and its signed form."""
        now = time.time()
        fresh = {**example, 'aud': house.GATEWAY, 'iat': int(now), 'exp': int(now) + 300,
                 'jti': str(uuid.uuid4()), 'seq': int(now * 1_000)}
        return fresh, jwt.encode(fresh, self.issuer, 'EdDSA', {'kid': ISSUER_KEY_ID, 'typ': 'trackme-command+jwt'})

    def accepted(self, claims):
        """Returns the claims of an acceptance, or any JSON, signed as the service does."""
        return self.jws(claims, 'trackme-acceptance+jwt')

    def desk_status(self, claims):
        return self.jws(claims, 'trackme-desk+jwt')

    def jws(self, claims, type):
        return jwt.api_jws.encode(
            json.dumps(claims).encode(), self.issuer, 'EdDSA', {'kid': ISSUER_KEY_ID, 'typ': type})

    def start_witness(self):
        self.publish(READY_TOPIC, '{}', '-r')
        since = self.mark()
        # QoS 2 is granted, so each message keeps the QoS, and by MQTT 5 the flag, that it was published with.
        self.follow_witness([
            'mosquitto_sub', '-p', self.services.broker.port, '-V', '5', '--retain-as-published', '-q', '2',
            '-t', 'trackme/v1/#', '-F', '%j'])
        self.until('the witness listens', lambda e: e.get('topic') == READY_TOPIC, since)

    def witness_lines(self, pipe):
        for line in pipe:
            message = json.loads(line)
            if message['topic'] in (COMMANDS, RECEIPTS):
                yield {'topic': message['topic'], 'message': message}
                continue
            with contextlib.suppress(ValueError):
                payload = json.loads(message['payload'])
                yield {**(payload if isinstance(payload, dict) else {}), 'topic': message['topic'], 'message': message}
                if gathered.is_gathered(payload):
                    for topic, reading in gathered.readings(message['topic'], payload):
                        yield {**reading, 'topic': topic}

    def publish(self, topic, payload, *options):
        subprocess.run(
            ['mosquitto_pub', '-p', str(self.services.broker.port), '-q', '1', '-t', topic, '-m', payload, *options],
            check=True, timeout=house.PATIENCE_SECONDS)

    def run_command(self, *words):
        subprocess.run(
            [self.program, *words, '--config', self.settings], check=True, timeout=house.PATIENCE_SECONDS,
            stdout=subprocess.DEVNULL)

    def message(self, topic, since=0, **members):
        """Waits for the first message at the broker with these members."""
        return self.until(f'{topic} {members}', lambda e: (
            e['source'] == 'broker' and e['topic'] == topic
            and all(e.get(name) == value for name, value in members.items())), since)

    @property
    def messages(self):
        """The messages of the gateway at the broker, without those that were sent to it."""
        return [e['message'] for e in self.find(lambda e: (
            e['source'] == 'broker' and 'message' in e and e['topic'] not in (READY_TOPIC, ACCEPTED, COMMANDS)))]

    def log_count(self, text):
        return (self.directory / 'gateway.log').read_text(encoding='utf-8', errors='replace').count(text)


class Consumer:
    """The program of a consumer in docs/contract/README.md, word for word."""

    def __init__(self, house):
        self.house, self.lines = house, []
        text = (CONTRACT / 'README.md').read_text(encoding='utf-8')
        [self.program] = re.findall(r'```python\n(.*?)```', text, re.S)
        self.child = None

    def start(self):
        self.child = Child(
            [sys.executable, '-u', '-c', self.program, '127.0.0.1', self.house.services.broker.port],
            stdout=subprocess.PIPE)
        threading.Thread(target=self.follow, args=(self.child.stdout,), daemon=True).start()

    def follow(self, pipe):
        for line in pipe:
            self.lines.append(line.decode())

    def stop(self):
        if self.child:
            self.child.stop()

    def has(self, id):
        return any(id in line for line in self.lines)

    def wait_for(self, id, again=lambda: None):
        end = time.monotonic() + house.PATIENCE_SECONDS
        while not self.has(id):
            if time.monotonic() > end:
                raise house.NotSeen(f'the consumer of README.md does not tell of {id}: {self.lines[-3:]}')
            again()
            time.sleep(0.1)


class Run:
    def __init__(self, document, program):
        self.document, self.program = document, program
        self.received = set()

    def problems(self):
        # Debian's Python and its packages come first for programs that the house starts by name.
        os.environ['PATH'] = f'/usr/bin:{os.environ["PATH"]}'
        unwind_on_signals()
        with ContractHouse(self.program, PACE, gpsd=True) as self.house:
            self.consumer = Consumer(self.house)
            try:
                self.live()
            except Exception:
                log = (self.house.directory / 'gateway.log').read_text(encoding='utf-8', errors='replace')
                return [traceback.format_exc(), *log.splitlines()[-30:]]
            finally:
                self.consumer.stop()
            return self.of_messages() + self.of_channels() + self.of_consumer()

    def live(self):
        """Makes the gateway send and accept each kind of message at least once."""
        house_ = self.house
        ready = json.dumps({'id': 'the consumer listens'})
        self.consumer.start()
        self.consumer.wait_for('the consumer listens', lambda: house_.publish(
            'trackme/v1/elsewhere/heartbeat', ready))
        house_.seen[:] = [e for e in house_.seen if 'elsewhere' not in e.get('topic', '')]
        acceptances = sorted((CONTRACT / 'examples' / 'accepted').glob('*.json'))
        house_.send(house.CALM)
        house_.message(SHARED, party=PARTY, grant=GRANT)
        for kind in ('limits', 'location', 'profile-height'):
            house_.message(SHARED.replace('heart-rate', kind), party=PARTY, grant=GRANT)
            house_.message(SHARED.replace(PARTY, KEYED).replace('heart-rate', kind), kid=KEY_ID)
        alarm = self.emergency()
        self.refuse()
        self.accept(alarm, load(acceptances[0]))
        house_.run_command('abort', '--by', 'Maria')
        house_.message(house.TOPIC, state='cancelled', alarm=alarm)
        house_.send(house.CALM)
        for acceptance in acceptances[1:]:
            self.accept(self.drill(), load(acceptance))
        drill = self.drill()
        house_.run_command('resolve', '--by', 'Anna')
        house_.message(house.TOPIC, state='resolved', alarm=drill, drill=True)
        self.ask(load(CONTRACT / 'examples' / 'command' / 'request.json'))
        house_.message(f'{ROOT}/heartbeat')
        self.desk()
        self.away()
        # The strap is silent for 5 s then, and 5 s later that is told.
        house_.message(f'{ROOT}/notices/{house.PERSON}', phase='began', matter='unwatched strap')
        # Not before: the gateway repeats passings after a kill, and a consumer that was away does not know them.
        self.walk()
        house_.kill_gateway()
        house_.message(f'{ROOT}/status', state='offline')
        told = house_.messages
        self.leave_unsent()
        house_.tell_in_fhir()
        house_.start_gateway()
        for topic in (f'{ROOT}/samples/{house.PERSON}/heart-rate', SHARED):
            house_.message(f'{topic}/gap', reason='age')
        house_.send(house.CALM)
        house_.message(f'{ROOT}/samples/{house.PERSON}', resourceType='Bundle')
        house_.message(SHARED.replace(PARTY, KEYED), kid=KEY_ID)
        house_.message(SHARED.replace(PARTY, FHIR), resourceType='Observation')
        house_.kill_gateway()
        house_.tell_singly()
        since = house_.mark()
        house_.start_gateway()
        house_.send(house.CALM + 2)
        house_.message(f'{ROOT}/samples/{house.PERSON}/heart-rate', since, resourceType='Observation')
        house_.message(SHARED, since, value=house.CALM + 2)
        house_.message(SHARED.replace(PARTY, FHIR), since, resourceType='Observation')
        self.messages = house_.messages
        # Without the backlog: a broker limits the queue of a slow client.
        self.told = told

    def emergency(self):
        since = self.house.mark()
        self.house.send(house.RACING)
        alarm = self.house.message(house.TOPIC, since, state='pending')['alarm']
        self.house.message(house.TOPIC, since, state='confirmed', alarm=alarm)
        return alarm

    def drill(self):
        since = self.house.mark()
        self.house.run_command('drill', '--person', house.PERSON, '--by', 'Anna')
        return self.house.message(house.TOPIC, since, state='confirmed', drill=True)['alarm']

    def refuse(self):
        """An invalid acceptance ends no alarm, and the gateway reports it."""
        said = 'acceptance refused'
        tokens = {path.name: self.house.accepted(load(path)) for path in refused()}
        # Valid in form, and unsigned.
        tokens['unsigned'] = json.dumps(load(CONTRACT / 'examples' / 'accepted' / 'operator.json'))
        for number, (name, token) in enumerate(tokens.items(), self.house.log_count(said) + 1):
            self.house.publish(ACCEPTED, token)
            end = time.monotonic() + house.PATIENCE_SECONDS
            while self.house.log_count(said) < number:
                if time.monotonic() > end:
                    raise house.NotSeen(f'the gateway does not refuse {name}')
                time.sleep(0.05)
        if self.house.find(lambda e: e['source'] == 'feed' and e['event'] == 'accepted'):
            raise house.NotSeen('an alarm that goes on: the gateway took what it should refuse')

    def accept(self, alarm, example):
        """Publishes the acceptance of an example for a real alarm, with the id in the example's case."""
        id = alarm.upper() if example['alarm'].isupper() else alarm
        answer = {**example, 'aud': house.GATEWAY, 'person': house.PERSON, 'alarm': id}
        channel = self.document.channel_of(ACCEPTED)
        if wrong := channel.problem(answer):
            raise house.NotSeen(f'a valid acceptance: {wrong}')
        self.house.publish(ACCEPTED, self.house.accepted(answer))
        self.house.until('the acceptance in the feed', lambda e: (
            e['source'] == 'feed' and e['event'] == 'accepted' and e['alarm'] == alarm and e['by'] == example['by']))
        self.received |= {(channel.name, form.name) for form in channel.forms}

    def ask(self, example):
        """Publishes the command of an example and waits for its receipt."""
        command, token = self.house.signed(example)
        channel = self.document.channel_of(COMMANDS)
        if wrong := channel.problem(command):
            raise house.NotSeen(f'a valid command: {wrong}')
        since = self.house.mark()
        self.house.publish(COMMANDS, token)
        self.house.until('the receipt', lambda e: (
            e['source'] == 'broker' and e['topic'] == RECEIPTS
            and claims(e['message']['payload']).get('re') == command['jti']), since)
        self.received |= {(channel.name, form.name) for form in channel.forms}

    def desk(self):
        """Publishes the statuses of a desk that nobody is at, and then somebody."""
        channel = self.document.channel_of(DESK)
        # The time of each is later than that of the one before.
        for later, state in enumerate(('unattended', 'attended')):
            example = load(CONTRACT / 'examples' / 'desk' / f'{state}.json')
            status = {**example, 'aud': house.GATEWAY, 'iat': int(time.time()) + later}
            if wrong := channel.problem(status):
                raise house.NotSeen(f'a valid status of the desk: {wrong}')
            since = self.house.mark()
            self.house.publish(DESK, self.house.desk_status(status))
            raised = state == 'unattended'
            self.house.until(f'the desk {state}', functools.partial(is_condition, 'desk-unattended', raised), since)
        self.received |= {(channel.name, form.name) for form in channel.forms}

    def away(self):
        """Messages of the consumer's absence are queued for it; it prints a repeated message once."""
        self.consumer.stop()
        self.house.send(house.CALM + 1)
        sample = self.house.message(f'{ROOT}/samples/{house.PERSON}/heart-rate', value=house.CALM + 1)
        self.consumer.start()
        self.consumer.wait_for(sample['id'])
        twice = next(m for m in self.house.messages if sample['id'] in m['payload'])
        last = {**as_sent(sample), 'id': '019caa1b-3c40-7d10-8a01-5f0c3a9effff'}
        self.house.publish(twice['topic'], twice['payload'])
        self.house.publish(sample['topic'], json.dumps(last))
        self.consumer.wait_for(last['id'])

    def walk(self):
        """Carries the box past a checkpoint, from the beginning of the walk on."""
        beginning = make_recording.walk(6)[0]
        self.house.until('the beginning of the walk', lambda e: (
            e['source'] == 'feed' and e['event'] == 'position' and e['latitude'] < beginning),
            self.house.mark(), seconds=make_recording.EPOCHS + 20)
        self.house.write_run()
        self.house.run_command('runs', 'reload')
        self.house.message(f'{ROOT}/runs/{RUN}/positions', bib=BIB, next_checkpoint='bench')
        self.house.message(f'{ROOT}/runs/{RUN}/passings', bib=BIB, method='gps-line')
        self.house.run_command('race', 'correct', '--run', RUN, '--bib', str(BIB), '--mark', 'dnf', '--by', 'Anna',
                               '--reason', 'stopped at the bench')
        self.house.message(f'{ROOT}/runs/{RUN}/corrections', bib=BIB, act='dnf', number=1)
        leave = load(CONTRACT / 'examples' / 'command' / 'run-leave.json')
        self.ask({**leave, 'cmd': {**leave['cmd'], 'run': RUN, 'bibs': [BIB + 1]}})
        self.house.message(f'{ROOT}/runs/{RUN}/runners', bib=BIB + 1, event='left')

    def leave_unsent(self):
        """Adds readings from 100 days ago to the outbox, which keeps 90 days, as after a long time without power.

        There are more than the gateway loads at once: it still sends those, and gives up the rest.
        """
        sample = self.house.message(f'{ROOT}/samples/{house.PERSON}/heart-rate', value=house.CALM)
        payload = as_sent(sample)
        age_ms = round((time.time() - 100 * 86_400) * 1_000)
        # The id, a UUID of version 7, has the time of a reading.
        start = age_ms.to_bytes(6) + uuid.UUID(payload['id']).bytes[6:14]
        with contextlib.closing(sqlite3.connect(self.house.state / 'outbox.sqlite')) as outbox, outbox:
            for first, topic, share, (discloses, *of) in (
                    (0, sample['topic'], {}, ('readings', None, None)),
                    (5_000, SHARED, {'party': PARTY, 'grant': GRANT}, ('share', PARTY, GRANT))):
                ids = [uuid.UUID(bytes=start + number.to_bytes(2)) for number in range(first, first + 5_000)]
                outbox.executemany(
                    'INSERT INTO message SELECT ifnull(max(place), 0) + 1, ?, 1, ?, ?, ?, ?, ?, ?, 0, ?, ?, NULL, '
                    'NULL, NULL, NULL FROM message',
                    [(id.bytes, 'sample', discloses, house.PERSON, 'heart-rate', topic,
                      json.dumps({**payload, **share, 'id': str(id)}).encode(), *of) for id in ids])
            # Counts as a transaction of the gateway.
            [(transactions,)] = outbox.execute('PRAGMA user_version')
            outbox.execute(f'PRAGMA user_version = {transactions + 1}')

    # ---- problems ----------------------------------------------------------------------

    def of_messages(self):
        """The messages, with the content of the sealed ones beside them."""
        messages = self.messages + [self.unsealed(message) for message in self.messages if KEYED in message['topic']
                                    and not message['topic'].endswith('/gap')]
        return [found for message in messages for found in self.document.problems_of_message(message)]

    def unsealed(self, message):
        plain = sealed.program()(message['topic'], message['payload'], {KEY_ID: KEY})
        return {**message, 'payload': json.dumps(plain)}

    def of_channels(self):
        """Returns the channels and forms without a message."""
        seen = {(channel.name, channel.form_of(channel.read(message['payload'])).name) for message in self.messages
                if (channel := self.document.channel_of(message['topic']))} | self.received
        return [f'{form.name} was never seen on {channel.name}' for channel in self.document.channels
                for form in channel.forms if (channel.name, form.name) not in seen]

    def of_consumer(self):
        problems = []
        sent = {body['id'] for message in self.told
                if not message['topic'].endswith(('/status', '/receipts')) and '/parties/' not in message['topic']
                for _, body in gathered.readings(message['topic'], json.loads(message['payload']))}
        for id in sorted(sent):
            count = sum(f"'id': '{id}'" in line for line in self.consumer.lines)
            if count != 1:
                problems.append(f'the consumer of README.md told {count} times of {id}')
        return problems
