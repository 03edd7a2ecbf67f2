"""A house of its own for one fault: real bus, broker, gpsd, the gateway under test, and who watches it.

All that is seen is kept in one list with the instant of CLOCK_BOOTTIME at which it was seen; what a wearable
sent carries the wearable's own instant. Nobody here asks the gateway for its own judgement of itself.
"""
import contextlib
import json
import socket
import subprocess
import threading
import time
from dataclasses import dataclass

from workbench import gateway_settings as settings
from workbench.clock import boot_ns
from workbench.parts.child import Child
from workbench.parts.mosquitto import Mosquitto
from workbench.services import Services

GATEWAY, PERSON, STRAP = 'e2e-house', 'maria', 'strap'
TOPIC = f'trackme/v1/{GATEWAY}/sos/{PERSON}'
CALM, RACING = 72, 150
MEASUREMENT = '2a37'
PATIENCE_SECONDS = 40   # for a busy machine to start something; nothing measured waits that long
READY_TOPIC = 'trackme/v1/e2e-witness/ready'


@dataclass(frozen=True)
class Pace:
    """How an episode goes: readings until it is believed, seconds between them, and the window to cancel."""
    readings: int
    gap: float
    within: float
    window: float

    @property
    def confirmation(self):
        return (self.readings - 1) * self.gap


# As an installer leaves it (4.4 s of the promised 5.0 are planned), and one with which many fit a minute.
ORDINARY = Pace(readings=3, gap=0.95, within=2.0, window=2.5)
SHORT = Pace(readings=2, gap=0.2, within=1.0, window=0.7)


class NotSeen(Exception):
    """What was waited for did not come. The text says what."""


class LastingBroker(Mosquitto):
    """Remembers over a restart who listens, so that the witness misses nothing of what comes after it."""

    def settings(self):
        return super().settings().replace(
            'persistence false', f'persistence true\npersistence_location {self.directory}/')


