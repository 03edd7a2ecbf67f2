"""Another program switches the adapter off and on: rfkill, a desktop's switch, bluetoothctl."""
from dbus_fast import Variant

from workbench.ble.bluez_client import ADAPTER, Bluez
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import spread
from workbench.clock import boot_ns

STRAP, CODE = 'strap-1', 'bluetooth-unavailable'
TIMES = 3


async def scenario(house, report):
    bluez = await Bluez().open()

    async def switch(on):
        await bluez.call(ADAPTER, 'org.freedesktop.DBus.Properties', 'Set', 'ssv', 'org.bluez.Adapter1', 'Powered',
                         Variant('b', on))

    await house.subscription(STRAP)
    await house.send(STRAP, 60, 61, 62)
    await house.delivered(STRAP)
    gaps = []
    for n in range(TIMES):
        again = f', time {n + 1}' if n else ''
        since = house.mark()
        async with report.rule(f'an adapter that is switched off raises {CODE}{again}'):
            await switch(False)
            await house.until(lambda: house.conditions(CODE, since[1]) == [True], f'{CODE} is raised')
            await house.until(lambda: not house.is_subscribed(STRAP), 'the link ends')
        async with report.rule(f'switched on again, the strap is connected and each value comes once{again}'):
            began = boot_ns()
            await switch(True)
            await house.until(lambda: house.conditions(CODE, since[1]) == [True, False], f'{CODE} is cleared')
            await house.subscription(STRAP, n + 2)
            gaps.append(house.last('subscribed', STRAP)['boot_ns'] - began)
            await house.send(STRAP, 70 + n, 80 + n, 90 + n)
            await house.delivered(STRAP, since)
    bluez.close()
    report.figure('from the switch to the subscription', spread(gaps))


play([strap()], scenario)
