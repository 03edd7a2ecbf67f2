"""One emergency in a house, from the strap's first dangerous reading to the call for help."""
import contextlib
import time
from dataclasses import dataclass

from workbench.clock import boot_ns
from workbench.house import CALM, RACING, NotSeen
from workbench.sos import said


@dataclass
class Episode:
    """`crossing_ns`, `confirmation_ns`: instants of sending, by the strap's clock."""
    crossing_ns: int
    confirmation_ns: int
    window_end_ns: int
    since: int
    alarm: str = ''
    alarm_ns: int = 0
    dispatch_ns: int = 0   # when a machine outside the house had the call
    location: str = ''
    through: str = ''   # the channel, in a house with several

    @property
    def alarm_ms(self):
        return (self.alarm_ns - self.confirmation_ns) / 1e6

    @property
    def dispatch_s(self):
        return (self.dispatch_ns - self.crossing_ns) / 1e9

    @property
    def late_ms(self):
        return (self.dispatch_ns - self.window_end_ns) / 1e6


def begin(house, after_first=None, after_last=None):
    """Sends the dangerous readings. With `after_first` only one, which the gateway confirms by time."""
    since = house.mark()
    crossing = last = house.send(RACING)
    house.sampler = said.Sampler(house, since, crossing)
    if after_first:
        after_first()
        confirmation = crossing + int(house.pace.within * 1e9)
    else:
        for number in range(1, house.pace.readings):
            time.sleep(max(0, (crossing + number * house.pace.gap * 1e9 - boot_ns()) / 1e9))
            last = house.send(RACING)
        confirmation = min(last, crossing + int(house.pace.within * 1e9))
    if after_last:
        after_last()
    return Episode(crossing, confirmation, confirmation + int(house.pace.window * 1e9), since)


def watch_alarm(house, episode):
    """Waits for the alarm in the house: the line on its console, or the gateway's feed where no console is read."""
    event = house.until('an alarm', lambda e: e['source'] == 'feed' and e['event'] == 'alarm', episode.since)
    episode.alarm = event['alarm']
    if house.console_is_read:
        event = house.until('a line on the console', lambda e: (
            e['source'] == 'console' and 'Heart rate too' in e['text']), episode.since)
        episode.alarm_ns = event['seen_ns']
    else:
        episode.alarm_ns = event['seen_ns']


def watch_dispatch(house, episode, at_broker=True):
    """Waits for the call at the consumer; where the broker fails, for the order to the channel."""
    source = 'broker' if at_broker else 'feed'
    event = house.until('a call for help', lambda e: (
        e['source'] == source and e.get('alarm') == episode.alarm
        and (e.get('state') == 'confirmed' or e['event'] == 'dispatch')), episode.since)
    episode.dispatch_ns = event['seen_ns'] if at_broker else event['boot_ns']
    episode.location = (event.get('location') or {}).get('source', '')


def end(house, episode, result=None):
    """Sends a calm reading, and ends the alarm as a person does.

    `result`: of the last episode of a fault. It gets the sentences, and the alarm ends after their last sample.
    """
    if result:
        house.sampler.last()
        result.said = house.sampler.samples
    house.ahead += house.sampler.ahead()
    if result:
        result.broken += [f'ahead of the facts: {words}' for words in house.ahead]
    house.send(CALM)
    house.until('the calm reading', lambda e: (
        e['source'] == 'feed' and e['event'] == 'reading' and e['value'] == CALM), episode.since)
    house.ask(verb='resolve', by='Operator 7')
    house.until('the end of the alarm', lambda e: (
        e['source'] == 'feed' and e['event'] == 'resolved' and e['alarm'] == episode.alarm), episode.since)


def call_for_help(house, at_broker=True, **moments):
    episode = begin(house, **moments)
    watch_alarm(house, episode)
    watch_dispatch(house, episode, at_broker)
    return episode


def lost_and_doubled(house, episodes, seconds=20):
    """Returns the number of calls that the consumer did not get, and of repeats with the same alarm and round.

    A call that comes again under its own id is no repeat: a consumer keeps one of each id.
    """
    for episode in episodes:
        with contextlib.suppress(NotSeen):
            house.until('the call at the broker', lambda e: (
                e['source'] == 'broker' and e.get('state') == 'confirmed' and e['alarm'] == episode.alarm), 0, seconds)
    calls = [(e['alarm'], e['round']) for e in {e['id']: e for e in house.calls()}.values()]
    alarms = {episode.alarm for episode in episodes}
    return len(alarms - {alarm for alarm, _ in calls}), len(calls) - len(set(calls))
