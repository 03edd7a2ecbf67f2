"""The house fixture of the guest: virtual wearables, the real bluetoothd, a broker, and the gateway under test.

Events are kept in lists, oldest first: `air` (events of the wearables), `feed` (`homegateway watch --json`), `broker`
(messages of an independent witness), `log` and `console` (lines of the gateway). No scenario sleeps for a result:
`until` checks its condition after each event, with a time-out.
"""
import asyncio
import contextlib
import datetime
import json
import pathlib
import sys
import time

from workbench import control_socket, witness
from workbench import gateway_settings as settings
from workbench.ble.async_child import Child, lines
from workbench.ble.scenarios.report import Failed, Report
from workbench.ble.stack import LOGS, Stack
from workbench.clock import boot_ns
from workbench.parts.port import answers

GATEWAY_PROGRAM = '/gateway/homegateway'
RUNTIME = {'LD_LIBRARY_PATH': '/opt/swift-runtime'}
GATEWAY = 'house'
BROKER_PORT = 1883
DIRECTORY = pathlib.Path('/run/house')
MEASUREMENT = '2a37'
CONTROL_SOCKET = DIRECTORY / 'control.sock'
PATIENCE_SECONDS = 90   # for a slow machine; an idle one takes a few seconds
PROMISED_MS = 5_000
LAST_BPM = 99   # the last value: its arrival shows that all earlier values have arrived


def strap(number=1, **more):
    """Returns a heart rate strap that sends on request."""
    return {'id': f'strap-{number}', 'kind': 'heart_rate', 'name': f'RIG HRM {number}',
            'address': f'C0:00:00:00:01:{number:02X}', 'script': [], 'person': f'person-{number}', **more}


def set_clock(days, hour):
    """Sets the wall clock forward, as a time server does. Nobody lives through the time between."""
    day = datetime.datetime.now().date() + datetime.timedelta(days=days)
    at = datetime.datetime.combine(day, datetime.time(hour))
    time.clock_settime(time.CLOCK_REALTIME, at.timestamp())


