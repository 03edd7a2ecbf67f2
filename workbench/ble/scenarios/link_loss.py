"""Links that end: by a disconnect of the wearable, and by loss of range."""
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import milliseconds, spread
from workbench.clock import boot_ns

STRAP = 'strap-1'
GOODBYES = 3


async def scenario(house, report):
    await house.subscription(STRAP)
    await house.send(STRAP, 60, 61, 62)
    await house.delivered(STRAP)

    async with report.rule(f'a strap that ends the link is connected again, and each value comes once, {GOODBYES} '
                           'times'):
        times = []
        for n in range(GOODBYES):
            since = house.mark()
            await house.stack.air('disconnect', id=STRAP)
            await house.subscription(STRAP, n + 2)
            ended = house.last('disconnected', STRAP)['boot_ns']
            times.append(house.last('subscribed', STRAP)['boot_ns'] - ended)
            await house.send(STRAP, 70 + n, 80 + n, 90 + n)
            await house.delivered(STRAP, since)
        report.figure('reconnection after a goodbye', spread(times))

    async with report.rule('a strap out of range is told as away'):
        since = house.mark()
        await house.stack.air('vanish', id=STRAP)
        await house.until(
            lambda: house.conditions('wearable-away', since[1])[-1:] == [True], 'the strap is away')
        await house.send(STRAP, 55)   # no subscriber

    async with report.rule('back in range it is connected again, each value comes once, and it is not away'):
        since = house.mark()
        began = boot_ns()
        await house.stack.air('return', id=STRAP)
        await house.subscription(STRAP, GOODBYES + 2)
        linked = house.last('connected', STRAP)['boot_ns']
        subscribed = boot_ns()
        await house.send(STRAP, 65, 66, 67)
        await house.delivered(STRAP, since)
        await house.until(
            lambda: house.conditions('wearable-away', since[1])[-1:] == [False], 'the strap is not away')
        report.figure('reconnection after the return', f'{milliseconds(linked - began)} to the link, '
                      f'{milliseconds(subscribed - began)} until the gateway knows its subscription')

    async with report.rule('over all of it no value was doubled and none that went out was lost'):
        await house.delivered(STRAP)


play([strap()], scenario)
