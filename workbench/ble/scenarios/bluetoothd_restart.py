"""bluetoothd dies under the gateway and comes back."""
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import spread
from workbench.clock import boot_ns

STRAP = 'strap-1'
CODE = 'bluetooth-unavailable'
DEATHS = 2


async def scenario(house, report):
    await house.subscription(STRAP)
    await house.send(STRAP, 60, 61, 62)
    await house.delivered(STRAP)
    gaps = []
    for n in range(DEATHS):
        again = ', again' if n else ''
        since = house.mark()
        async with report.rule(f'when bluetoothd dies{again}, {CODE} is raised'):
            await house.stack.kill_bluetoothd()
            await house.until(lambda: house.conditions(CODE, since[1]) == [True], f'{CODE} is raised')
        async with report.rule(f'when it is back{again}, {CODE} is cleared and each value comes once'):
            await house.stack.start_bluetoothd()
            began = boot_ns()
            await house.until(lambda: house.conditions(CODE, since[1])[-1:] == [False], f'{CODE} is cleared')
            await house.subscription(STRAP, n + 2)
            gaps.append(house.last('subscribed', STRAP)['boot_ns'] - began)
            await house.send(STRAP, 70 + n, 80 + n, 90 + n)
            await house.delivered(STRAP, since)
    report.figure('from hci0 being on to the subscription', spread(gaps))


play([strap()], scenario)
