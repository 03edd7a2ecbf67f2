"""Hostile inputs for the real daemon, through its real sockets and files, as a table.

    python3 -m workbench.hostile_inputs [--gateway PROGRAM] [--seconds N] [--seed N] [--only ENTRY]

Each entry gets the same share of the seconds (default 120). The daemon must survive every input, and must then
still answer and call for help. An input that ends it is kept in Tests/Fuzz/crashes/ENTRY. Ends with 0 when the daemon
survived all inputs.
"""
import argparse
import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from workbench import gateway_settings as settings
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM, ROOT
from workbench.services import Services

GATEWAY, PERSON = 'house-12', 'maria'
BASE = f'trackme/v1/{GATEWAY}'
ALARM = '0190c3a2-0000-7000-8000-000000000000'
PATIENCE_SECONDS = 40   # for a busy machine to start something; no measured duration comes near it
WORDS = [
    b'[', b']', b'{', b'}', b',', b':', b'"', b'\\', b'\\ud800', b'null', b'-1', b'1e999', b'9223372036854775808',
    b'{"a":', b'\x00', b'\xff', b'\xef\xbb\xbf', b'\n', b'.', b'=']
EDGES = [0, 1, -1, 2**63 - 1, -2**63, 2**63, -2**63 - 1, 2**64]
TIMES = [1, 1, 1, 1, 2, 8, 32, 33, 128, 129, 255, 256, 512, 513, 514, 1024]


class Died(Exception):
    """The daemon ended. The text says how."""


def mutated(chance, seeds, most=65_000):
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.randint(1, 6)):
        place = chance.randint(0, len(data))
        kind = chance.randrange(7)
        if kind == 0 and data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        elif kind == 1 and data:
            data[chance.randrange(len(data))] = chance.randrange(256)
        elif kind == 2:
            del data[place:place + chance.randint(1, 40)]
        elif kind == 3:
            del data[place:]
        elif kind == 4:
            data[place:place] = chance.randbytes(chance.randint(1, 12))
        elif kind == 5:
            data[place:place] = chance.choice(WORDS) * chance.choice(TIMES)
        else:
            data[place:place] = data[place:place + chance.randint(1, 60)]
    return bytes(data[:most])


def edged(chance, seeds):
    """Puts the edges of 64 bits into the numbers of a request."""
    return re.sub(rb'(?<=:)-?\d+', lambda _: b'%d' % chance.choice(EDGES), chance.choice(seeds))


# ---- MQTT, as few packets as are needed --------------------------------------------------

def length(number):
    out = bytearray()
    while True:
        number, low = divmod(number, 128)
        out.append(low | (128 if number else 0))
        if not number:
            return bytes(out)


def packet(head, body):
    return bytes([head]) + length(len(body)) + body


def text(words):
    words = words.encode()
    return struct.pack('>H', len(words)) + words


def publish(topic, payload, version5=False, identifier=None):
    body = text(topic) + (struct.pack('>H', identifier) if identifier else b'') + (b'\0' if version5 else b'') + payload
    return packet(0x32 if identifier else 0x30, body)


class Publisher:
    """A client of version 3.1.1 that only publishes, with QoS 0."""

    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port), PATIENCE_SECONDS)
        name = f'fuzz-{os.getpid()}-{time.monotonic_ns()}'
        self.socket.sendall(packet(0x10, text('MQTT') + b'\x04\x02\0\0' + text(name)))
        if self.socket.recv(4)[:1] != b'\x20':
            raise SystemExit('the broker takes no publisher')

    def send(self, topic, payload):
        self.socket.sendall(publish(topic, payload))


# ---- The house ---------------------------------------------------------------------------