class GuestHouse:
    """`wearables`: peripherals as in peripherals.py, each with its `person`.

    `listed` false: not in the settings file yet. `button`: the meaning of a press of its button.
    `sos_keys`: further keys of [person.sos], for every person.
    """

    sos_keys: dict = {}

    def __init__(self, wearables, report):
        self.wearables, self.report = wearables, report
        self.feed, self.broker, self.log, self.console = [], [], [], []
        self.told = asyncio.Event()
        self.children, self.readers = [], []
        self.stack = Stack({'peripherals': wearables}, on_event=self.told.set)

    # ---- beginning and end -------------------------------------------------------------

    async def __aenter__(self):
        DIRECTORY.mkdir(exist_ok=True)
        (DIRECTORY / 'state').mkdir(mode=0o700, exist_ok=True)
        self.settings = DIRECTORY / 'gateway.toml'
        self.settings.write_text(self.settings_text(), encoding='utf-8')
        await self.stack.__aenter__()
        await self.start_broker()
        await self.start_gateway()
        return self

    async def __aexit__(self, *_):
        for child in reversed(self.children):
            await child.stop()
        await self.stack.__aexit__()
        for reader in self.readers:
            reader.cancel()

    def persons(self):
        """Returns the persons of the house, each once."""
        return list(dict.fromkeys(wearable['person'] for wearable in self.wearables))

    def settings_text(self):
        text = settings.house(GATEWAY, DIRECTORY, BROKER_PORT)
        text += settings.section('[gpsd]', enabled=False)
        for person in self.persons():
            text += settings.person(person, name=person, **self.sos_keys)
        for one in self.wearables:
            if one.get('listed', True):
                signals = {'button': one['button']} if 'button' in one else {}
                text += settings.wearable(one['id'], one['address'], one['person'], signals)
        return text

    async def child(self, *command, log=None, **more):
        child = await Child.start(*command, log=LOGS / f'{log}.log' if log else None, **more)
        self.children.append(child)
        return child

    async def start_broker(self):
        path = DIRECTORY / 'mosquitto.conf'
        path.write_text(
            f'listener {BROKER_PORT} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n'
            # No limit on the queue of a subscriber: the witness may not lose messages on a slow machine.
            'max_queued_messages 0\n', encoding='utf-8')
        await self.child('mosquitto', '-c', path, log='mosquitto')
        await self.poll(lambda: answers(BROKER_PORT), 'the broker listens')
        publisher = await self.child(*witness.ready_command(BROKER_PORT), log='publish')
        assert await publisher.process.wait() == 0, 'the retained message was not published: see publish.log'
        reader = await self.child(*witness.command(BROKER_PORT), log='witness')
        self.readers.append(asyncio.create_task(self.read_witness(reader)))
        await self.until(lambda: self.broker, 'the witness is subscribed')

    async def start_gateway(self):
        """Starts the gateway. Returns when it runs and its feed is read."""
        self.gateway = await self.child(
            GATEWAY_PROGRAM, 'run', '--config', self.settings, environment=RUNTIME)
        self.readers.append(asyncio.create_task(self.read_log(self.gateway)))
        self.readers.append(asyncio.create_task(self.read_console(self.gateway)))
        await self.poll(lambda: control_socket.is_listening(CONTROL_SOCKET), 'the gateway listens')
        self.watch = await self.child(
            GATEWAY_PROGRAM, 'watch', '--config', self.settings, '--json', log='watch', environment=RUNTIME)
        self.readers.append(asyncio.create_task(self.read_feed(self.watch)))
        await self.see_that_it_is_watched()

    async def stop_gateway(self):
        """Stops the gateway with SIGTERM, as systemd does."""
        await self.gateway.stop()
        await self.watch.process.wait()

    async def see_that_it_is_watched(self):
        """Repeats a request that the gateway refuses until the watch reports the refusal: then the watch works."""
        since = len(self.feed)
        def refused():
            return any(e['event'] == 'refused' for e in self.feed[since:])
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not refused():
                await control_socket.ask_async(CONTROL_SOCKET, **control_socket.PROBE)
                with contextlib.suppress(TimeoutError):
                    await self.until(refused, 'the watch tells of a refusal', seconds=0.2)

    async def kill_gateway(self):
        await self.gateway.kill()
        await self.watch.process.wait()   # the watch reports the end of the gateway, and ends

    # ---- sources of events -------------------------------------------------------------

    async def read_feed(self, child):
        with open(LOGS / 'feed.log', 'a', encoding='utf-8') as log:
            async for line in lines(child.process.stdout):
                log.write(line + '\n')
                self.feed.append({**json.loads(line), 'read_ns': boot_ns()})
                self.told.set()

    async def read_witness(self, child):
        async for line in lines(child.process.stdout):
            for message in witness.messages(line):
                self.broker.append({'read_ns': boot_ns(), **message})
            self.told.set()

    async def read_console(self, child):
        async for line in lines(child.process.stdout):
            self.console.append(line)
            self.told.set()

    async def read_log(self, child):
        with open(LOGS / 'gateway.log', 'a', encoding='utf-8') as log:
            async for line in lines(child.process.stderr):
                log.write(line + '\n')
                log.flush()
                self.log.append(line)
                self.told.set()

    # ---- waiting -----------------------------------------------------------------------

    async def until(self, look, what, seconds=PATIENCE_SECONDS):
        """Returns the result of `look` as soon as it is true."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := look()):
                    await self.told.wait()
                    self.told.clear()
                return found
        except TimeoutError:
            raise TimeoutError(f'not within {seconds} s: {what}') from None

    async def poll(self, look, what):
        """Waits for a condition without an event, such as a listening socket."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not look():
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise TimeoutError(f'not within {PATIENCE_SECONDS} s: {what}') from None

    # ---- events so far -----------------------------------------------------------------

    @property
    def air(self):
        return self.stack.events

    def of(self, event, device):
        return [e for e in self.air if e['event'] == event and e['id'] == device]

    def first(self, event, device):
        return self.of(event, device)[0]

    def last(self, event, device):
        return self.of(event, device)[-1]

    def times_subscribed(self, device, char=MEASUREMENT):
        return sum(1 for e in self.of('subscribed', device) if e['char'] == char)

    def sent(self, device, since=0):
        """Returns the values that were sent to a subscriber, oldest first."""
        return [e for e in self.air[since:] if e['event'] == 'sent' and e['id'] == device and e['heard']]

    def readings(self, device, since=0, kind='heart-rate'):
        """Returns the readings of one kind: a notification may contain several readings, each of another kind."""
        return [
            e for e in self.feed[since:]
            if e['event'] == 'reading' and e['device'] == device and e['kind'] == kind]

    def samples(self, device, since=0, kind='heart-rate'):
        return [
            m for m in self.broker[since:]
            if '/samples/' in m['topic'] and m['topic'].endswith(f'/{kind}') and m['device'] == device]

    def conditions(self, code, since=0):
        """Returns the transitions of a health condition: [True, False] for raised and cleared."""
        return [e['raised'] for e in self.feed[since:] if e['event'] == 'health' and e['code'] == code]

    async def quiet(self):
        """Returns when the witness has read all messages of the readings that were sent before."""
        # Readings wait up to 1 s for others of their person (`[broker] gather_milliseconds`), and 40 ms for the disk.
        await asyncio.sleep(1.5)
        await self.caught_up()

    async def caught_up(self):
        """Returns when the witness has read all messages that the broker has."""
        mark = {'topic': 'trackme/v1/witness/quiet', 'number': len(self.broker)}
        await self.publish(mark['topic'], {'number': mark['number']})
        await self.until(lambda: any(mark.items() <= m.items() for m in self.broker), 'the witness has read all')

    def mark(self):
        """Returns the present ends of the lists, for `since`."""
        return len(self.air), len(self.feed), len(self.broker)

    # ---- actions -----------------------------------------------------------------------

    async def publish(self, topic, payload, *options):
        """Publishes a message. Returns when the broker has it."""
        client = await self.child(
            'mosquitto_pub', '-h', '127.0.0.1', '-p', BROKER_PORT, '-q', '1', '-t', topic,
            '-m', json.dumps(payload), *options, log='publish')
        await client.process.wait()

    async def command(self, *words):
        """Runs `homegateway WORDS`. Returns exit status, standard output, standard error."""
        child = await self.child(GATEWAY_PROGRAM, *words, '--config', self.settings, environment=RUNTIME)
        output, errors = (text.decode() for text in await child.process.communicate())
        with open(LOGS / 'commands.log', 'a', encoding='utf-8') as log:
            log.write(f'$ homegateway {" ".join(words)}\n{output}{errors}-- status {child.process.returncode}\n')
        return child.process.returncode, output, errors

    async def succeed(self, *words):
        """Runs a command that must succeed. Returns its output."""
        status, output, errors = await self.command(*words)
        assert status == 0, f'homegateway {" ".join(words)}: status {status}: {output}{errors}'
        return output

    async def status(self):
        return '\n'.join((await ask('status'))['lines'])

    async def status_says(self, words):
        """Waits until the status has these words: the thread of the race updates its part once a second."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while words not in await self.status():
                await asyncio.sleep(0.2)

    async def subscription(self, device, times=1, char=MEASUREMENT):
        """Waits for the `times`-th subscription to `char`, and for the gateway's log line about it.

        The strap sees the subscription first: bluetoothd renews it on a new link before a client requests it.
        """
        await self.until(lambda: self.times_subscribed(device, char) >= times, f'{device} is subscribed to')
        await self.until(
            lambda: self.times_told(device) >= times, f'the gateway knows that {device} is subscribed to')

    def times_told(self, device):
        """Returns how often the gateway's log says that it is subscribed to the device."""
        return sum('message="wearable subscribed"' in line and f'device={device}' in line.split()
                   for line in self.log)

    def is_subscribed(self, device):
        """Returns the state by the events of the strap; the end of a link ends its subscription."""
        events = [e for e in self.air if e.get('id') == device and (
            e['event'] == 'disconnected'
            or e['event'] in ('subscribed', 'unsubscribed') and e['char'] == MEASUREMENT)]
        return bool(events) and events[-1]['event'] == 'subscribed'

    async def send(self, device, *bpm, **fields):
        for value in bpm:
            sent = await self.stack.air('send', id=device, value={'bpm': value, **fields})
            # The answer may overtake the event on the other pipe.
            await self.until(lambda: self.of('sent', device)[-1:] == [
                {'event': 'sent', 'id': device, **sent}], 'the strap tells of what it sent')

    async def delivered(self, device, since=(0, 0, 0), watched=True):
        """Checks that every value since then, except raw bytes, is on feed and broker once, in order.

        One more value is sent first; any duplicate arrives before it. Where the feed was not `watched` all the time,
        it may have only the last values, without a gap, and the broker may have earlier ones: those that a killed
        gateway had kept. Returns the number of values.
        """
        await self.send(device, LAST_BPM)
        in_air, in_feed, at_broker = since
        wanted = [e['value']['bpm'] for e in self.sent(device, in_air) if 'bpm' in e['value']]
        at_feed = await self.arrivals(lambda: self.readings(device, in_feed), len(wanted) if watched else 1)
        assert at_feed == (wanted if watched else wanted[-len(at_feed):]), f'feed: {difference(wanted, at_feed)}'
        got = await self.arrivals(lambda: self.samples(device, at_broker), len(wanted))
        if not watched:
            got = got[-len(wanted):]
        assert got == wanted, f'broker: {difference(wanted, got)}'
        ids = [m['id'] for m in self.samples(device, at_broker)]
        assert len(ids) == len(set(ids)), 'a message id came twice'
        return len(wanted)

    async def settled(self, device):
        """Sends one more value and waits for it: all earlier values have then arrived, since the order is kept."""
        _, in_feed, at_broker = self.mark()
        await self.send(device, LAST_BPM)
        await self.arrivals(lambda: self.readings(device, in_feed), 1)
        await self.arrivals(lambda: self.samples(device, at_broker), 1)

    async def arrivals(self, look, count):
        """Returns the values that arrived up to the last one, or up to the time-out."""
        with contextlib.suppress(TimeoutError):   # the caller compares, and names the missing values
            await self.until(
                lambda: len(look()) >= max(count, 1) and look()[-1]['value'] == LAST_BPM, 'the last one')
        return [round(e['value']) for e in look()]

    def latencies(self, device, since=(0, 0, 0)):
        """Returns the duration from each sending to its line of the feed. Valid after `delivered`."""
        pairs = zip(self.sent(device, since[0]), self.readings(device, since[1]), strict=True)
        return [reading['read_ns'] - sent['boot_ns'] for sent, reading in pairs]


