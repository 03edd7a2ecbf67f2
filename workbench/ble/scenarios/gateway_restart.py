"""The gateway is killed during live links and values; bluetoothd keeps the links."""
from workbench.ble.scenarios.guest_house import play, strap

STRAP = 'strap-1'
DEATHS = 3


async def scenario(house, report):
    await house.subscription(STRAP)
    # From here on the strap sends a value every 0.25 s by itself, with or without a gateway.
    script = [{'bpm': bpm} for bpm in range(45, 98)]
    await house.stack.air('script', id=STRAP, script=script, every_ms=250, loop=True)
    await house.until(lambda: len(house.readings(STRAP)) >= 5, 'readings come')
    for n in range(DEATHS):
        async with report.rule(f'killed on a live link, kill {n + 1}: the next gateway subscribes, and each '
                               'value from then on comes once'):
            await house.kill_gateway()
            await house.until(lambda: not house.is_subscribed(STRAP), 'bluetoothd unsubscribes')
            # From here to the next subscription the values of the strap have no receiver.
            await house.quiet()
            since = house.mark()
            await house.start_gateway()
            await house.subscription(STRAP, n + 2)
            await house.until(lambda: len(house.sent(STRAP, since[0])) >= 12, 'values are sent')
            await house.stack.air('script', id=STRAP, script=[])
            await house.delivered(STRAP, since, watched=False)
            await house.stack.air('script', id=STRAP, script=script, every_ms=250, loop=True)


play([strap()], scenario)
