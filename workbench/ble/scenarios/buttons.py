"""BTHome buttons, heard by the gateway's own scanner beside bluetoothd, and through bluetoothd without it."""
from workbench.ble.scenarios.advert_house import BINDKEY, NO_RIGHT, AdvertHouse, button
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import milliseconds
from workbench.clock import boot_ns

STRAP = 'strap-1'
# The strap sends values: the gateway subscribes anew to a silent one, and delivers nothing meanwhile.
BEATS = [{'bpm': 66}, {'bpm': 67}]
BUTTONS = [button(1), button(2, bindkey=BINDKEY), button(3, person=None)]


async def scenario(house, report):
    await house.subscription(STRAP)
    await house.stack.air('script', id=STRAP, script=BEATS, every_ms=500)
    worn = house.mark()
    async with report.rule('with CAP_NET_RAW and no other right the gateway hears adverts at the kernel'):
        await house.listens('listening for adverts')
        assert house.conditions('adverts-less-sure') == [], house.conditions('adverts-less-sure')
    for one, what in (('button-1', 'a press'), ('button-2', 'an encrypted press')):
        async with report.rule(f'{what} is one alarm, and a call on the broker, however often it is sent'):
            since, began = house.mark(), boot_ns()
            await house.press(one)
            alarm, call = await house.call_and_accept(since, rule='sos-button', person='person-1')
            assert call['cause']['rule'] == 'sos-button', call
            assert len(house.alarms(since[1])) == 1, house.alarms(since[1])
        report.figure('from the order to press to the alarm', milliseconds(alarm['boot_ns'] - began))
    async with report.rule('a press of a stranger\'s button is no alarm, and the strap has lost nothing'):
        since = house.mark()
        await house.press('button-3')
        await house.stack.air('script', id=STRAP, script=[])
        await house.delivered(STRAP, worn)
        assert house.alarms(since[1]) == [], house.alarms(since[1])
        assert not any(e['event'] == 'disconnected' for e in house.air), 'the link ended'
    async with report.rule('without the right it says that adverts are heard less surely, and hears a press '
                           'through bluetoothd'):
        await house.kill_gateway()
        await house.until(lambda: not house.is_subscribed(STRAP), 'bluetoothd unsubscribes')
        house.rights, since, log = NO_RIGHT, house.mark(), len(house.log)
        await house.start_gateway()
        await house.listens('adverts cannot be heard directly', log)
        await house.subscription(STRAP, 2)
        since = house.mark()
        await house.press('button-2', repeats=30)
        await house.call_and_accept(since, rule='sos-button', person='person-1')
        assert any('code=adverts-less-sure' in line for line in house.log[log:]), 'no condition'


play([strap()], scenario, lambda wearables, report: AdvertHouse(wearables, report, BUTTONS))
