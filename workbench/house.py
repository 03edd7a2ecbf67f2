"""The house fixture: real bus, broker and gpsd, a virtual bluetoothd, the gateway under test, and its witnesses.

All events are in one list, with the instant of CLOCK_BOOTTIME at which each was seen; an event of a wearable also
carries the wearable's own instant. The checks use these instants and not the gateway's own figures.

workbench/ble/scenarios/guest_house.py is the house of the BLE rig, inside the guest and on asyncio. Both use the same
settings writer, witness and control socket.
"""
import contextlib
import json
import pathlib
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, Self

from workbench import control_socket, witness
from workbench import gateway_settings as settings
from workbench.clock import boot_ns
from workbench.parts.child import Child
from workbench.parts.mosquitto import PersistentBroker
from workbench.services import Services
from workbench.witness import READY_TOPIC

GATEWAY, PERSON, STRAP = 'e2e-house', 'maria', 'strap'
STRAP_ADDRESS = 'C0:FF:EE:00:00:01'
TOPIC = f'trackme/v1/{GATEWAY}/sos/{PERSON}'
CALM, RACING = 72, 150
MEASUREMENT = '2a37'
PATIENCE_SECONDS = 40   # for a busy machine to start something; no measured duration comes near it

Event = dict[str, Any]
Condition = Callable[[Event], bool]


@dataclass(frozen=True)
class Pace:
    """The times of an episode: readings until the gateway believes it, seconds between them, and the abort window."""
    readings: int
    gap: float
    within: float
    window: float

    @property
    def confirmation(self) -> float:
        return (self.readings - 1) * self.gap


# ORDINARY: the values that an installer leaves (4.4 s of the promised 5.0 s). SHORT: many episodes fit into a minute.
ORDINARY = Pace(readings=3, gap=0.95, within=2.0, window=2.5)
SHORT = Pace(readings=2, gap=0.2, within=1.0, window=0.7)


class NotSeen(Exception):
    """An awaited event did not come. The text names it."""


