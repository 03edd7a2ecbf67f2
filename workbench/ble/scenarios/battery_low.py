"""The battery of a wearable runs down and is changed."""
from workbench.ble.scenarios.guest_house import play, strap

STRAP, CODE = 'strap-1', 'battery-low'


async def scenario(house, report):
    def level(percent):
        return house.stack.air('battery', id=STRAP, level=percent)

    async def told(since, wanted, what):
        await house.until(lambda: house.conditions(CODE, since) == wanted, what)

    await house.subscription(STRAP)
    # The gateway reads the battery after the measurement.
    await house.until(lambda: house.times_subscribed(STRAP, '2a19'), 'its battery is subscribed to')
    async with report.rule(f'a battery at 15 % raises {CODE}, once, however far it falls'):
        for percent in (40, 16, 15, 14, 5):
            await level(percent)
        await told(0, [True], f'{CODE} is raised')
        raised = next(e for e in house.feed if e['event'] == 'health' and e['code'] == CODE)
        assert raised['subject'] == STRAP, raised
    async with report.rule('at rest it recovers a little, which ends nothing; changed, it ends the condition'):
        since = len(house.feed)
        await level(19)
        await house.send(STRAP, 70)
        await house.delivered(STRAP)
        assert house.conditions(CODE, since) == [], house.conditions(CODE, since)
        await level(100)
        await told(since, [False], f'{CODE} is cleared')
    async with report.rule('a level that has fallen while it was away is told when it is back'):
        since = len(house.feed)
        await house.stack.air('vanish', id=STRAP)
        await house.until(lambda: not house.is_subscribed(STRAP), 'the link ends')
        await level(9)   # no subscriber
        await house.stack.air('return', id=STRAP)
        await house.subscription(STRAP, 2)
        await told(since, [True], f'{CODE} is raised')
    async with report.rule('readings of a wearable with a low battery are readings'):
        await house.send(STRAP, 71, 72)
        await house.delivered(STRAP)
    report.remark((await house.succeed('status')).strip())


play([strap()], scenario)
