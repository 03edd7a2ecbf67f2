"""The house of the trial of the pages, with a strap that streams and a cloud that asks."""
import json
import pathlib
from typing import Any, Self

from workbench.demo.consent import ConsentHouse
from workbench.house import CALM, PERSON, RACING, STRAP, Pace
from workbench.web.race_day import PARTY, RaceDay
from workbench.web.web_house import WebHouse

# The longest window: a look at each screen fits into it. It takes an early notice.
PACE = Pace(readings=2, gap=0.2, within=1.0, window=60.0)
BEAT_MS = 200
PIN = '4821'
DECIDER = 'Anna'
# A wearable that nobody has paired yet. Its name is that of a neighbour who tries his luck.
BAND, BAND_ADDRESS, PASSKEY = 'band', 'C0:FF:EE:00:00:09', '271828'
# Buttons that only advertise, in no settings: one sends in the clear, and of the other nobody has the key.
BUTTON, BUTTON_ADDRESS = 'button', 'C0:FF:EE:00:00:05'
SEALED, SEALED_ADDRESS = 'sealed', 'C0:FF:EE:00:00:06'
# BTHome service data behind the UUID: a press, and an encrypted frame.
PRESS, SEALED_PRESS = '4400093a01', '45a1b207000000deadbeef'
HOSTILE_NAME = '<img src=x onerror=alert(1)>'


class TrialHouse(WebHouse, ConsentHouse):
    """Within `with TrialHouse(...)` the pages are served at `address`, in the language of the person."""

    # Mark of the last start of the gateway by a step.
    returned = 0

    witness_topics = [*ConsentHouse.witness_topics, 'trackme/v1/+/sos/#']

    def __init__(self, program: pathlib.Path, language: str = 'en', **more: Any) -> None:
        super().__init__(program, PACE, **more)
        self.peripherals.append({
            'id': BAND, 'kind': 'bracelet', 'address': BAND_ADDRESS, 'name': HOSTILE_NAME,
            'pairing': f'passkey:{PASSKEY}'})
        self.peripherals += [
            {'id': id, 'kind': 'beacon', 'address': address, 'name': HOSTILE_NAME}
            for id, address in ((BUTTON, BUTTON_ADDRESS), (SEALED, SEALED_ADDRESS))]
        self.language = language

    def __enter__(self) -> Self:
        super().__enter__()
        self.listen_to_receipts()
        return self

    def calling(self) -> dict[str, Any]:
        return {'early_notice': True}

    def more_settings(self) -> str:
        self.race_day = RaceDay(self.directory / 'runs.d', self.state)
        self.race_day.write()
        return str(super().more_settings()) + self.race_day.settings()

    def write_settings(self) -> None:
        super().write_settings()
        self.replace_settings(
            # Never night: at night a screen shows the time alone.
            ('sound = false\n', 'sound = false\nwaking_hours = "00:00-23:59"\n'
             f'language = "{self.language}"\n'),
            ('automated_sos = "accepted"\n',
             f'automated_sos = "accepted"\nhome_dashboard = "accepted"\nlanguage = "{self.language}"\n'
             f'screen_pin = "{PIN}"\ndecided_by = ["{DECIDER}"]\n'))

    # ---- states --------------------------------------------------------------------------

    def stream(self, bpm: int) -> None:
        self.stream_from(STRAP, bpm)

    def stream_from(self, id: str, bpm: int) -> None:
        self.services.bluez.perform({
            'op': 'stream', 'id': id, 'values': [{'bpm': bpm, 'contact': True}], 'every_ms': BEAT_MS})

    def press_button(self, id: str, frame: str) -> None:
        self.services.bluez.perform({'op': 'advertise', 'id': id, 'hex': frame, 'times': 3})

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

    def show_races(self) -> None:
        """Opens the pages of races to everybody. The sessions of the paired devices hold."""
        if self.console_settings:
            return
        self.children['console'].kill()
        self.console_settings = 'race_pages = true\n'
        self.start_console()

    def grant_to_spectators(self) -> None:
        """The person lets the spectators of the race see the heart rate."""
        self.request(PARTY, 'Spectators of the race')
        self.at_home('consent', 'accept', PARTY, '--by', 'Maria')

    def request(self, id: str, name: str = 'University of Milan') -> None:
        """A third party asks for the person's heart rate."""
        answer = self.command(
            type='request', request=id, party={'id': id, 'name': name}, person=PERSON,
            purpose='A study of the heart rate in sleep', kinds=['heart-rate'])
        assert answer['result'] == 'done', answer

    def link(self, id: str, code: str) -> dict[str, Any]:
        """An account of TrackMe asks to be linked to the person. Returns the claims of the receipt."""
        return self.command(
            type='request', request=id, party={'id': 'trackme-account', 'name': 'anna at trackme.example'},
            person=PERSON, purpose='Link the account anna at trackme.example', kinds=[], role='acts', code=code)
