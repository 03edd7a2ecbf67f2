"""A month of a person's life (life.py) in virtual time, with a check of every alarm and every value.

Of quiet hours, `QUIET_S` seconds pass on the monotonic clock; then the wall clock is set forward, as a time server
would. So the month has 30 days of the calendar and takes minutes; with 0 all of it passes.
"""
import asyncio
import collections
import datetime
import json

from workbench.ble.scenarios import life
from workbench.ble.scenarios.accounts import KINDS, faults_of, table, wanted
from workbench.ble.scenarios.arrivals import is_complete, without_repeats
from workbench.ble.scenarios.guest_house import difference, play
from workbench.ble.scenarios.life import CUFF, FINGER, STRAP, TAG
from workbench.ble.scenarios.player import WORN, Life
from workbench.ble.scenarios.service import HOUR_S
from workbench.clock import boot_ns

ALARM_MS = 250


async def live(house, act):
    """Plays one act of the script to the end of its alarm. Returns the instant at which the cause began."""
    air, feed, began = len(house.air), len(house.feed), boot_ns()
    house.service.there = act.alarm is None or act.alarm.ending == 'accepted' and not act.alarm.breaks
    ending = asyncio.create_task(house.see_end(act.alarm, feed)) if act.alarm else None
    try:
        await getattr(house, act.do)(**act.with_)
        if ending:
            await ending
    finally:
        if ending:
            ending.cancel()
        house.service.come()
    if not act.alarm or act.alarm.danger is None:
        return began
    field, number = act.alarm.danger
    sent = [e['boot_ns'] for e in house.air[air:] if e['event'] == 'sent' and e['value'].get(field) == number]
    assert sent, f'no {field} of {number} was sent'
    return sent[0]


async def scenario(house, report):
    script, problems, begins = life.month(), [], []
    working = asyncio.create_task(house.service.work())
    await house.subscription(STRAP)
    await house.subscription(TAG, char='ffe1')
    began = boot_ns()
    async with report.rule(f'the {len(script)} acts of {life.DAYS} days are played, and each alarm ends as written'):
        for act in script:
            await house.pass_until(act.at)
            try:
                begins.append((act, await live(house, act)))
            except (AssertionError, TimeoutError) as problem:
                problems.append(f'{act.at:%d %b %H:%M} {act.words}: {type(problem).__name__}: {problem}')
                report.remark(problems[-1])
        await house.pass_until(life.FIRST + datetime.timedelta(days=life.DAYS))
        expected = [(act, begin) for act, begin in begins if act.alarm]
        records = json.loads(await house.succeed('alarms', 'export', '--format', 'json'))
        report.remark(table(expected, records))
        report.figure('the month', f'{(boot_ns() - began) / 1e9 / HOUR_S:.1f} hours by the clock that measures')
        assert not problems, f'{len(problems)} acts'
    working.cancel()
    async with report.rule(f'each of the {len(expected)} alarms is raised once, and no other'):
        due, got = [act.alarm.cause for act, _ in expected], [r['cause'] for r in records]
        assert got == due, difference(due, got)
    async with report.rule('each has its cause, priority, end and calls, and a time line within the limits'):
        faults = {f'{act.at:%d %b %H:%M} {act.words}': found for (act, _), record in zip(expected, records, strict=True)
                  if (found := faults_of(house, act, record))}
        assert not faults, faults
    async with report.rule(f'each is told once, {ALARM_MS} ms after the danger and its confirmation at the latest'):
        told = [e for e in house.feed if e['event'] == 'alarm' and e['repetition'] == 0]
        assert sorted(e['alarm'] for e in told) == sorted(r['id'] for r in records), told
        delays = {f'{act.at:%d %b} {act.words}': (e['boot_ns'] - begin) / 1e6 - e['confirmed_after_ms']
                  for (act, begin), e in zip(expected, told, strict=True) if act.alarm.cause != 'drill'}
        late = {words: delay for words, delay in delays.items() if not 0 <= delay <= ALARM_MS}
        assert not late, late
    async with report.rule('every value that was sent arrives at the broker, once'):
        counts: collections.Counter[str] = collections.Counter()
        lost = {}
        feed = list(house.feed)   # from here on the strap is silent
        await house.pause()
        await house.quiet()
        repeats = len(house.broker)
        house.broker = without_repeats(house)
        repeats -= len(house.broker)
        for device, fields in KINDS.items():
            for field, kind in fields.items():
                due, got = wanted(house, device, field), [m['value'] for m in house.samples(device, kind=kind)]
                counts[device] += len(got)
                if not is_complete(due, got):
                    lost[f'{device} {kind}'] = difference([value for value, _ in due], got)
        assert not lost, lost
        report.figure('values', ', '.join(f'{count} of the {device}' for device, count in counts.items())
                      + f'; {repeats} repeated under their IDs after an end of the gateway')
    async with report.rule('the doubtful values among them arrive as such: none of the alarms above is by them'):
        doubts = collections.Counter(device for device, fields in KINDS.items() for kind in fields.values()
                                     for message in house.samples(device, kind=kind) if message.get('doubt'))
        assert all(doubts[device] for device in (STRAP, FINGER, CUFF)), doubts
        report.figure('doubtful values', ', '.join(f'{count} of the {device}' for device, count in doubts.items()))
    async with report.rule('a wearable is told to be silent where it hangs, and nowhere else'):
        silent = [(at, e) for at, e in enumerate(feed) if e.get('code') == 'wearable-silent' and e['raised']]
        assert silent and all(at in house.hung and e['subject'] == STRAP for at, e in silent), silent
    raised = collections.Counter(e['code'] for e in feed if e['event'] == 'health' and e['raised'])
    report.remark('conditions raised: ' + ', '.join(f'{count} × {code}' for code, count in sorted(raised.items())))


play(WORN, scenario, Life)
