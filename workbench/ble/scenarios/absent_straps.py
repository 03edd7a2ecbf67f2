"""A house with five absent straps, and the return of one, in virtual time.

The gateway gives up one attempt after the other, and continues with the next wearable each time.
"""
import asyncio

from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import spread
from workbench.clock import boot_ns

STRAPS = [strap(n) for n in range(1, 6)]
RETURNS = 15
# An odd duration, so that each return meets the gateway's retries at another point.
AWAY_S = 433


async def leave(house, device):
    await house.stack.air('vanish', id=device)
    await house.until(lambda: not house.is_subscribed(device), 'the link ends')


async def scenario(house, report):
    async with report.rule('five straps are connected side by side'):
        for one in STRAPS:
            await house.subscription(one['id'])
    for one in STRAPS:
        await leave(house, one['id'])
    gaps, times = [], {one['id']: 1 for one in STRAPS}
    async with report.rule(f'with four away, a strap that returns is subscribed to again, each of {RETURNS} '
                           'times, and its readings are told as its own'):
        for n in range(RETURNS):
            await asyncio.sleep(AWAY_S)
            device = STRAPS[n % len(STRAPS)]['id']
            times[device] += 1
            since = house.mark()
            began = boot_ns()
            await house.stack.air('return', id=device)
            await house.subscription(device, times[device])
            gaps.append(boot_ns() - began)
            await house.send(device, 70, 71, 72, 73)
            readings = await house.until(
                lambda: [e for e in house.feed[since[1]:] if e['event'] == 'reading'], 'a reading')
            strangers = {e['device'] for e in readings} - {device}
            assert not strangers, f'readings of {device} are told as those of {strangers}'
            await house.delivered(device, since)
            await leave(house, device)
    report.figure('from return to subscription, four away', f'{spread(gaps)}')


play(STRAPS, scenario)