def difference(wanted, got):
    pairs = zip(wanted, got, strict=False)
    at = next((n for n, (left, right) in enumerate(pairs) if left != right), min(len(wanted), len(got)))
    return (f'{len(wanted)} sent, {len(got)} arrived; they part at the {at + 1}th: '
            f'sent {wanted[at:at + 8]}, arrived {got[at:at + 8]}')


async def ask(verb, **fields):
    """Sends one request to the running gateway and returns its answer."""
    return await control_socket.ask_async(CONTROL_SOCKET, verb=verb, **fields)


async def setup(wanted, what):
    """Asks for the state of the work on wearables, as a page does, until it is the wanted one."""
    for _ in range(600):
        state = (await ask('device_setup', by='Gino'))['device_setup']
        if wanted(state):
            return state
        await asyncio.sleep(0.2)
    raise AssertionError(f'{what}: {state}')


def play(wearables, scenario, make=GuestHouse):
    """Runs `scenario(house, report)` and ends the process with its verdict."""
    async def run(report):
        try:
            async with make(wearables, report) as house:
                await scenario(house, report)
        except Failed:
            pass
        except Exception as problem:
            report.failed += 1
            print(f'FAIL  the house stands  {type(problem).__name__}: {problem}', flush=True)
    report = Report()
    asyncio.run(run(report))
    sys.exit(report.close())
