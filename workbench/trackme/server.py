"""The cloud half as a process, with its settings, its keys and its database in one directory."""
import http.cookiejar
import json
import pathlib
import re
import sqlite3
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from typing import Any

from workbench import gateway_settings as settings
from workbench.parts.child import Child
from workbench.parts.port import HOST, free_port

START_SECONDS = 20
OPERATOR = 'Casa della Salute Milano'
DISPATCHER, DISPATCHER_NAME, PASSWORD = 'anna', 'Anna Bianchi', 'a lamp, two rivers, no moon'


class NotServed(Exception):
    """The server did not do what was asked. The text has the reason."""


class TrackMe:
    """A server on a free port. `start` and `kill` may alternate; the database stays."""

    def __init__(
            self, program: pathlib.Path, directory: pathlib.Path, broker_port: int, areas: Sequence[str] = (),
            name: str = HOST) -> None:
        """Makes the keys and writes the settings. `directory` is new.

        `areas`: those of the figures of groups. `name`: of this machine in the server's address.
        """
        self.program, self.directory = program, directory
        self.port = free_port()
        self.origin = f'http://{name}:{self.port}'
        self.settings = directory / 'trackme.toml'
        self.log = directory / 'trackme.log'
        self.child: Child | None = None
        self.kills = 0
        directory.mkdir(mode=0o700)
        self.public_keys = self.run('keys', '--directory', str(directory)).split('\n', 1)[1]
        self.settings.write_text(
            f'listen = "{HOST}:{self.port}"\norigin = "{self.origin}"\noperator = "{OPERATOR}"\n'
            f'issuer_key_file = "{directory}/issuer.jwk"\nmaster_key_file = "{directory}/master.key"\n'
            f'state_directory = "{directory}"\nwebhooks_to_loopback = true\n\n'
            + settings.section('[broker]', host=HOST, port=broker_port, tls=False)
            + (f'\n[groups]\nareas = {json.dumps(list(areas))}\n' if areas else ''), encoding='utf-8')

    def run(self, *words: str, text: str = '') -> str:
        """Runs a command of the server that must succeed, with `text` as its input, and returns its output."""
        done = subprocess.run(
            [self.program, *words], input=text, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            raise NotServed(f'trackme {" ".join(words)}: {done.stdout}{done.stderr}')
        return done.stdout

    def command(self, *words: str, text: str = '') -> str:
        """Runs a command that reads the settings."""
        return self.run(*words, '--config', str(self.settings), text=text)

    def dispatcher(self) -> 'Visitor':
        """Adds a dispatcher, and returns her after she has signed in."""
        self.command('accounts', 'add-dispatcher', DISPATCHER, '--name', DISPATCHER_NAME, text=PASSWORD + '\n')
        visitor = Visitor(self.origin)
        visitor.get('/sign-in')
        visitor.post('/sign-in', user=DISPATCHER, password=PASSWORD)
        return visitor

    def start(self) -> None:
        with open(self.log, 'ab') as log:
            self.child = Child(
                [self.program, 'serve', '--config', self.settings], stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while not self.is_healthy():
            if time.monotonic() > end or not self.child.running:
                raise NotServed(f'it does not answer at {self.origin}: {self.log.read_text()[-2000:]}')
            time.sleep(0.05)

    def is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(self.origin + '/health', timeout=2) as answer:
                return bool(json.load(answer) == {'status': 'ok'})
        except (OSError, ValueError):
            return False

    def kill(self) -> None:
        """Kills the process with SIGKILL."""
        assert self.child
        self.child.kill()
        self.kills += 1

    def stop(self) -> None:
        if self.child:
            self.child.stop()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Reads the database beside the server, as an independent witness."""
        database = sqlite3.connect(f'file:{self.directory}/trackme.sqlite?mode=ro', uri=True, timeout=10)
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()

    def sample_ids(self, gateway: str | None = None) -> list[str]:
        """Returns the IDs of all stored readings, or of those of a house, each as often as it is stored.

        Readings of earlier hours are in blocks after an hour or two, and are not among them.
        """
        of_house = f"WHERE series.gateway = '{gateway}'" if gateway else ''
        found = [bytes(row[0]).hex() for row in self.rows(
            f'SELECT sample.id FROM sample JOIN series ON series.id = sample.series {of_house}')]
        return [f'{i[:8]}-{i[8:12]}-{i[12:16]}-{i[16:20]}-{i[20:]}' for i in found]


class Visitor:
    """A person with a browser: cookies, and forms with the token of the last page."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.text = ''

    def get(self, path: str) -> str:
        return self.send(urllib.request.Request(self.origin + path))

    def post(self, path: str, **fields: str) -> str:
        token = re.search(r'name="token" value="([^"]+)"', self.text)
        if not token:
            raise NotServed(f'the page before POST {path} has no form')
        body = urllib.parse.urlencode({'token': token[1], **fields}).encode()
        return self.send(urllib.request.Request(self.origin + path, body, {'Origin': self.origin}))

    def send(self, request: urllib.request.Request) -> str:
        try:
            with self.opener.open(request, timeout=15) as answer:
                self.text = answer.read().decode()
        except urllib.error.HTTPError as error:
            raise NotServed(f'{request.get_method()} {request.full_url}: {error.code} {error.read().decode()[:300]}') \
                from error
        return self.text

    def json(self, path: str) -> Any:
        return json.loads(self.get(path))