class House:
    """Within `with House(...)` everything runs, and the gateway is subscribed to the strap."""

    gateway_id = GATEWAY
    directory: pathlib.Path
    state: pathlib.Path
    settings: pathlib.Path
    gateway: Child
    spawned_ns: int
    broker_class: Callable[[pathlib.Path], Any] = PersistentBroker
    witness_topics: Sequence[str] = witness.ALL_TOPICS

    def __init__(
            self, program: pathlib.Path, pace: Pace, environment: dict[str, Any] | None = None,
            console_is_read: bool = True, rt: bool = True, gpsd: bool = False,
            prepare: Callable[[Any], object] | None = None) -> None:
        """`program`: the gateway. `rt`: with real-time priority. `prepare`: called before the settings are written."""
        self.program, self.pace, self.environment = program, pace, environment or {}
        self.console_is_read, self.rt, self.prepare = console_is_read, rt, prepare
        self.peripherals: list[dict[str, Any]] = [
            {'id': STRAP, 'kind': 'heart_rate', 'address': STRAP_ADDRESS, 'name': 'Strap'}]
        self.services = Services({'peripherals': self.peripherals}, gpsd=gpsd, broker=False)
        self.seen: list[Event] = []
        self.changed = threading.Condition()
        self.children: dict[str, Child] = {}   # the present gateway and witness
        self.starts = 0
        self.is_over = False
        self.sampler: Any = None   # of the present episode, and the sentences so far that were ahead of the facts
        self.ahead: list[str] = []
        self.last: Any = None

    # ---- beginning and end -------------------------------------------------------------

    def __enter__(self) -> Self:
        self.cleanup = contextlib.ExitStack()   # undoes the faults of a test before the parts stop
        self.cleanup.enter_context(self.services)
        try:
            self.directory = self.services.directory
            self.services.parts['broker'] = self.cleanup.enter_context(self.broker_class(self.directory))
            self.state = self.directory / 'state'
            self.state.mkdir(mode=0o700)
            if self.prepare:
                self.prepare(self)
            self.write_settings()
            self.listen('wearable', self.wearable_lines())
            self.start_witness()
            self.start_gateway()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *reason: Any) -> None:
        self.is_over = True
        for child in self.children.values():
            child.process.kill()
            child.stop()
        self.cleanup.__exit__(*reason)

    def write_settings(self) -> None:
        addresses = self.services.addresses()
        gpsd = {'port': addresses['gpsd_port']} if 'gpsd_port' in addresses else {'enabled': False}
        self.settings = self.directory / 'gateway.toml'
        self.settings.write_text(
            settings.house(self.gateway_id, self.directory, self.broker_port())
            + settings.section('[bluetooth]', bus=addresses['bus']) + settings.section('[gpsd]', **gpsd)
            + settings.consenting(PERSON, 'Maria Rossi')
            + settings.section(
                '[person.sos]', abort_window_seconds=self.pace.window, repeat_seconds=300, **self.calling())
            + settings.heart_rate(self.pace.readings, self.pace.within)
            + settings.wearable(STRAP, STRAP_ADDRESS, PERSON) + self.more_settings(), encoding='utf-8')

    def replace_settings(self, *changes: tuple[str, str]) -> None:
        """Replaces texts in the settings file. Each old text must be there once."""
        text = self.settings.read_text(encoding='utf-8')
        for old, new in changes:
            assert text.count(old) == 1, (old, text)
            text = text.replace(old, new)
        self.settings.write_text(text, encoding='utf-8')

    def broker_port(self) -> int:
        """Returns the port of the broker for the gateway's settings."""
        return self.services.broker.port

    def calling(self) -> dict[str, Any]:
        """Returns more keys of [person.sos]: the channels that are called."""
        return {}

    def more_settings(self) -> str:
        """Returns more sections, of a house of another kind."""
        return ''

    def start_witness(self) -> None:
        port = self.services.broker.port
        subprocess.run(witness.ready_command(port), check=True, timeout=20)
        since = self.mark()
        self.follow_witness(witness.command(port, self.witness_topics, options=['-i', 'witness', '-c']))
        self.until('the witness is subscribed', lambda e: e.get('topic') == READY_TOPIC, since)

    def follow_witness(self, command: Sequence[Any]) -> None:
        child = self.children['witness'] = Child(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.listen('broker', self.witness_lines(child.stdout))

    def start_gateway(self) -> None:
        """Returns when the gateway is subscribed to the strap and connected to the broker, and its feed is read."""
        since = self.mark()
        self.spawn_gateway()
        self.wait_until_followed(since)
        self.until('the gateway is at the broker', lambda e: e.get('topic', '').endswith('/status'), since)

    def wait_until_followed(self, since: int) -> Event:
        """Returns when the gateway is subscribed to the strap and its feed is read: it reports a refused request."""
        self.until('the subscription to the strap', lambda e: (
            e['source'] == 'wearable' and e['event'] == 'subscribed' and MEASUREMENT in e['characteristic']), since)
        for _ in range(PATIENCE_SECONDS * 5):
            with contextlib.suppress(NotSeen, OSError):
                self.ask(**control_socket.PROBE)
                return self.until('its feed', lambda e: e['source'] == 'feed' and e['event'] == 'refused', since, 0.2)
        raise NotSeen("the gateway's feed")

    def spawn_gateway(self) -> None:
        command = self.place([str(self.program), 'run', '--config', str(self.settings)])
        if not self.rt:
            command = ['prlimit', '--rtprio=0', 'setpriv', '--bounding-set=-sys_nice', *command]
        # With an empty environment too: every start is then the same sequence of programs.
        words = ['env', *(f'{name}={value}' for name, value in self.environment.items()), *command]
        with open(self.directory / 'gateway.log', 'ab') as log:
            self.gateway = self.children['gateway'] = Child(words, stdout=subprocess.PIPE, stderr=log)
        self.starts += 1
        self.spawned_ns = boot_ns()
        if self.console_is_read:
            self.listen('console', self.console_lines(self.gateway.stdout))
        self.listen('feed', self.feed_lines(self.gateway))

    def place(self, command: list[str]) -> list[str]:
        """Returns the command that starts the gateway in its place, such as a network namespace."""
        return command

    def kill_gateway(self) -> None:
        """Kills the gateway with SIGKILL. The caller starts it again."""
        self.gateway.kill()

    # ---- sources of events -------------------------------------------------------------

    def listen(self, source: str, lines: Iterable[Event]) -> None:
        def follow() -> None:
            try:
                for line in lines:
                    at = boot_ns()
                    with self.changed:
                        self.seen.append(
                            {'event': '', **line, 'source': source, 'seen_ns': at, 'start': self.starts})
                        self.changed.notify_all()
            except ValueError:
                # A pipe that is closed during a read; at the end of the house that is expected.
                if not self.is_over:
                    raise
        threading.Thread(target=follow, daemon=True).start()

    def wearable_lines(self) -> Iterator[Event]:
        while not self.is_over:
            try:
                lines = self.services.bluez.read_lines()
            except (OSError, AttributeError, ValueError):
                return
            if lines is None:
                return
            yield from map(json.loads, lines)

    def witness_lines(self, pipe: IO[bytes]) -> Iterator[Event]:
        for line in pipe:
            yield from witness.messages(line.decode(errors='replace'))

    def console_lines(self, pipe: IO[bytes]) -> Iterator[Event]:
        for line in pipe:
            yield {'event': 'line', 'text': line.decode(errors='replace')}

    def feed_lines(self, gateway: Child) -> Iterator[Event]:
        while gateway.running and not self.is_over:
            try:
                yield from control_socket.feed(self.directory / 'control.sock')
            except OSError:
                time.sleep(0.005)   # the gateway does not listen yet; a new socket sends no event: poll it

    def ask(self, **request: Any) -> dict[str, Any]:
        return control_socket.ask(self.directory / 'control.sock', PATIENCE_SECONDS, **request)

    # ---- waiting and searching ---------------------------------------------------------

    def mark(self) -> int:
        """Returns the present end of the list of events, for `since`."""
        return len(self.seen)

    def find(self, is_it: Condition, since: int = 0) -> list[Event]:
        return [e for e in self.seen[since:] if is_it(e)]

    def until(self, awaited: str, is_it: Condition, since: int = 0, seconds: float = PATIENCE_SECONDS) -> Event:
        """Returns the first event from `since` on that `is_it` accepts; NotSeen names `awaited` after the time-out."""
        end = time.monotonic() + seconds
        with self.changed:
            while True:
                if found := self.find(is_it, since):
                    return found[0]
                left = end - time.monotonic()
                if left <= 0:
                    raise NotSeen(f'not within {seconds} s: {awaited}')
                self.changed.wait(left)

    # ---- actions -----------------------------------------------------------------------

    def send(self, bpm: int) -> int:
        """Lets the strap send a reading. Returns the instant of CLOCK_BOOTTIME at which it did."""
        since = self.mark()
        self.services.bluez.perform({'op': 'send', 'id': STRAP, 'value': {'bpm': bpm, 'contact': True}})
        event = self.until('the strap sends', lambda e: e['source'] == 'wearable' and e['event'] in (
            'sent', 'dropped'), since)
        if event['event'] == 'dropped':
            raise NotSeen(f'a subscriber of the strap: {event["reason"]}')
        return int(event['boot_ns'])

    def calls(self, alarm: str | None = None, since: int = 0) -> list[Event]:
        """Returns the calls for help that the consumer at the broker received."""
        return self.find(lambda e: (
            e['source'] == 'broker' and e['topic'] == TOPIC and e.get('state') == 'confirmed'
            and alarm in (None, e['alarm'])), since)

    def alarms_kept(self) -> str:
        """Returns the content of the gateway's alarm file, empty where there is none."""
        try:
            return (self.state / 'alarms.json').read_text()
        except OSError:
            return ''

    def publish_signed(self, token: str) -> None:
        """Publishes a signed command."""
        subprocess.run(
            ['mosquitto_pub', '-p', str(self.services.broker.port), '-q', '1', '-t',
             f'trackme/v1/{GATEWAY}/commands', '-m', token], check=True, timeout=20)
