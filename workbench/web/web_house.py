"""The house fixture with the process of the pages, as a visitor's browser meets it."""
import json
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.request
from typing import Any

from workbench.demo.consent import ConsentHouse
from workbench.house import CALM, PERSON, RACING, STRAP, Pace
from workbench.parts.child import Child

# The longest window: a look at each screen fits into it. It takes an early notice.
PACE = Pace(readings=2, gap=0.2, within=1.0, window=60.0)
BEAT_MS = 200
PIN = '4821'
DECIDER = 'Anna'


class WebHouse(ConsentHouse):
    """Within `with WebHouse(...)` the pages are served at `address`."""

    address: str
    witness_topics = [*ConsentHouse.witness_topics, 'trackme/v1/+/sos/#']

    def __init__(self, program: pathlib.Path, console: pathlib.Path, language: str = 'en', **more: Any) -> None:
        super().__init__(program, PACE, **more)
        self.console, self.language = console, language

    def __enter__(self) -> 'WebHouse':
        super().__enter__()
        self.start_console()
        self.listen_to_receipts()
        return self

    def calling(self) -> dict[str, Any]:
        return {'early_notice': True}

    def write_settings(self) -> None:
        super().write_settings()
        self.replace_settings(
            # Never night: at night a screen shows the time alone.
            ('sound = false\n', 'sound = false\nwaking_hours = "00:00-23:59"\n'),
            ('automated_sos = "accepted"\n',
             f'automated_sos = "accepted"\nhome_dashboard = "accepted"\nlanguage = "{self.language}"\n'
             f'screen_pin = "{PIN}"\ndecided_by = ["{DECIDER}"]\n'))

    # ---- the pages -----------------------------------------------------------------------

    def start_console(self) -> None:
        self.settings_file = self.directory / 'console.toml'
        self.settings_file.write_text(
            f'listen = ["127.0.0.1:{getattr(self, "port", 0)}"]\n'
            f'gateway_socket = "{self.directory / "console.sock"}"\n'
            f'state_directory = "{self.directory / "pages"}"\n')
        child = self.children['console'] = Child(
            [self.console, 'serve', '--config', self.settings_file], stdout=subprocess.PIPE)
        line = child.stdout.readline().decode()
        found = re.search(r'http://127\.0\.0\.1:(\d+)', line)
        assert found, line
        self.address, self.port = found[0], int(found[1])
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if self.get('/pair')[0] == 200:
                return
            time.sleep(0.05)

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        request = urllib.request.Request(self.address + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def code(self, role: str, name: str = 'A device') -> str:
        """Returns a code with which one device pairs."""
        words = [self.console, 'pair', '--config', self.settings_file, '--role', role, '--name', name]
        if role in ('person', 'family', 'carer'):
            words += ['--person', PERSON]
        said = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout
        found = re.search(r'[A-Z0-9]{4}-[A-Z0-9]{4}', said)
        assert found, said
        return found[0]

    # ---- states --------------------------------------------------------------------------

    def stream(self, bpm: int) -> None:
        self.services.bluez.perform({
            'op': 'stream', 'id': STRAP, 'values': [{'bpm': bpm, 'contact': True}], 'every_ms': BEAT_MS})

    def be_calm(self) -> None:
        """Lets the strap send ordinary readings until something else is asked of it."""
        since = self.mark()
        self.stream(CALM)
        self.until('an ordinary reading', lambda e: (
            e['source'] == 'feed' and e['event'] == 'reading' and e['value'] == CALM), since)

    def raise_alarm(self) -> tuple[str, int]:
        """Sends the readings of an emergency. Returns the alarm's id, and the instant at which it was raised."""
        since = self.mark()
        self.stream(RACING)
        event = self.until('an alarm', lambda e: e['source'] == 'feed' and e['event'] == 'alarm', since)
        self.stream(CALM)
        return str(event['alarm']), int(event['boot_ns'])

    def ended(self, alarm: str, how: str) -> dict[str, Any]:
        return self.until(
            f'the end of {alarm}: {how}',
            lambda e: e['source'] == 'feed' and e.get('alarm') == alarm and e['event'] == how)

    def end_alarms(self) -> None:
        """Ends the alarms that a failed step has left open."""
        for alarm in json.loads(self.at_home('status', '--json'))['alarms']:
            self.ask(verb='resolve', alarm=alarm['id'], by='the trial')

    def request(self, id: str, name: str = 'University of Milan') -> None:
        """A third party asks for the person's heart rate."""
        answer = self.command(
            type='request', request=id, party={'id': id, 'name': name}, person=PERSON,
            purpose='A study of the heart rate in sleep', kinds=['heart-rate'])
        assert answer['result'] == 'done', answer
