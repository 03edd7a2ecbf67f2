"""The desk of TrackMe and the outside: a gateway calls it over HTTPS, and it hands calls on to an emergency centre.

    python3 -m workbench.desk.outside [--gateway PROGRAM] [--server PROGRAM]

The house calls over the broker and over its HTTPS channel: the desk has one call. The server is killed while the centre
holds the request: the centre gets one message under one key, each time with the same bytes. Then the broker is away:
the house calls and is answered over HTTPS alone. The centre checks each message against the schema of CAP 1.2. Ends
with 0 when each rule was kept.
"""
import argparse
import json
import pathlib
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from workbench import gateway_settings as settings
from workbench.desk.desk_house import DISPATCHERS, OPERATOR, PASSWORD, DeskHouse
from workbench.house import CALM, GATEWAY, RACING
from workbench.parts.child import Child
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM, TRACKME_PROGRAM, program
from workbench.trackme.server import Visitor

CHANNEL, TOKEN = 'desk-https', 'centre-token'
HOLD_SECONDS = 3   # for which the centre holds a request: the server is killed in it
PATIENCE_SECONDS = 60


def until(what: str, is_so: Callable[[], Any]) -> Any:
    """Returns the value of `is_so` once it is true."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not (value := is_so()):
        assert time.monotonic() < end, f'not within {PATIENCE_SECONDS} s: {what}'
        time.sleep(0.05)
    return value


class Centre:
    """The emergency centre: the ambulance service of the tests over TLS, with an authority of its own."""

    def __init__(self, directory: pathlib.Path) -> None:
        self.certificate, key = directory / 'centre.pem', directory / 'centre.key'
        subprocess.run(
            ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1',
             '-subj', '/CN=centre', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out',
             self.certificate], check=True, capture_output=True, timeout=20)
        self.child = Child(
            [*program('ambulance_service'), '--certificate', self.certificate, '--key', key, '--token', TOKEN],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        output = self.child.stdout
        self.url = f'https://127.0.0.1:{json.loads(output.readline())["port"]}/slow/{HOLD_SECONDS}'
        self.heard: list[dict[str, Any]] = []
        threading.Thread(target=lambda: self.heard.extend(map(json.loads, output)), daemon=True).start()

    def calls(self, alarm: str) -> list[dict[str, Any]]:
        return [each for each in self.heard if each.get('incidents') == f'{GATEWAY}.{alarm}']


class OutsideHouse(DeskHouse):
    """A house with two ways to the desk, and a desk with a centre behind it."""

    def __init__(self, gateway: pathlib.Path, server: pathlib.Path) -> None:
        super().__init__(gateway, server, rt=False)
        # The gateway takes plain HTTP to an address of this machine alone.
        self.address = f'http://127.0.0.1:{self.port}'

    def calling(self) -> dict[str, Any]:
        return {'call': 'side-by-side', 'channels': ['mqtt', CHANNEL]}

    def prepare_server(self) -> None:
        super().prepare_server()
        self.centre = Centre(self.directory)
        self.cleanup.callback(self.centre.child.stop)
        token = self.cloud / 'centre-token'
        token.write_text(TOKEN + '\n')
        token.chmod(0o600)
        text = self.config.read_text() + settings.section(
            '[forwarding]', url=self.centre.url, addresses=['118-milano'], token_file=str(token),
            ca_file=str(self.centre.certificate))
        self.config.write_text(text)
        # With a key that the running gateway's own one replaces: its channel needs the token before.
        self.tool('houses', 'add', GATEWAY, '--key', str(self.cloud / 'issuer.jwks'))
        self.token = self.directory / 'desk-token'
        self.token.write_text(self.tool('houses', 'token', GATEWAY).splitlines()[0] + '\n')
        self.token.chmod(0o600)

    def more_settings(self) -> str:
        return super().more_settings() + settings.section(
            '[[channel]]', id=CHANNEL, type='https', url=f'{self.address}/api/v1/desk/cap', addresses=['desk'],
            token_file=str(self.token))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with sqlite3.connect(f'file:{self.cloud / "trackme.sqlite"}?mode=ro', uri=True) as database:
            return database.execute(sql).fetchall()


class Trial:
    """The steps in their order. Each raises AssertionError where a rule is broken."""

    def __init__(self, house: OutsideHouse) -> None:
        self.house, self.centre = house, house.centre

    def dispatcher(self) -> Visitor:
        visitor = Visitor(self.house.address)
        visitor.get('/sign-in')
        visitor.post('/sign-in', user='anna', password=PASSWORD)
        return visitor

    def take(self, alarm: str) -> None:
        visitor, place = self.dispatcher(), f'/desk/calls/{GATEWAY}/{alarm}'
        visitor.get(place)
        visitor.post(f'{place}/take')
        event = self.house.accepted(alarm)
        assert event['by'] == f"{DISPATCHERS['anna']}, {OPERATOR}", event

    def kill_amid_forwarding(self) -> None:
        """The server dies while the centre holds the call: one message, under one key, with the same bytes."""
        alarm = self.house.raise_alarm()
        until('the call at the centre', lambda: self.centre.calls(alarm))
        self.house.kill_server()
        self.house.start_server()
        until('the call at the desk by both ways', lambda: len(self.house.rows(
            "SELECT 1 FROM audit WHERE area = 'desk' AND entry LIKE '%confirmed%'")) >= 2)
        until('the answer of the centre', lambda: self.house.rows(
            "SELECT 1 FROM audit WHERE area = 'desk' AND entry LIKE '%forwarded%alert%'"))
        alerts = [each for each in self.centre.calls(alarm) if each['msgType'] == 'Alert']
        assert len(alerts) >= 2, alerts
        assert {each['key'] for each in alerts} == {f'{GATEWAY}.{alarm}.1'}, alerts
        assert len({each['body'] for each in alerts}) == 1, alerts
        assert len(self.house.rows('SELECT 1 FROM desk_call')) == 1
        self.take(alarm)
        update = until('the taking at the centre', lambda: [
            each for each in self.centre.calls(alarm) if 'has the call' in each['body']])[0]
        assert update['msgType'] == 'Update' and update['references'].split(',')[1] == f'{GATEWAY}.{alarm}', update

    def call_without_a_broker(self) -> None:
        """Without a broker the house calls the desk, and is answered, over HTTPS."""
        self.house.services.broker.stop()
        since = len(self.centre.heard)
        self.house.stream(RACING)
        alert = until('the call at the centre', lambda: [
            each for each in self.centre.heard[since:] if each.get('msgType') == 'Alert'])[0]
        alarm = alert['incidents'].removeprefix(f'{GATEWAY}.')
        self.house.stream(CALM)
        self.take(alarm)
        self.house.services.broker.start()

    def check_the_messages(self) -> None:
        """Each message is CAP 1.2, and the log is whole."""
        problems = [each['problem'] for each in self.centre.heard if each.get('problem')]
        assert not problems, problems
        told = self.house.tool('check')
        assert 'audit log: sound' in told and 'the outside service takes a test message' in told, told


def main() -> int:
    unwind_on_signals()
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n', 1)[0])
    parser.add_argument('--gateway', type=pathlib.Path, default=GATEWAY_PROGRAM)
    parser.add_argument('--server', type=pathlib.Path, default=TRACKME_PROGRAM)
    arguments = parser.parse_args()
    with OutsideHouse(arguments.gateway, arguments.server) as house:
        trial = Trial(house)
        for step in (trial.kill_amid_forwarding, trial.call_without_a_broker, trial.check_the_messages):
            step()
            print(f'kept: {(step.__doc__ or step.__name__).splitlines()[0]}', flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
