"""The house of the trial of Home Assistant: wearables that stream, a cuff, and a broker of the home."""
import json
import pathlib
import subprocess
import time
from collections.abc import Callable
from typing import Any, Self

from workbench import gateway_settings as settings
from workbench import witness
from workbench.home_assistant.core import HomeAssistant, State
from workbench.house import PERSON, SHORT, House, NotSeen
from workbench.parts.child import Child
from workbench.parts.mosquitto import Mosquitto

OXIMETER, OXIMETER_ADDRESS = 'oximeter', 'C0:FF:EE:00:00:02'
CUFF, CUFF_ADDRESS = 'cuff', 'C0:FF:EE:00:00:03'
BRACELET, BRACELET_ADDRESS = 'bracelet', 'C0:FF:EE:00:00:04'
DASHBOARD_TOPICS = ('homeassistant/#', 'homegateway/#')


class DashboardHouse(House):
    """Within `with DashboardHouse(...)` Home Assistant runs, and the gateway, which was started after it."""

    home_assistant: HomeAssistant

    def __init__(self, program: pathlib.Path, hass: pathlib.Path, **more: Any) -> None:
        super().__init__(program, SHORT, prepare=self.prepare_home, rt=False, **more)
        self.hass = hass
        self.peripherals += [
            {'id': OXIMETER, 'kind': 'pulse_oximeter', 'address': OXIMETER_ADDRESS, 'name': 'Oximeter'},
            {'id': CUFF, 'kind': 'blood_pressure', 'address': CUFF_ADDRESS, 'name': 'Cuff'},
            {'id': BRACELET, 'kind': 'bracelet', 'address': BRACELET_ADDRESS, 'name': 'Bracelet'}]

    def prepare_home(self, _house: House) -> None:
        folder = self.directory / 'home'
        folder.mkdir()
        self.home_broker = self.cleanup.enter_context(Mosquitto(folder))
        self.home_assistant = HomeAssistant(folder / 'config', self.hass, self.home_broker.port)
        child = self.children['viewer'] = Child(
            witness.command(self.home_broker.port, DASHBOARD_TOPICS, '%r %t %p'), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        self.listen('dashboard', (
            dict(zip(('retained', 'topic', 'payload'), line.decode().rstrip('\n').split(' ', 2), strict=True))
            for line in child.stdout))
        self.cleanup.enter_context(self.home_assistant)
        # An entity that it discovers later is new to it: it asks nobody for states any more.
        self.until('the birth message', lambda e: e['source'] == 'dashboard' and e['topic'] == 'homeassistant/status')

    def more_settings(self) -> str:
        return (
            settings.wearable(OXIMETER, OXIMETER_ADDRESS, PERSON) + settings.wearable(CUFF, CUFF_ADDRESS, PERSON)
            + settings.wearable(BRACELET, BRACELET_ADDRESS, PERSON)
            + settings.section(
                '[home_assistant]', enabled=True, states=True, host='127.0.0.1', port=self.home_broker.port, tls=False))

    def write_settings(self) -> None:
        super().write_settings()
        self.replace_settings(
            ('automated_sos = "accepted"\n', 'automated_sos = "accepted"\nhome_dashboard = "accepted"\n'))

    def __enter__(self) -> Self:
        super().__enter__()
        try:
            for id in (OXIMETER, CUFF, BRACELET):
                self.until(f'the subscription to the {id}', lambda e: (
                    e['source'] == 'wearable' and e['event'] == 'subscribed' and e.get('id') == id))
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    # ---- wearables -----------------------------------------------------------------------

    def measure(self, id: str, value: dict[str, Any]) -> float:
        """Lets a wearable send one measurement. Returns the time at which it did."""
        since = self.mark()
        at = time.time()
        self.services.bluez.perform({'op': 'send', 'id': id, 'value': value})
        event = self.until(f'a measurement of the {id}', lambda e: (
            e['source'] == 'wearable' and e['event'] in ('sent', 'dropped') and e.get('id') == id), since)
        if event['event'] == 'dropped':
            raise NotSeen(f'a subscriber of the {id}: {event["reason"]}')
        return at

    def stream(self, id: str, value: dict[str, Any]) -> None:
        self.services.bluez.perform({'op': 'stream', 'id': id, 'values': [value], 'every_ms': 1000})

    def stop(self, id: str) -> float:
        """Ends the stream of a wearable. Returns the time of its end."""
        since = self.mark()
        self.services.bluez.perform({'op': 'stop', 'id': id})
        self.until(f'the end of the stream of the {id}', lambda e: (
            e['source'] == 'wearable' and e['event'] == 'stopped' and e.get('id') == id), since)
        return time.time()

    # ---- commands and the broker of the home -----------------------------------------------

    def at_home(self, *words: str) -> None:
        """Runs a command of the gateway's program."""
        done = subprocess.run(
            [self.program, *words, '--config', self.settings], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, (words, done)

    def values_since(self, mark: int) -> list[dict[str, Any]]:
        """Returns the readings that were published to the home after `mark`."""
        sent = self.find(lambda e: e['source'] == 'dashboard' and e['payload'].startswith('{'), mark)
        bodies = [json.loads(event['payload']) for event in sent if not event['topic'].endswith('/config')]
        return [body for body in bodies if 'time' in body]

    def discovery(self, entity: str) -> dict[str, Any]:
        """Returns the last discovery message of an entity of the person."""
        sent = self.find(lambda e: e['source'] == 'dashboard' and e['topic'].endswith(f'/{PERSON}_{entity}/config'))
        return dict(json.loads(sent[-1]['payload']))

    def shows(self, awaited: str, is_it: Callable[[dict[str, State]], bool], seconds: float) -> dict[str, State]:
        """Returns the entities once `is_it` accepts them. AssertionError after the time-out."""
        end = time.monotonic() + seconds
        while True:
            states = self.home_assistant.states()
            if is_it(states):
                return states
            if time.monotonic() > end:
                told = {id: state['state'] for id, state in sorted(states.items())}
                raise AssertionError(f'not within {seconds} s at Home Assistant: {awaited}\n{told}')
            time.sleep(0.2)

