"""A day of wear in virtual time: hours on and hours off, with emergencies in between.

The guest's clock jumps over all idle waits, and the gateway's CLOCK_BOOTTIME with it, so the day
takes minutes. Computing takes no virtual time either: a delay here is the gateway's own, on any
machine.
"""
import asyncio

from workbench.ble.scenarios.guest_house import PROMISED_MS, play, strap
from workbench.ble.scenarios.report import spread
from workbench.ble.scenarios.service import HOUR_S, Service
from workbench.clock import boot_ns
from workbench.gateway_settings import HIGH_BPM, LOW_BPM

STRAP, PERSON = 'strap-1', 'person-1'
# Every 4 s: the gateway reports a strap that is silent for 5 s.
EVERY_S = 4
# Hours off before, hours on, the emergencies in that time, and how the strap leaves.
DAY = (
    (0.0, 0.5, ('high',), 'vanish'),   # after midnight
    (6.5, 0.75, ('low', 'high'), 'goodbye'),
    (2.25, 0.25, (), 'vanish'),
    (4.0, 0.75, ('high', 'high', 'low'), 'vanish'),
    (0.1, 0.25, (), 'goodbye'),
    (6.9, 0.75, ('low',), 'vanish'),
    (0.5, 0.5, ('high',), 'stay'))
DANGEROUS = {'high': HIGH_BPM + 19, 'low': LOW_BPM - 5}
DANGEROUS_READINGS = 5


def script(hours, episodes):
    """Returns calm values, each different from the one before, with the emergencies spread over them."""
    calm = [{'bpm': 55 + n % 40} for n in range(round(hours * HOUR_S / EVERY_S))]
    for n, episode in reversed(list(enumerate(episodes))):
        at = len(calm) * (n + 1) // (len(episodes) + 1)
        calm[at:at] = [{'bpm': DANGEROUS[episode]}] * DANGEROUS_READINGS
    return calm


async def wear(house, hours, episodes, times):
    """Plays one period of wear. Returns the number of sent values."""
    since = house.mark()
    await house.stack.air('return', id=STRAP)
    began = boot_ns()
    await house.subscription(STRAP, times)
    gap = boot_ns() - began
    values = script(hours, episodes)
    await house.stack.air('script', id=STRAP, script=values, every_ms=EVERY_S * 1000, loop=False)
    await house.until(
        lambda: len(house.sent(STRAP, since[0])) >= len(values), 'all is sent', seconds=2 * hours * HOUR_S)
    return await house.delivered(STRAP, since), gap


async def leave(house, how):
    """Ends a period of wear: out of range, or switched off with a disconnect."""
    if how == 'stay':
        return
    if how == 'goodbye':
        await house.stack.air('advertise', id=STRAP, on=False)
        await house.stack.air('disconnect', id=STRAP)
    else:
        await house.stack.air('vanish', id=STRAP)
    await house.until(lambda: not house.is_subscribed(STRAP), 'the link ends')


async def scenario(house, report):
    service = Service(house, PERSON)
    working = asyncio.create_task(service.work())
    def events(name):
        return [e for e in house.feed if e['event'] == name]
    wanted = [f'heart-rate-{episode}' for _, _, episodes, _ in DAY for episode in episodes]
    began, worn, gaps = boot_ns(), 0, []
    async with report.rule('every value that was sent to the gateway in a day of wear arrives, once'):
        for n, (off, on, episodes, how) in enumerate(DAY):
            await asyncio.sleep(off * HOUR_S)
            count, gap = await wear(house, on, episodes, n + 1)
            worn += count
            gaps.append(gap)
            await leave(house, how)
        hours = (boot_ns() - began) / 1e9 / HOUR_S
        report.figure('the day', f'{hours:.1f} hours by the guest\'s clock, {worn} values')
        report.figure('from return to subscription', spread(gaps))
    async with report.rule(f'each of its {len(wanted)} emergencies is one alarm, in their order'):
        assert [e['rule'] for e in events('alarm')] == wanted, [e['rule'] for e in events('alarm')]
        await house.until(lambda: len(service.taken) >= len(wanted), 'each call is taken')
    async with report.rule(f'each is dispatched once, within {PROMISED_MS} ms after the crossing'):
        dispatches = events('dispatch')
        assert [e['alarm'] for e in dispatches] == [e['alarm'] for e in events('alarm')], dispatches
        late = [e['after_crossing_ms'] for e in dispatches if e['after_crossing_ms'] > PROMISED_MS]
        assert not late, late
        report.figure('dispatch after the crossing', spread([e['after_crossing_ms'] * 1e6 for e in dispatches]))
    async with report.rule('the strap is told as away for each absence and as silent never'):
        assert house.conditions('wearable-silent') == [], house.conditions('wearable-silent')
        away = house.conditions('wearable-away')
        # The strap was absent before the first connection too, which a new watch reports.
        absences = away[away.index(False) + 1:]
        assert absences.count(True) == len(DAY) - 1, away
    working.cancel()


play([strap(advertise=False)], scenario)
