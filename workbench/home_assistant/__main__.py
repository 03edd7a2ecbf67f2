"""A real Home Assistant beside a real gateway, with a real broker of the home between them.

    python3 -m workbench.home_assistant [--gateway PROGRAM] [--hass PROGRAM]

Home Assistant runs first, so that each entity is new to it. Its REST API tells which states it shows. Ends with 0 when
each rule was kept.
"""
import argparse
import datetime
import pathlib
import sys
import time
from collections.abc import Callable

from workbench.home_assistant.core import State
from workbench.home_assistant.dashboard_house import BRACELET, CUFF, OXIMETER, DashboardHouse
from workbench.house import PERSON, STRAP
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM, ROOT

HASS = ROOT / '.build-ha/venv/bin/hass'
# A state is sent again 2 s and 10 s after its discovery message; a busy machine may need the second one.
KNOWN_SECONDS = 15
# Time after which a streamed value must not be shown, and the allowance for a look each second and a busy machine.
EXPIRY_SECONDS, SLACK_SECONDS = 60, 5
UNKNOWN = ('unknown', 'unavailable')
MARIA = 'sensor.maria_rossi'
HEART_RATE, SATURATION, SYSTOLIC = f'{MARIA}_heart_rate', f'{MARIA}_oxygen_saturation', f'{MARIA}_systolic_pressure'
PRESSURES = {SYSTOLIC: 131, f'{MARIA}_diastolic_pressure': 84, f'{MARIA}_mean_arterial_pressure': 98}
BATTERIES = [f'{MARIA}_battery_of_{id}' for id in (STRAP, OXIMETER, CUFF, BRACELET)]
STATES = [
    'binary_sensor.maria_rossi_alarm', 'binary_sensor.maria_rossi_supervision',
    'binary_sensor.maria_rossi_waiting_request', f'{MARIA}_help', 'binary_sensor.homegateway_condition']

States = dict[str, State]


def is_known(states: States, *entities: str) -> bool:
    return all(entity in states and states[entity]['state'] not in UNKNOWN for entity in entities)


def has(states: States, entity: str, value: float) -> bool:
    return is_known(states, entity) and float(states[entity]['state']) == value


def measured(body: State) -> float:
    return datetime.datetime.fromisoformat(body['time']).timestamp()