class AttackedGateway:
    """The daemon and its peers, in a directory of its own."""

    def __init__(self, program, services, broker_port, gpsd_port=None):
        self.program, self.services = program, services
        self.broker_port, self.gpsd_port = broker_port, gpsd_port
        self.process: Any = None
        self.read = 0

    def __enter__(self):
        # In memory, where the gateway records its present input.
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix='homegateway-fuzz.', dir='/dev/shm'))
        self.state = self.directory / 'state'
        self.state.mkdir()
        self.socket = self.directory / 'control.sock'
        self.key()
        self.settings().write_text(self.text())
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.directory)

    def settings(self):
        return self.directory / 'gateway.toml'

    def key(self):
        """Writes a pinned issuer. Its private key does not exist."""
        (self.directory / 'issuer.jwks').write_text(json.dumps({'keys': [{
            'kty': 'OKP', 'crv': 'Ed25519', 'kid': '2026-1', 'x': '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'}]}))

    def text(self):
        return (
            settings.house(GATEWAY, self.directory, self.broker_port, unsigned_acceptances=False)
            + settings.section('[bluetooth]', bus=self.services.bus.address)
            + settings.section('[gpsd]', **({'port': self.gpsd_port} if self.gpsd_port else {'enabled': False}))
            + settings.commands(self.directory / 'issuer.jwks', desk=True) + settings.consenting(PERSON, 'Maria Rossi')
            + settings.section('[person.sos]', abort_window_seconds=0.5)
            + settings.section('[person.sos.oxygen_saturation]', enabled=False)
            + settings.wearable('strap', 'C0:FF:EE:00:00:01', PERSON))

    def start(self):
        self.log = open(self.directory / 'log', 'ab')   # noqa: SIM115 (`stop` closes it)
        self.process = subprocess.Popen(
            [self.program, 'run', '--config', self.settings()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=self.log, env={**os.environ, 'SWIFT_BACKTRACE': 'enable=no'})
        self.answer()

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.log.close()
            self.process = None

    def check(self):
        code = self.process.poll()
        if code is not None:
            raise Died(f'exit {code}: {self.last_line()}')

    def last_line(self):
        lines = (self.directory / 'log').read_text(errors='replace').splitlines()
        return lines[-1][:300] if lines else 'no log'

    def ask(self, line, seconds=PATIENCE_SECONDS):
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(seconds)
            client.connect(str(self.socket))
            client.sendall(line + b'\n')
            answer = b''
            while not answer.endswith(b'\n'):
                piece = client.recv(65_536)
                if not piece:
                    break
                answer += piece
            return answer

    def answer(self):
        """Returns when the daemon answers."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            self.check()
            with contextlib.suppress(OSError):
                if b'homegateway' in self.ask(b'{"verb":"status"}'):
                    return
            time.sleep(0.02)
        raise Died('it runs and does not answer')

    def said(self, words):
        """Returns when the log has these words after the last awaited ones."""
        end = time.monotonic() + PATIENCE_SECONDS
        seen = b''
        with open(self.directory / 'log', 'rb') as log:
            log.seek(self.read)
            while time.monotonic() < end:
                self.check()
                seen += log.read()
                if words.encode() in seen:
                    self.read = log.tell()
                    return
                time.sleep(0.01)
        raise Died(f'it never said: {words}')

    def calls(self):
        """Returns true when a drill still opens an alarm."""
        drill = json.loads(self.ask(json.dumps({'verb': 'drill', 'person': PERSON, 'by': 'fuzz'}).encode()) or b'{}')
        self.check()
        done = drill.get('is_done')
        self.ask(json.dumps({'verb': 'abort', 'person': PERSON, 'by': 'fuzz'}).encode())
        return bool(done) or 'already' in ' '.join(drill.get('lines', []))


class Watch:
    """The inputs that were sent last. When the daemon ends, one of them is the cause."""

    def __init__(self):
        self.recent = []
        self.count = 0

    def add(self, data):
        self.count += 1
        self.recent = self.recent[-31:] + [data]


# ---- The entries -------------------------------------------------------------------------

def broker_messages(program, chance, until, watch):
    """Payloads on the topics of acceptances, of commands and of the desk, through a real broker."""
    command = b'eyJhbGciOiJFZERTQSIsImtpZCI6IjIwMjYtMSIsInR5cCI6InRyYWNrbWUtY29tbWFuZCtqd3QifQ.e30.AAAA'
    desk = b'eyJhbGciOiJFZERTQSIsImtpZCI6IjIwMjYtMSIsInR5cCI6InRyYWNrbWUtZGVzaytqd3QifQ.e30.AAAA'
    seeds = {
        f'{BASE}/sos/{PERSON}/accepted': [f'{{"alarm": "{ALARM}", "by": "Operator 7"}}'.encode(), b'['],
        f'{BASE}/commands': [command, b'{"a":'],
        f'{BASE}/desk': [desk, b'{"state":']}
    with Services(gpsd=False) as services, AttackedGateway(program, services, services.broker.port) as house:
        house.start()
        house.said('/commands')
        publisher = Publisher(services.broker.port)
        for batch in itertools.count():
            if time.monotonic() >= until:
                break
            for _ in range(200):
                topic = chance.choice(list(seeds))
                data = mutated(chance, seeds[topic], 20_000)
                watch.add(data)
                publisher.send(topic, data)
            # A broker drops messages of QoS 0 for a slow client: the next batch waits for the end of this one, an
            # acceptance of unique size.
            publisher.send(f'{BASE}/sos/{PERSON}/accepted', b' ' * (30_000 + batch))
            house.said(f'{30_000 + batch} bytes, expected at most')
            house.answer()
        return house.calls()


def control_requests(program, chance, until, watch):
    """Requests at the socket of programs, and at that of the pages with the session of a person."""
    corrections = [
        b'{"verb":"correct_race","subject":"milan","bib":17,"by":"x","correction":{"act":"undo","number":1}}',
        b'{"verb":"correct_race","subject":"milan","bib":17,"correction":{"act":"add","checkpoint":"finish","time":1,'
        b'"bound_ms":1,"order":1}}']
    seeds = corrections + [
        b'{"verb":"alarms","person":"maria","from":0,"to":1772353800000}', b'{"verb":"scan_devices","seconds":5}',
        b'{"verb":"race","subject":"milan","from":0}',
        b'{"verb":"status"}', f'{{"verb":"abort","alarm":"{ALARM}","by":"Maria"}}'.encode(), b'{"verb":"watch"}',
        b'{"verb":"history","person":"maria","kind":"heart-rate","from":0,"to":1772353800000,"resolution":"raw"}',
        b'{"verb":"exercise","person":"maria","minutes":30}', b'{"verb":"my_data","person":"maria","from":0}',
        b'{"verb":"consents"}', b'{"verb":"consent_history","person":"maria"}', b'{"verb":"runs","kind":"runners"}',
        b'{"verb":"positions","subject":"milan"}', b'{"verb":"drill","person":"maria"}', b'{"verb":"reload"}',
        b'{"verb":"runner_vitals","subject":"milan","bib":17,"by":"clinic"}', b'{"verb":"reload_runs"}',
        b'{"verb":"race_self_test","subject":"tag"}', b'{"verb":"refuse","person":"maria","subject":"r1"}']
    session = b',"session":{"role":"person","person":"maria","name":"a fuzzer"}}'
    sessions = [seed[:-1] + session for seed in seeds]
    with Services(gpsd=False, broker=False) as services, AttackedGateway(program, services, 1) as house:
        house.start()
        while time.monotonic() < until:
            for _ in range(100):
                place = chance.choice([house.socket, house.socket.with_name('console.sock')])
                given = seeds if place == house.socket else sessions
                data = chance.choice([mutated(chance, given, 6_000), edged(chance, given)])
                watch.add(data)
                with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
                    client.settimeout(5)
                    client.connect(str(place))
                    client.sendall(data + b'\n')
                    client.shutdown(socket.SHUT_WR)
                    if chance.random() < 0.5:
                        client.recv(4_096)
            house.answer()
        return house.calls()


class Server:
    """Listens on a port, and passes the connections to `serve`, one after the other."""

    def __init__(self, serve):
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        self.serve = serve
        self.served = 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), connection:
                connection.settimeout(5)
                self.serve(connection)
            self.served += 1


def hostile_broker(program, chance, until, watch):
    """A broker that answers CONNECT with valid packets and with packets that were changed at random."""
    welcome = packet(0x20, b'\0\0' + b'\x06' + b'\x21\0\x14' + b'\x22\0\x0a')
    seeds = [
        welcome, packet(0x90, b'\0\x01\0\x01'), packet(0x40, b'\0\x01'), packet(0x40, b'\0\x01\x10\0'),
        publish(f'{BASE}/sos/{PERSON}/accepted', b'{"alarm":"x","by":"y"}', True, 7),
        publish(f'{BASE}/commands', b'a.b.c', True, 8), packet(0xE0, b'\x8b\x0d\x1f' + text('shutting down')),
        packet(0xF0, b'\x18\0'), packet(0xD0, b''),
        packet(0x62, b'\0\x01'), packet(0x30, text('x') + b'\x02\x01\x01' + b'y'),
        packet(0x20, b'\0\x87\x05\x1f\0\x02no')]

    def serve(connection):
        if not connection.recv(4_096):
            return
        if chance.random() < 0.7:
            connection.sendall(welcome)
        for _ in range(chance.randint(1, 40)):
            data = mutated(chance, seeds, 4_000) if chance.random() < 0.7 else chance.choice(seeds)
            watch.add(data)
            connection.sendall(data)
            time.sleep(0.001)

    server = Server(serve)
    with Services(gpsd=False, broker=False) as services, AttackedGateway(program, services, server.port) as house:
        house.start()
        while time.monotonic() < until:
            served, since = server.served, time.monotonic()
            while server.served < served + 5 and time.monotonic() - since < 3 and time.monotonic() < until:
                time.sleep(0.01)
                house.check()
            house.answer()
            # The daemon's back-off grows: a new daemon begins with short pauses.
            house.kill()
            house.start()
        return house.calls()


def hostile_gpsd(program, chance, until, watch):
    seeds = [
        b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}',
        b'{"class":"TPV","device":"/dev/gps0","mode":3,"time":"2026-03-01T08:30:00.000Z","lat":45.46,"lon":9.19,"altMSL":120.1,"eph":3.2}',
        b'{"class":"PPS","device":"/dev/pps0","real_sec":1772353800,"real_nsec":0,"clock_sec":1772353800,"clock_nsec":9,"precision":-20}',
        b'{"class":"TOFF","device":"/dev/gps0","real_sec":1772353800,"real_nsec":0,"clock_sec":1772353800,"clock_nsec":123}',
        b'{"class":"SKY","satellites":[{"PRN":1,"el":1,"az":2,"ss":3,"used":true}]}',
        b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps0","activated":"2026-03-01T08:30:00.000Z"}]}']

    def serve(connection):
        for _ in range(chance.randint(50, 2_000)):
            data = (mutated(chance, seeds, 12_000) if chance.random() < 0.8 else chance.choice(seeds)) + b'\r\n'
            watch.add(data)
            connection.sendall(data)

    server = Server(serve)
    with Services(gpsd=False, broker=False) as services, AttackedGateway(program, services, 1, server.port) as house:
        house.start()
        while time.monotonic() < until:
            time.sleep(0.2)
            house.answer()
        return house.calls()


def damaged(chance, data):
    """Flips, cuts or empties a file, as memory cards and power cuts do."""
    kind = chance.randrange(6)
    if kind == 0:
        return b''
    if kind == 1:
        return data[:chance.randint(0, len(data))]
    if kind == 2:
        return mutated(chance, [data], 1 << 24)
    out = bytearray(data)
    if kind == 3 and out:
        place = chance.randrange(len(out))
        out[place:place + 4_096] = bytes(min(4_096, len(out) - place))
        return bytes(out)
    for _ in range(chance.choice([1, 1, 8, 64])):
        if out:
            out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def state_files(program, chance, until, watch):
    """Damages each file of the state directory in turn before a start."""
    with Services(gpsd=False) as services, AttackedGateway(program, services, services.broker.port) as house:
        house.start()
        house.said('/commands')
        house.ask(json.dumps({'verb': 'drill', 'person': PERSON, 'by': 'fuzz'}).encode())
        end = time.monotonic() + PATIENCE_SECONDS
        while not (house.state / 'alarms.json').exists() and time.monotonic() < end:
            time.sleep(0.02)
        house.kill()
        sound = house.directory / 'sound'
        shutil.copytree(house.state, sound)
        names = sorted(p.name for p in sound.iterdir() if p.is_file())
        for name in itertools.cycle(names):
            if time.monotonic() >= until:
                break
            shutil.rmtree(house.state)
            shutil.copytree(sound, house.state)
            data = damaged(chance, (sound / name).read_bytes())
            (house.state / name).write_bytes(data)
            watch.add(name.encode() + b'\n' + data)
            house.start()
            house.kill()
        shutil.rmtree(house.state)
        shutil.copytree(sound, house.state)
        house.start()
        return house.calls()


ENTRIES = {
    'broker-messages': broker_messages, 'control-requests': control_requests, 'hostile-broker': hostile_broker,
    'hostile-gpsd': hostile_gpsd, 'state-files': state_files}


def keep(entry, watch):
    folder = ROOT / 'Tests/Fuzz/crashes' / f'daemon-{entry}'
    folder.mkdir(parents=True, exist_ok=True)
    # The daemon dies a moment after the input, so each of the last inputs may be the cause.
    for data in watch.recent:
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def main():
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.hostile_inputs', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM)
    parser.add_argument('--seconds', type=float, default=120)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', choices=ENTRIES)
    arguments = parser.parse_args()
    unwind_on_signals()
    chosen = [arguments.only] if arguments.only else list(ENTRIES)
    deaths = 0
    print(f'{"entry of the daemon":24} {"inputs":>9}  {"deaths":>6}  calls help afterwards', flush=True)
    for entry in chosen:
        watch, chance = Watch(), random.Random(f'{arguments.seed} {entry}')
        until = time.monotonic() + arguments.seconds / len(chosen)
        try:
            calls = ENTRIES[entry](arguments.gateway, chance, until, watch)
            print(f'{entry:24} {watch.count:9}  {0:6}  {"yes" if calls else "NO"}', flush=True)
            deaths += 0 if calls else 1
        except Died as death:
            deaths += 1
            keep(entry, watch)
            print(f'{entry:24} {watch.count:9}  {1:6}  {death}', flush=True)
    sys.exit(1 if deaths else 0)


if __name__ == '__main__':
    main()
