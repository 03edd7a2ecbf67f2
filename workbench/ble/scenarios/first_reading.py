"""A strap that has never been seen before: found, connected, subscribed to, read."""
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import milliseconds
from workbench.clock import boot_ns

STRAP = 'strap-1'


async def scenario(house, report):
    async with report.rule('a strap that begins to advertise is discovered, connected and subscribed to'):
        began = boot_ns()
        await house.stack.air('advertise', id=STRAP, on=True)
        await house.subscription(STRAP)
        linked = house.first('connected', STRAP)['boot_ns']
        subscribed = house.first('subscribed', STRAP)['boot_ns']
        report.figure('connection, from the first advert', f'{milliseconds(linked - began)} to the link, '
                      f'{milliseconds(subscribed - began)} to the subscription')
    async with report.rule('its first notification is one reading: the value sent, its unit, its person'):
        await house.send(STRAP, 72, rr_ms=[833], contact=True)
        reading = (await house.until(lambda: house.readings(STRAP), 'a reading'))[0]
        assert (reading['value'], reading['unit'], reading['kind']) == (72, '/min', 'heart-rate'), reading
        assert reading['person'] == 'person-1', reading
        report.figure('first notification to feed', milliseconds(house.latencies(STRAP)[0]))
    async with report.rule('the reading is on the broker once, coded as the contract says'):
        sample = (await house.until(lambda: house.samples(STRAP), 'a sample'))[0]
        assert sample['topic'] == 'trackme/v1/house/samples/person-1/heart-rate', sample
        assert (sample['value'], sample['unit'], sample['loinc']) == (72, '/min', '8867-4'), sample
        assert sample['contact'] == 'detected', sample
        await house.delivered(STRAP)
    async with report.rule('the condition that the wearable is away is cleared, and no other is raised'):
        await house.until(lambda: False in house.conditions('wearable-away'), 'it is not away any more')
        raised = {e['code'] for e in house.feed if e['event'] == 'health' and e['raised']}
        # The broker is unreachable until the first connection, which may come after the watch.
        assert raised <= {'wearable-away', 'broker-unreachable'}, raised
        if 'broker-unreachable' in raised:
            await house.until(lambda: False in house.conditions('broker-unreachable'), 'the broker is reached')


play([strap(advertise=False)], scenario)