class House:
    """`with House(...)`: everything runs, and the strap is listened to."""

    broker_class = LastingBroker
    witness_topics = ['trackme/v1/#']

    def __init__(self, program, pace, environment=None, console_is_read=True, rt=True, gpsd=False, prepare=None):
        self.program, self.pace, self.environment = program, pace, environment or {}
        self.console_is_read, self.rt, self.prepare = console_is_read, rt, prepare
        self.services = Services(
            {'peripherals': [{'id': STRAP, 'kind': 'heart_rate', 'address': 'C0:FF:EE:00:00:01', 'name': 'Strap'}]},
            gpsd=gpsd, broker=False)
        self.seen, self.changed = [], threading.Condition()
        self.gateway = self.witness = None
        self.starts = 0
        self.is_over = False

    # ---- beginning and end -------------------------------------------------------------

    def __enter__(self):
        self.cleanup = contextlib.ExitStack()   # what a fault has put in place, undone before the rest ends
        self.cleanup.enter_context(self.services)
        try:
            self.directory = self.services.directory
            self.services.broker = self.cleanup.enter_context(self.broker_class(self.directory))
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

    def __exit__(self, *reason):
        self.is_over = True
        for child in (self.gateway, self.witness):
            if child:
                child.process.kill()
                child.stop()
        self.cleanup.__exit__(*reason)

    def write_settings(self):
        addresses = self.services.addresses()
        gpsd = {'port': addresses['gpsd_port']} if 'gpsd_port' in addresses else {'enabled': False}
        self.settings = self.directory / 'gateway.toml'
        self.settings.write_text(
            settings.house(GATEWAY, self.directory, self.broker_port())
            + settings.section('[bluetooth]', bus=addresses['bus']) + settings.section('[gpsd]', **gpsd)
            + settings.section(
                '[[person]]', id=PERSON, name='Maria Rossi', data_policy='accepted', automated_sos='accepted')
            + settings.section(
                '[person.sos]', abort_window_seconds=self.pace.window, repeat_seconds=300, **self.calling())
            + settings.section(
                '[person.sos.heart_rate]', low=40, high=131, confirm_readings=self.pace.readings,
                confirm_within_seconds=self.pace.within)
            + settings.wearable(STRAP, 'C0:FF:EE:00:00:01', PERSON) + self.more_settings(), encoding='utf-8')

    def broker_port(self):
        """Where the gateway looks for its broker."""
        return self.services.broker.port

    def calling(self):
        """More keys of [person.sos]: which channels are called."""
        return {}

    def more_settings(self):
        """Sections of a house of another kind."""
        return ''

    def start_witness(self):
        """A client of its own at the broker; the message kept there is how it is seen to listen."""
        port = str(self.services.broker.port)
        subprocess.run(['mosquitto_pub', '-p', port, '-t', READY_TOPIC, '-r', '-m', '{}'], check=True, timeout=20)
        since = self.mark()
        self.witness = Child(
            ['mosquitto_sub', '-p', port, *(word for topic in self.witness_topics for word in ('-t', topic)),
             '-q', '1', '-F', '%t %p', '-i', 'witness', '-c'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.listen('broker', self.witness_lines(self.witness.process.stdout))
        self.until('the witness listens', lambda e: e.get('topic') == READY_TOPIC, since)

    def start_gateway(self):
        """Returns when the strap is listened to, the broker has the gateway, and its feed is followed."""
        since = self.mark()
        self.spawn_gateway()
        self.wait_until_followed(since)
        self.until('the gateway is at the broker', lambda e: e.get('topic', '').endswith('/status'), since)

    def wait_until_followed(self, since):
        """The strap is listened to, and the feed is heard: it tells that something meaningless was refused."""
        self.until('the strap is listened to', lambda e: (
            e['source'] == 'wearable' and e['event'] == 'subscribed' and MEASUREMENT in e['characteristic']), since)
        for _ in range(PATIENCE_SECONDS * 5):
            with contextlib.suppress(NotSeen, OSError):
                self.ask(verb='exercise', person='nobody')
                return self.until('its feed', lambda e: e['source'] == 'feed' and e['event'] == 'refused', since, 0.2)
        raise NotSeen("the gateway's feed")

    def spawn_gateway(self):
        command = self.place([str(self.program), 'run', '--config', str(self.settings)])
        if not self.rt:
            command = ['prlimit', '--rtprio=0', 'setpriv', '--bounding-set=-sys_nice', *command]
        # Also where there is nothing to add: what is started is then always one program after the other.
        words = ['env', *(f'{name}={value}' for name, value in self.environment.items()), *command]
        with open(self.directory / 'gateway.log', 'ab') as log:
            self.gateway = Child(words, stdout=subprocess.PIPE, stderr=log)
        self.starts += 1
        self.spawned_ns = boot_ns()
        if self.console_is_read:
            self.listen('console', self.console_lines(self.gateway.process.stdout))
        self.listen('feed', self.feed_lines(self.gateway))

    def place(self, command):
        """Where the gateway runs."""
        return command

    def kill_gateway(self):
        """As the kernel kills: nothing is finished. The next start is the caller's."""
        self.gateway.process.kill()
        self.gateway.process.wait()

    # ---- who is listened to ------------------------------------------------------------

    def listen(self, source, lines):
        def follow():
            try:
                for line in lines:
                    at = boot_ns()
                    with self.changed:
                        self.seen.append(
                            {'event': '', **line, 'source': source, 'seen_ns': at, 'start': self.starts})
                        self.changed.notify_all()
            except ValueError:
                # A pipe that is closed while it is read; before the end it is none of the house's doing.
                if not self.is_over:
                    raise
        threading.Thread(target=follow, daemon=True).start()

    def wearable_lines(self):
        while not self.is_over:
            try:
                lines = self.services.bluez.read_lines()
            except (OSError, AttributeError, ValueError):
                return
            if lines is None:
                return
            yield from map(json.loads, lines)

    def witness_lines(self, pipe):
        for line in pipe:
            topic, _, payload = line.decode(errors='replace').rstrip('\n').partition(' ')
            yield {**json.loads(payload), 'topic': topic}

    def console_lines(self, pipe):
        for line in pipe:
            yield {'event': 'line', 'text': line.decode(errors='replace')}

    def feed_lines(self, gateway):
        while gateway.running and not self.is_over:
            try:
                with socket.socket(socket.AF_UNIX) as stream:
                    stream.connect(str(self.directory / 'control.sock'))
                    stream.sendall(b'{"verb":"watch"}\n')
                    for line in stream.makefile('rb'):
                        event = json.loads(line)
                        if 'event' in event:
                            yield event
            except OSError:
                time.sleep(0.005)   # it does not listen yet; a socket announces itself to nobody

    def ask(self, **request):
        with socket.socket(socket.AF_UNIX) as stream:
            stream.settimeout(PATIENCE_SECONDS)
            stream.connect(str(self.directory / 'control.sock'))
            stream.sendall(json.dumps(request).encode() + b'\n')
            return json.loads(stream.makefile('rb').readline())

    # ---- waiting and looking -----------------------------------------------------------

    def mark(self):
        return len(self.seen)

    def find(self, is_it, since=0):
        return [e for e in self.seen[since:] if is_it(e)]

    def until(self, what, is_it, since=0, seconds=PATIENCE_SECONDS):
        """The first that `is_it`, from `since` on; NotSeen when it does not come."""
        end = time.monotonic() + seconds
        with self.changed:
            while True:
                if found := self.find(is_it, since):
                    return found[0]
                left = end - time.monotonic()
                if left <= 0:
                    raise NotSeen(f'not within {seconds} s: {what}')
                self.changed.wait(left)

    # ---- what happens in it ------------------------------------------------------------

    def send(self, bpm):
        """The instant at which the strap sent it."""
        since = self.mark()
        self.services.bluez.perform({'op': 'send', 'id': STRAP, 'value': {'bpm': bpm, 'contact': True}})
        event = self.until('the strap sends', lambda e: e['source'] == 'wearable' and e['event'] in (
            'sent', 'dropped'), since)
        if event['event'] == 'dropped':
            raise NotSeen(f'the strap has nobody to send to: {event["reason"]}')
        return event['boot_ns']

    def calls(self, alarm=None, since=0):
        """The calls for help as the consumer at the broker got them."""
        return self.find(lambda e: (
            e['source'] == 'broker' and e['topic'] == TOPIC and e.get('state') == 'confirmed'
            and alarm in (None, e['alarm'])), since)

    def alarms_kept(self):
        try:
            return (self.state / 'alarms.json').read_text()
        except OSError:
            return ''
