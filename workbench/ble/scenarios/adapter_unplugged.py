"""The adapter is unplugged during live links, and plugged in again."""
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import spread
from workbench.clock import boot_ns

STRAPS = [strap(1), strap(2)]
CODE = 'bluetooth-unavailable'
TIMES = 3


async def scenario(house, report):
    for one in STRAPS:
        await house.subscription(one['id'])
        await house.send(one['id'], 60, 61, 62)
        await house.delivered(one['id'])
    told, back = [], []
    for n in range(TIMES):
        again = f', time {n + 1}' if n else ''
        since = house.mark()
        async with report.rule(f'an adapter that is gone raises {CODE}, and each wearable is away{again}'):
            began = boot_ns()
            await house.stack.air('unplug')
            await house.until(lambda: house.conditions(CODE, since[1]) == [True], f'{CODE} is raised')
            raised = next(e for e in house.feed[since[1]:] if e['event'] == 'health' and e['code'] == CODE)
            told.append(raised['read_ns'] - began)
            await house.until(lambda: house.conditions('wearable-away', since[1]) == [True] * len(STRAPS), 'away')
            for one in STRAPS:
                await house.until(lambda: not house.is_subscribed(one['id']), 'the strap has noticed')
        async with report.rule(f'put back, both straps are connected again and each value comes once{again}'):
            since = house.mark()
            began = boot_ns()
            await house.stack.air('plug')
            await house.until(lambda: house.conditions(CODE, since[1]) == [False], f'{CODE} is cleared')
            for one in STRAPS:
                await house.subscription(one['id'], n + 2)
            last = max(house.last('subscribed', one['id'])['boot_ns'] for one in STRAPS)
            back.append(last - began)
            for one in STRAPS:
                await house.send(one['id'], 70 + n, 80 + n, 90 + n)
                await house.delivered(one['id'], since)
    report.figure('from the pull to the condition', spread(told))
    report.figure('from the plug to the last subscription', spread(back))


play(STRAPS, scenario)
