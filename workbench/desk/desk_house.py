"""The house of the trial of the emergency desk, with the cloud half beside it."""
import json
import pathlib
import subprocess
import time
from typing import Any, Self

from workbench import gateway_settings as settings
from workbench.house import CALM, GATEWAY, PATIENCE_SECONDS, RACING, SHORT, STRAP, House, NotSeen
from workbench.parts.child import Child
from workbench.parts.port import answers, free_port

BEAT_MS = 200
OPERATOR = 'Desk of Milan'
PASSWORD = 'a lamp, two rivers, no moon'
DISPATCHERS = {'anna': 'Anna Bianchi', 'bruno': 'Bruno Neri'}


class DeskHouse(House):
    """Within `with DeskHouse(...)` the gateway calls over the broker, and the server shows its calls at `address`."""

    def __init__(self, gateway: pathlib.Path, server: pathlib.Path, **more: Any) -> None:
        super().__init__(gateway, SHORT, **more)
        self.server = server
        self.port = free_port()
        self.address = f'http://localhost:{self.port}'

    def __enter__(self) -> Self:
        super().__enter__()
        try:
            self.stream(CALM)
            self.register_house()
            self.start_server()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    # ---- settings ------------------------------------------------------------------------

    def write_settings(self) -> None:
        self.prepare_server()
        super().write_settings()
        # Only a signed acceptance ends the calling. A second round would hide a lost first acceptance.
        self.replace_settings(('unsigned_acceptances = true', 'unsigned_acceptances = false'))

    def more_settings(self) -> str:
        return settings.commands(self.cloud / 'issuer.jwks', desk=True)

    def prepare_server(self) -> None:
        """Makes the keys, the settings and the accounts of the server."""
        self.cloud = self.directory / 'trackme'
        self.cloud.mkdir(mode=0o700)
        self.config = self.cloud / 'trackme.toml'
        keys = self.tool('keys', '--directory', str(self.cloud), configured=False)
        (self.cloud / 'issuer.jwks').write_text(keys.splitlines()[-1] + '\n', encoding='utf-8')
        self.config.write_text(
            f'listen = "127.0.0.1:{self.port}"\norigin = "{self.address}"\noperator = {json.dumps(OPERATOR)}\n'
            f'issuer_key_file = "{self.cloud}/issuer.jwk"\nmaster_key_file = "{self.cloud}/master.key"\n'
            f'state_directory = "{self.cloud}"\n'
            + settings.section('[broker]', host='127.0.0.1', port=self.services.broker.port, tls=False),
            encoding='utf-8')
        self.config.chmod(0o600)
        for user, name in DISPATCHERS.items():
            self.tool('accounts', 'add-dispatcher', user, '--name', name, text=PASSWORD + '\n')

    # ---- the server ----------------------------------------------------------------------

    def tool(self, *words: str, text: str = '', configured: bool = True, code: int = 0) -> str:
        """Runs a command of the server's program, and returns its output."""
        config = ['--config', str(self.config)] if configured else []
        done = subprocess.run(
            [self.server, *words, *config], input=text, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == code, (words, done)
        return done.stdout + done.stderr

    def start_server(self) -> None:
        with open(self.directory / 'trackme.log', 'ab') as log:
            self.children['trackme'] = Child(
                [self.server, 'serve', '--config', self.config], stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE_SECONDS
        while not answers(self.port):
            if time.monotonic() > end:
                raise NotSeen('the pages of the server; see trackme.log')
            time.sleep(0.05)

    def register_house(self) -> None:
        """Makes the running gateway known to the server, which tells it of the desk from then on."""
        keys = subprocess.run(
            [self.program, 'contract', 'keys', '--jwks', '--config', self.settings], check=True, capture_output=True,
            text=True, timeout=PATIENCE_SECONDS).stdout
        file = self.cloud / 'house.jwks'
        file.write_text(keys, encoding='utf-8')
        self.tool('houses', 'add', GATEWAY, '--key', str(file))

    def kill_server(self) -> None:
        self.children['trackme'].kill()

    def server_log(self) -> str:
        return (self.directory / 'trackme.log').read_text(errors='replace')

    # ---- the house -----------------------------------------------------------------------

    def stream(self, bpm: int) -> None:
        """Lets the strap send this rate until another one: a silent strap is connected again."""
        self.services.bluez.perform({
            'op': 'stream', 'id': STRAP, 'values': [{'bpm': bpm, 'contact': True}], 'every_ms': BEAT_MS})

    def raise_alarm(self) -> str:
        """Lets the strap send the readings of an emergency, and returns the alarm once help was called."""
        since = self.mark()
        self.stream(RACING)
        event = self.until(
            'the call for help', lambda e: e['source'] == 'broker' and e.get('state') == 'confirmed', since)
        self.stream(CALM)
        return str(event['alarm'])

    def unattended(self, raised: bool, since: int, seconds: float) -> dict[str, Any]:
        """Returns the event of the house that its condition of the desk has begun or ended."""
        return self.until(
            f'the condition of the desk {"raised" if raised else "cleared"}',
            lambda e: e['source'] == 'feed' and e.get('code') == 'desk-unattended' and e['raised'] is raised,
            since, seconds=seconds)

    def show_call(self, page: Any, alarm: str) -> None:
        """Goes from the board to the call of an alarm. For a moment the first call of the board may be an ended one."""
        page.locator(f'a[href$="{alarm}"]').click()

    def accepted_after_taking(self, page: Any, alarm: str) -> None:
        """Lets the dispatcher of a board in a browser take the call of an alarm, and waits until the house hears it."""
        self.show_call(page, alarm)
        page.get_by_role('button', name='TAKE THIS CALL').click()
        self.accepted(alarm)

    def accepted(self, alarm: str) -> dict[str, Any]:
        """Returns the event of the house that a person has taken the call."""
        return self.until(
            f'the acceptance of {alarm} in the house',
            lambda e: e['source'] == 'feed' and e.get('alarm') == alarm and e['event'] == 'accepted')
