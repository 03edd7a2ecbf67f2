"""Houses with several channels: the broker, an ambulance service over HTTP, and texts through ModemManager.

Each fault takes away one of them, or all, and names the others. The call must be at one of these within the promise, in
any order of the settings. The time counts until a machine at the other end has the call.
"""
import contextlib
import json
import socket
import subprocess
import threading
import time

from workbench import gateway_settings as settings
from workbench.house import GATEWAY, NotSeen
from workbench.parts.child import Child
from workbench.parts.modem_manager import ModemManager
from workbench.parts.mosquitto import PersistentBroker
from workbench.parts.port import HOST, free_port
from workbench.paths import program
from workbench.sos.episode import begin, end, lost_and_doubled, watch_alarm
from workbench.sos.result import Result
from workbench.web.web_house import WebHouse

TOLD_LIMIT_MS = 2_000   # from the order until the room knows that no call was delivered
SLOW_SECONDS = 1.5   # an acknowledgement of a slow broker
NOT_REACHED, ARRIVED = 'I keep trying', 'I called for help'


class Ambulance:
    """The ambulance service on a port that stays the same over a restart."""

    def __init__(self, house, path):
        self.house, self.port, self.path = house, free_port(), path
        self.child: Child | None = None

    @property
    def settings(self):
        # The path of a service that fails for calls only: the test of the connection sends none.
        return settings.section(
            '[[channel]]', id='ambulance', type='https', url=f'http://{HOST}:{self.port}{self.path}',
            addresses=['118-milano'], test='options')

    def start(self):
        self.child = Child(
            [*program('ambulance_service'), '--port', self.port, '--tell-answers'], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        output = self.child.stdout
        if 'port' not in json.loads(output.readline()):
            raise NotSeen('the ambulance service')
        self.house.listen('ambulance', map(json.loads, output))

    def stop(self):
        if self.child:
            self.child.process.kill()
            self.child.stop()
            self.child = None

    def freeze(self):
        if self.child:
            self.child.freeze()

    def thaw(self):
        if self.child:
            self.child.thaw()


class Texts(ModemManager):
    """ModemManager on the bus of the house. A sent text is an event of the source `texts`."""

    def __init__(self, house):
        super().__init__(house.directory, house.services.bus.address)
        self.house = house

    @property
    def settings(self):
        return settings.section(
            '[[channel]]', id='texts', type='sms', recipients=['+393331234567'], bus=self.bus_address)

    def start(self):
        super().start()
        self.house.listen('texts', self.sent(self.output))

    @staticmethod
    def sent(output):
        for line in map(json.loads, output):
            if 'sms' in line:
                yield {'event': 'sent', 'text': line['sms']['text']}


class SlowRelay:
    """A relay between the gateway and its broker that delays the broker's bytes."""

    def __init__(self, port):
        self.target, self.listener = port, socket.create_server((HOST, 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection((HOST, self.target))
                threading.Thread(target=self.carry, args=(client, server, 0), daemon=True).start()
                threading.Thread(target=self.carry, args=(server, client, SLOW_SECONDS), daemon=True).start()

    @staticmethod
    def carry(source, sink, delay):
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                time.sleep(delay)
                sink.sendall(piece)
        for side in (source, sink):
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)

    def stop(self):
        self.listener.close()


class RefusingBroker(PersistentBroker):
    """A broker that refuses calls for help and accepts all other messages."""

    def settings(self):
        rules = self.directory / 'rules'
        rules.write_text(f'topic readwrite #\ntopic deny trackme/v1/{GATEWAY}/sos/#\n')
        return super().settings() + f'acl_file {rules}\n'


class ChannelHouse(WebHouse):
    """`order`: the channels in the order of the settings. `never`: channels that are not started."""

    def __init__(self, run, order, path='/take', never=(), is_slow=False, refuses=False):
        super().__init__(run.program, run.pace, devices=1, prepare=type(self).start_channels)
        self.order, self.path, self.never, self.is_slow = order, path, never, is_slow
        if refuses:
            self.broker_class = RefusingBroker

    def start_channels(self):
        self.ambulance, self.texts = Ambulance(self, self.path), Texts(self)
        for name in ('ambulance', 'texts'):
            part = getattr(self, name)
            self.cleanup.callback(part.stop)
            if name not in self.never:
                part.start()
        self.relay = SlowRelay(self.services.broker.port) if self.is_slow else None
        if self.relay:
            self.cleanup.callback(self.relay.stop)

    def broker_port(self):
        return self.relay.port if self.relay else super().broker_port()

    def calling(self):
        return {'channels': self.order}

    def more_settings(self):
        return self.ambulance.settings + self.texts.settings

    def until_dead(self, *channels):
        """Waits until the gateway has reported each channel as dead."""
        for channel in channels:
            code, subject = ('broker-unreachable', None) if channel == 'mqtt' else ('channel-failing', channel)
            condition = ('health', code, subject, True)
            self.until(f'{channel} is known to be dead', lambda e: (
                e['event'], e.get('code'), e.get('subject'), e.get('raised')) == condition)

    def room(self, words, since):
        return self.until(f'"{words}" on the console', lambda e: e['source'] == 'console' and words in e['text'], since)


def has_call(house, event, alarm, channel):
    """Returns true when the event shows that a machine outside the house has the call."""
    return event['source'] == {'mqtt': 'broker'}.get(channel, channel) and {
        'mqtt': lambda: event.get('alarm') == alarm and event.get('state') == 'confirmed',
        'ambulance': lambda: event.get('answered') == alarm,
        # The text names no alarm; the house has one at a time.
        'texts': lambda: event['text'].startswith('HELP NEEDED')}[channel]()


def watch_hand_over(house, episode, left):
    def channel_of(event):
        return next((channel for channel in left if has_call(house, event, episode.alarm, channel)), None)
    event = house.until(f'the call at one of {left}', channel_of, episode.since)
    episode.dispatch_ns, episode.through = event['seen_ns'], channel_of(event)


def play(run, house, left, after_last=None, mend=lambda: None):
    """Plays several emergencies. `left`: the channels that the fault leaves alive."""
    result = Result()
    for number in range(run.count):
        episode = begin(house, after_last=after_last)
        watch_alarm(house, episode)
        watch_hand_over(house, episode, left)
        house.room(ARRIVED, episode.since)
        result.episodes.append(episode)
        mend()
        end(house, episode, result if number == run.count - 1 else None)
    result.remarks.append('by ' + ', '.join(dict.fromkeys(e.through for e in result.episodes)))
    return result


def counted(result, house):
    """Adds the lost and doubled calls: in the end the broker must have each call too."""
    result.lost, result.doubled = lost_and_doubled(house, result.episodes)
    return result


# ---- the faults ------------------------------------------------------------------------

BROKER_FIRST = ['mqtt', 'ambulance', 'texts']
AMBULANCE_FIRST = ['ambulance', 'mqtt', 'texts']
TEXTS_FIRST = ['texts', 'mqtt', 'ambulance']


def broker_dead(run):
    with ChannelHouse(run, BROKER_FIRST) as house:
        since = house.mark()
        house.services.broker.stop()
        house.until_dead('mqtt')
        result = play(run, house, ['ambulance'])
        if house.calls(since=since):
            result.broken.append('calls at a broker that was gone: the fault was none')
        house.services.broker.start()
        return counted(result, house)


def broker_back(house):
    since = house.mark()
    house.services.broker.start()
    house.until('the broker is back', lambda e: (e['event'], e.get('code'), e.get('raised')) == (
        'health', 'broker-unreachable', False), since)


def broker_dies(run):
    with ChannelHouse(run, BROKER_FIRST) as house:
        return counted(play(
            run, house, ['ambulance'], after_last=house.services.broker.stop, mend=lambda: broker_back(house)), house)


def broker_hangs(run):
    """A fault from the readings on, which is not yet noticed when help is called."""
    with ChannelHouse(run, BROKER_FIRST) as house:
        broker = house.services.broker
        return counted(play(run, house, ['ambulance'], after_last=broker.freeze, mend=broker.thaw), house)


def broker_refuses(run):
    with ChannelHouse(run, BROKER_FIRST, refuses=True) as house:
        return play(run, house, ['ambulance'])


def broker_slow(run):
    with ChannelHouse(run, BROKER_FIRST, is_slow=True) as house:
        return counted(play(run, house, ['mqtt', 'ambulance']), house)


def ambulance_dead(run):
    with ChannelHouse(run, AMBULANCE_FIRST, never=['ambulance']) as house:
        house.until_dead('ambulance')
        return counted(play(run, house, ['mqtt']), house)


def ambulance_dies(run):
    with ChannelHouse(run, AMBULANCE_FIRST) as house:
        return counted(play(
            run, house, ['mqtt'], after_last=house.ambulance.stop, mend=house.ambulance.start), house)


def ambulance_hangs(run):
    with ChannelHouse(run, AMBULANCE_FIRST, '/hang') as house:
        return counted(play(run, house, ['mqtt']), house)


def ambulance_refuses(run):
    with ChannelHouse(run, AMBULANCE_FIRST, '/status/403') as house:
        return counted(play(run, house, ['mqtt']), house)


def ambulance_slow(run):
    with ChannelHouse(run, AMBULANCE_FIRST, '/slow/3') as house:
        return counted(play(run, house, ['ambulance', 'mqtt']), house)


def texts_dead(run):
    with ChannelHouse(run, TEXTS_FIRST, never=['texts']) as house:
        house.until_dead('texts')
        return counted(play(run, house, ['mqtt']), house)


def texts_hang(run):
    with ChannelHouse(run, TEXTS_FIRST) as house:
        house.texts.tell('silent')
        return counted(play(run, house, ['mqtt']), house)


def two_dead(run):
    with ChannelHouse(run, BROKER_FIRST, never=['ambulance']) as house:
        house.services.broker.stop()
        house.until_dead('mqtt', 'ambulance')
        result = play(run, house, ['texts'])
        house.services.broker.start()
        return counted(result, house)


def all_dead(run):
    """No channel works: the room must be told, and told again when that changes. There is no hand-over to measure."""
    with ChannelHouse(run, BROKER_FIRST, never=['ambulance', 'texts']) as house:
        result, worst = Result(), 0
        for number in range(min(run.count, 2)):
            house.services.broker.stop()
            house.until_dead('mqtt', *(['ambulance', 'texts'] if number == 0 else []))
            since = house.mark()
            episode = begin(house)
            watch_alarm(house, episode)
            order = house.until('the order', lambda e: e['source'] == 'feed' and e['event'] == 'dispatch', since)
            line = house.room(NOT_REACHED, since)
            worst = max(worst, (line['seen_ns'] - order['boot_ns']) / 1e6)
            if house.find(lambda e: e['source'] == 'console' and ARRIVED in e['text'], since):
                result.broken.append('the room heard of a call that had not arrived')
            house.services.broker.start()
            house.room(ARRIVED, since)
            # Without a live channel, the promise is the order to all channels.
            episode.dispatch_ns = order['boot_ns']
            result.episodes.append(episode)
            end(house, episode, result if number == min(run.count, 2) - 1 else None)
        result.remarks.append(f'ordered; the room knew after {worst:.0f} ms')
        if worst > TOLD_LIMIT_MS:
            result.broken.append(f'the room knew after {worst:.0f} ms that nobody is reached (limit {TOLD_LIMIT_MS})')
        return counted(result, house)


FAULTS = [
    ('broker dead before', broker_dead),
    ('broker dies during', broker_dies),
    ('broker hangs', broker_hangs),
    ('broker refuses', broker_refuses),
    ('broker slow', broker_slow),
    ('ambulance dead before', ambulance_dead),
    ('ambulance dies during', ambulance_dies),
    ('ambulance hangs', ambulance_hangs),
    ('ambulance refuses', ambulance_refuses),
    ('ambulance slow', ambulance_slow),
    ('texts first, dead before', texts_dead),
    ('texts first, hanging', texts_hang),
    ('broker and ambulance dead', two_dead),
    ('every channel dead', all_dead)]
# The faults of a quick run.
TELLING = {
    'broker dead before', 'broker dies during', 'broker hangs', 'ambulance refuses', 'ambulance hangs',
    'every channel dead'}