class Trial:
    """The steps in their order. Each raises AssertionError where a rule is broken."""

    # Time of the last value of the strap.
    last_beat = 0.0

    def __init__(self, house: DashboardHouse) -> None:
        self.house = house

    def has_no_old_value(self, states: States) -> bool:
        """Whether no streamed value is shown after its expiry."""
        return not is_known(states, HEART_RATE) or time.time() < self.last_beat + EXPIRY_SECONDS + SLACK_SECONDS

    def watch_until(self, end: float) -> States:
        """Watches the entities until `end`, and returns the last ones."""
        while True:
            states = self.house.home_assistant.states()
            assert self.has_no_old_value(states), states[HEART_RATE]
            if time.time() > end:
                return states
            time.sleep(0.5)

    # ---- steps ---------------------------------------------------------------------------

    def first_states(self) -> None:
        """Each new entity has its state at once: alarm, help, supervision, requests, four batteries, the box."""
        began = time.monotonic()
        states = self.house.shows('states and batteries', lambda states: is_known(
            states, *STATES, *BATTERIES), KNOWN_SECONDS)
        print(f'all states known after {time.monotonic() - began:.1f} s')
        assert states['binary_sensor.maria_rossi_alarm']['state'] == 'off', states
        assert all(has(states, battery, 90) for battery in BATTERIES), states

    def daily_pressure(self) -> None:
        """The one blood pressure of the day is shown at once, and so is its pulse. Neither expires."""
        self.house.measure(CUFF, {'systolic': 131, 'diastolic': 84, 'map': 98, 'pulse': 66})
        self.house.shows('the blood pressure', lambda states: has(states, HEART_RATE, 66) and all(
            has(states, entity, value) for entity, value in PRESSURES.items()), KNOWN_SECONDS)
        assert 'expire_after' not in self.house.discovery('systolic-pressure')
        assert 'expire_after' not in self.house.discovery('heart-rate')

    def streams_expire(self) -> None:
        """The heart rate of a strap expires although a cuff gave the first one; the pressure of the cuff stays."""
        self.house.stream(STRAP, {'bpm': 72, 'contact': True})
        self.house.stream(OXIMETER, {'spo2': 97, 'pulse': 72})
        self.house.shows('heart rate and saturation', lambda states: has(states, HEART_RATE, 72) and has(
            states, SATURATION, 97), KNOWN_SECONDS)
        assert self.house.discovery('heart-rate')['expire_after'] == EXPIRY_SECONDS
        self.house.stop(OXIMETER)
        self.last_beat = self.house.stop(STRAP)
        states = self.watch_until(self.last_beat + EXPIRY_SECONDS + 2 * SLACK_SECONDS)
        assert not is_known(states, HEART_RATE) and not is_known(states, SATURATION), states
        assert has(states, SYSTOLIC, 131), states

    def restart_home_assistant(self) -> None:
        """After a restart of Home Assistant it shows the present values, and no value of a stream after its expiry."""
        self.house.stream(STRAP, {'bpm': 73, 'contact': True})
        self.house.shows('the heart rate', lambda states: has(states, HEART_RATE, 73), KNOWN_SECONDS)
        self.last_beat = self.house.stop(STRAP)
        self.house.home_assistant.stop()
        self.house.home_assistant.start()
        print(f'Home Assistant is up {time.time() - self.last_beat:.0f} s after the last heart beat')
        states = self.house.shows('the present values', lambda states: is_known(
            states, *STATES, *BATTERIES, *PRESSURES), KNOWN_SECONDS)
        assert has(states, SYSTOLIC, 131) and not is_known(states, SATURATION), states
        states = self.watch_until(self.last_beat + EXPIRY_SECONDS + 2 * SLACK_SECONDS)
        assert not is_known(states, HEART_RATE) and not is_known(states, SATURATION), states

    def restart_gateway(self) -> None:
        """A restart of the gateway publishes no earlier value. Its states are shown again, and new values."""
        self.house.kill_gateway()
        self.house.shows('the absence of the gateway', lambda states: all(
            states[entity]['state'] == 'unavailable' for entity in (*STATES, SYSTOLIC)), KNOWN_SECONDS)
        mark, began = self.house.mark(), time.time()
        self.house.start_gateway()
        self.house.shows('its states', lambda states: is_known(states, *STATES, *BATTERIES), 2 * KNOWN_SECONDS)
        states = self.watch_until(time.time() + 2 * KNOWN_SECONDS)
        assert not is_known(states, HEART_RATE), states[HEART_RATE]
        # Home Assistant itself has kept the pressure, with the time of its measurement.
        assert has(states, SYSTOLIC, 131) and measured(states[SYSTOLIC]['attributes']) < began, states[SYSTOLIC]
        old = [body for body in self.house.values_since(mark) if measured(body) < began]
        assert not old, old
        self.house.stream(STRAP, {'bpm': 74, 'contact': True})
        self.last_beat = time.time() + 3600
        self.house.shows('the new heart rate', lambda states: has(states, HEART_RATE, 74), KNOWN_SECONDS)

    def withdraw(self) -> None:
        """The withdrawal of `home-dashboard` removes all entities."""
        self.house.at_home('consent', 'withdraw', '--person', PERSON, 'home-dashboard')
        self.house.shows('no entity', lambda states: not any(
            'maria_rossi' in entity or 'homegateway' in entity for entity in states), KNOWN_SECONDS)


def main() -> int:
    unwind_on_signals()
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n', 1)[0])
    parser.add_argument('--gateway', type=pathlib.Path, default=GATEWAY_PROGRAM)
    parser.add_argument('--hass', type=pathlib.Path, default=HASS)
    arguments = parser.parse_args()
    with DashboardHouse(arguments.gateway, arguments.hass) as house:
        trial = Trial(house)
        steps: list[Callable[[], None]] = [
            trial.first_states, trial.daily_pressure, trial.streams_expire, trial.restart_home_assistant,
            trial.restart_gateway, trial.withdraw]
        for step in steps:
            step()
            print(f'kept: {(step.__doc__ or step.__name__).splitlines()[0]}', flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
