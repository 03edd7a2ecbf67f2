"""kill -9 at every phase of an alarm, and the restart at once.

Each function returns the episode and the number of repeated calls that it allows: the gateway must repeat a call when
its acknowledgement died with the process, under the same alarm and round.
"""
import hashlib
import json
import time

from workbench.clock import boot_ns
from workbench.sos.episode import begin, call_for_help, end, watch_alarm, watch_dispatch

DURABLE_SECONDS = 20
START_NS = 1_000_000_000   # the budget from the start to the first reading judged
SLACK_NS = 250_000_000   # for a timer and a witness on a busy machine


def again(house):
    house.kill_gateway()
    house.spawn_gateway()


def kept(house, is_it, what):
    """Waits until the disk has the state: after a kill, the gateway knows only the content of the disk."""
    limit = time.monotonic() + DURABLE_SECONDS
    while not is_it(house.alarms_kept()):
        if time.monotonic() > limit:
            raise TimeoutError(f'not on the disk within {DURABLE_SECONDS} s: {what}')
        time.sleep(0.002)


def goes_on(house, episode, since, result):
    """Checks after a restart that the same alarm goes on, with its call before its own deadline."""
    if not episode.dispatch_ns:
        watch_dispatch(house, episode)
        due_ns = max(episode.window_end_ns, house.spawned_ns + START_NS)
        if episode.dispatch_ns > due_ns + SLACK_NS:
            result.broken.append(f'called {(episode.dispatch_ns - due_ns) / 1e6:.0f} ms after its own deadline')
    house.wait_until_followed(since)
    # This start repeats a call of an earlier episode that the broker had not acknowledged, as it must.
    earlier = {e['alarm'] for e in house.seen[:episode.since] if e['source'] == 'feed' and e.get('alarm')}
    others = {e['alarm'] for e in house.calls(since=episode.since)} - {episode.alarm} - earlier
    if others:
        result.broken.append(f'another alarm was made of it: {others}')
    end(house, episode, house.last)
    return episode


def before_crossing(house, number, result):
    kept(house, lambda text: not text, 'the end of the one before')
    since = house.mark()
    again(house)
    house.wait_until_followed(since)
    episode = call_for_help(house)
    end(house, episode, house.last)
    return episode, 0


def confirming(house, number, result):
    """A kill after one dangerous reading. The next ones are lost, so the gateway must confirm by time."""
    marks = []

    def kill():
        kept(house, lambda text: 'confirming' in text, 'the crossing')
        marks.append(house.mark())
        again(house)
    episode = begin(house, after_first=kill)
    watch_alarm(house, episode)
    return goes_on(house, episode, marks[0], result), 0


def in_window(house, number, result):
    episode = begin(house)
    watch_alarm(house, episode)
    kept(house, lambda text: 'window' in text, 'the window')
    since = house.mark()
    again(house)
    return goes_on(house, episode, since, result), 0


def at_alarm(house, number, result):
    """A kill before the alarm is on the disk: the file still has the earlier state. The promise holds all the same."""
    episode = begin(house)
    watch_alarm(house, episode)
    since = house.mark()
    again(house)
    episode.window_end_ns = episode.crossing_ns + int((house.pace.within + house.pace.window) * 1e9)
    return goes_on(house, episode, since, result), 0


def at_window_end(house, number, result):
    """A kill some milliseconds around the end of the window. After it, the call may have gone out already."""
    episode = begin(house)
    watch_alarm(house, episode)
    kept(house, lambda text: 'window' in text, 'the window')
    offset_ms = (-15, 0, 5, -5, 15)[number % 5]
    time.sleep(max(0, (episode.window_end_ns - boot_ns()) / 1e9 + offset_ms / 1000))
    since = house.mark()
    again(house)
    return goes_on(house, episode, since, result), 1


def before_acknowledgement(house, number, result):
    """A kill while the broker has the call in its socket and does not answer."""
    episode = begin(house, after_last=house.services.broker.freeze)
    try:
        watch_alarm(house, episode)
        # By the order to the channel: the broker does not answer, so its witness gets nothing.
        watch_dispatch(house, episode, at_broker=False)
        since = house.mark()
        again(house)
    finally:
        house.services.broker.thaw()
    return goes_on(house, episode, since, result), 1


def before_acceptance(house, number, result):
    episode = call_for_help(house)
    kept(house, lambda text: 'handedOver' in text, 'the acknowledgement')
    house.until('the hand-over', lambda e: e['event'] == 'handed-over' and e['alarm'] == episode.alarm, episode.since)
    time.sleep(0.2)
    since = house.mark()
    again(house)
    house.until('the alarm sounds again', lambda e: e['source'] == 'console' and 'Heart rate too' in e['text'], since)
    return goes_on(house, episode, since, result), 0


def after_acceptance(house, number, result):
    """An alarm that a person has ended stays ended."""
    episode = call_for_help(house)
    end(house, episode, house.last)
    kept(house, lambda text: not text, 'the end')
    since = house.mark()
    again(house)
    house.wait_until_followed(since)
    time.sleep(house.pace.window + 0.3)   # past the instant at which a revived alarm would call
    if revived := house.find(lambda e: e['source'] == 'console' and 'Heart rate too' in e['text'], since):
        result.broken.append(f'an ended alarm came back: {len(revived)}')
    return episode, 0


def power_cut(house, number, result):
    """A restart of the machine: its duration is unknown, so the gateway calls without waiting for the window."""
    episode = begin(house)
    watch_alarm(house, episode)
    kept(house, lambda text: 'window' in text, 'the window')
    house.kill_gateway()
    path = house.state / 'alarms.json'
    content = json.loads(path.read_text().rpartition('\n#sha256 ')[0])
    content['boot'] = '00000000-0000-0000-0000-00000000e2e0'
    text = json.dumps(content)
    for name in ('alarms.json', 'alarms-copy.json'):
        (house.state / name).write_text(f'{text}\n#sha256 {hashlib.sha256(text.encode()).hexdigest()}\n')
    since = house.mark()
    house.spawn_gateway()
    episode.window_end_ns = house.spawned_ns
    goes_on(house, episode, since, result)
    return episode, 0


PHASES = [
    ('before the crossing', before_crossing), ('while confirming', confirming), ('at the alarm', at_alarm),
    ('in the window', in_window), ("at the window's end", at_window_end),
    ('before the acknowledgement', before_acknowledgement), ('before the acceptance', before_acceptance),
    ('after the acceptance', after_acceptance), ('by a power cut', power_cut)]
