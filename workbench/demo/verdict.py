"""The end of the demo: counts, measurements, and the verdict on each promise."""
from dataclasses import dataclass

from workbench.demo.count import Count
from workbench.demo.seen_alarm import ALARM_LIMIT_MS, DISPATCH_LIMIT_MS
from workbench.demo.sound import spoken
from workbench.demo.timeline import ALERT, GOOD


@dataclass(frozen=True)
class Promise:
    is_kept: bool
    words: str


def in_seconds(milliseconds):
    return 'not seen' if milliseconds is None else f'{milliseconds / 1000:.3f} s'


def promises(ledger, story):
    """Returns the promises of the chapters so far, judged by the messages at the witness."""
    alarms = story.false_alarms + story.calls
    found = [*map(nobody_was_called, story.false_alarms), *map(help_was_called, story.calls)]
    found += map(second_was_told, story.calls)
    if alarms:
        found.append(house_was_told(alarms))
    if story.calls:
        found.append(alarms_were_spoken(spoken(story.sounds), story.calls))
    return [everything_arrived(Count(ledger)), *found]


def everything_arrived(count):
    sent = count.sent.total()
    if not sent:
        return Promise(False, 'no wearable sent a reading')
    wrong = [
        f'{number} {what}' for number, what in
        [(count.missing, 'missing'), (count.doubled, 'doubled'), (count.dropped, 'measured while nobody listened')]
        if number]
    found = ', '.join(wrong) or 'none missing, none doubled'
    return Promise(not wrong, f'each reading arrives once: {sent} sent, {found}')


def nobody_was_called(episode):
    cancelled = f'cancelled by {episode.aborted_by}' if episode.aborted_by else 'NOT CANCELLED'
    called = 'nobody was called' if episode.witnessed_ms is None else 'A CALL WENT OUT'
    return Promise(
        episode.alarm is not None and episode.aborted_by is not None and episode.witnessed_ms is None,
        f'{episode.title}: {cancelled if episode.alarm else "NO ALARM"}, {called}')


def help_was_called(episode):
    if episode.aborted_by:
        return Promise(
            False, f'{episode.title}: ended by {episode.aborted_by} before help was called, so it proves nothing')
    accepted = 'accepted' if episode.accepted_ms is not None else 'NOT ACCEPTED'
    return Promise(
        episode.called_in_time and episode.accepted_ms is not None,
        f'{episode.title}: help called after {in_seconds(episode.witnessed_ms)} '
        f'(limit {in_seconds(DISPATCH_LIMIT_MS)}), {accepted}')


def second_was_told(episode):
    form = f'NOT CAP 1.2: {episode.ambulance_problem}' if episode.ambulance_problem else 'as valid CAP 1.2'
    over = 'and told who took it' if episode.told_over_ms is not None else 'NOT TOLD that somebody took it'
    return Promise(
        episode.second_in_time and episode.told_over_ms is not None,
        f'{episode.title}: the ambulance service called after {in_seconds(episode.ambulance_ms)} '
        f'(limit {in_seconds(DISPATCH_LIMIT_MS)}), {form}, {over}')


def alarms_were_spoken(sentences, alarms):
    words = f'{len(sentences)} sentences, {sum(one.seconds for one in sentences):.0f} s' if sentences else 'NOTHING'
    begun = all(e.told_in_time for e in alarms)
    return Promise(
        len(sentences) >= len(alarms) and begun,
        f'the house speaks: {words}; its first tone or line {"within" if begun else "NOT within"} '
        f'{ALARM_LIMIT_MS} ms, by the gateway itself')


def house_was_told(alarms):
    unseen = sum(e.told_after_alarm_ms is None for e in alarms)
    slowest = max((e.told_after_alarm_ms for e in alarms if e.told_after_alarm_ms is not None), default=None)
    words = (
        f'{unseen} of {len(alarms)} alarms NOT TOLD' if unseen else f'at most {slowest} ms after an alarm is confirmed')
    return Promise(
        all(e.told_in_time for e in alarms),
        f'the house is told: {words} (limit {ALARM_LIMIT_MS} ms, by the gateway itself)')


def summary(timeline, ledger, story, is_over=True):
    """Prints the figures. After an interrupted run, missing readings may have been under way."""
    count = Count(ledger)
    timeline.chapter('Readings: sent by the wearables, arrived at the broker')
    timeline.plain(f'  {"":36}{"sent":>6}{"arrived":>9}{"missing" if is_over else "under way":>11}{"doubled":>9}')
    for row in count.rows:
        timeline.plain(
            f'  {row.device:<13}{row.kind:<23}{row.sent:>6}{row.arrived:>9}{row.missing:>11}{row.doubled:>9}')
    for episode in story.calls[-1:]:
        timeline.chapter(f'Time line: {episode.title}')
        for milliseconds, what in episode.timeline():
            timeline.plain(f'  {in_seconds(milliseconds):>9}  {what}')


def judge(timeline, ledger, story):
    """Prints the verdict. Returns true when every promise was kept."""
    found = promises(ledger, story)
    if not story.is_told:
        found.append(Promise(False, 'the story did not get to its end'))
    timeline.chapter('Promises, by what the witness at the broker and the ambulance service saw')
    for promise in found:
        word = timeline.paint('kept', GOOD) if promise.is_kept else timeline.paint('BROKEN', ALERT)
        timeline.plain(f'  {word:<6}  {promise.words}')
    for one in spoken(story.sounds)[-1:]:
        timeline.plain(f'\n  What the house said last ({one.seconds:.1f} s, the file stays): {one.path}')
    return all(promise.is_kept for promise in found)
