"""A fall and shaking, from sensors that only advertise; and a person whose wearables can detect neither."""
import asyncio

from workbench.ble.scenarios.advert_house import BINDKEY, AdvertHouse, button
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import milliseconds
from workbench.clock import boot_ns

PENDANT, BAND, STRAP = 'button-1', 'button-2', 'strap-2'
# The pendant reports an impact as a vibration, the band each movement.
SENSORS = [button(1, signals={'vibration': 'fall'}, bindkey=BINDKEY), button(2, signals={'motion': 'shaking'})]


async def scenario(house, report):
    await house.listens('listening for adverts')
    await house.subscription(STRAP)
    async with report.rule('what a sensor means is not promised before it was heard once'):
        status = await house.status()
        assert 'vibration means fall, not known until it was heard once' in status, status
    async with report.rule('a fall is an alarm at once, called by its name, and accepted'):
        since, began = house.mark(), boot_ns()
        await house.press(PENDANT, {'vibration': 1})
        alarm, call = await house.call_and_accept(since, rule='fall', person='person-1')
        assert call['cause']['rule'] == 'fall', call
        assert any('A fall was detected' in line for line in house.console), house.console
        report.figure('from the order to report a fall to the alarm', milliseconds(alarm['boot_ns'] - began))
    async with report.rule('a jolt is no shaking'):
        since = house.mark()
        for _ in range(3):
            await house.press(BAND, {'motion': 1})
            await asyncio.sleep(1)
        await asyncio.sleep(12)
        assert house.alarms(since[1]) == [], house.alarms(since[1])
    async with report.rule('movement in eight of ten seconds is shaking'):
        since = house.mark()
        for _ in range(14):
            await house.press(BAND, {'motion': 1}, repeats=3)
            await asyncio.sleep(0.6)
        alarm, call = await house.call_and_accept(since, rule='shaking', person='person-1')
        assert call['cause']['rule'] == 'shaking', call
        assert any('Repeated shaking was detected' in line for line in house.console), house.console
    async with report.rule('status promises each person only the emergencies that their wearables can raise'):
        status = await house.status()
        assert 'vibration means fall, not known' not in status, status
        for words in ('can detect a fall', 'can detect shaking', 'has a button that calls for help'):
            assert f'nothing person-2 wears {words}' in status, status
        for words in ('can detect a fall', 'can detect shaking'):
            assert f'nothing person-1 wears {words}' not in status, status
    async with report.rule('check says the same'):
        _, output, _ = await house.command('check')
        assert 'nothing person-2 wears can detect a fall' in output, output
        assert 'nothing person-1 wears can detect a fall' not in output, output


play([strap(2)], scenario, lambda wearables, report: AdvertHouse(wearables, report, SENSORS))
