"""Two thousand beacons on the air while a strap is worn and a button is pressed.

The scanner receives all of them, beside bluetoothd, on the same adapter.
"""
from workbench.ble.scenarios.advert_house import AdvertHouse, button
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import spread

STRAP = 'strap-1'
BEACONS, INTERVAL_MS = 2_000, 2_000   # a thousand adverts a second: the limit of the guest's one processor
READINGS = 30


async def scenario(house, report):
    async with report.rule(f'a strap is found and connected among {BEACONS} beacons'):
        await house.listens('listening for adverts')
        await house.subscription(STRAP)
    since, log = house.mark(), len(house.log)
    before = await house.stack.air('stats')
    used = house.gateway.processor_seconds()
    script = [{'bpm': 50 + second} for second in range(READINGS)]
    async with report.rule(f'each of {READINGS} readings at 1 Hz arrives once, in order, on one link'):
        await house.stack.air('script', id=STRAP, script=script, every_ms=1000, loop=False)
        await house.until(lambda: len(house.sent(STRAP, since[0])) >= READINGS, 'all is sent', seconds=180)
        used = house.gateway.processor_seconds() - used
        after = await house.stack.air('stats')
        count = await house.delivered(STRAP, since)
        assert count == READINGS + 1, count
        assert not any(e['event'] == 'disconnected' for e in house.air[since[0]:]), 'the link ended'
    reports = after['adapters'][0]['scan_reports'] - before['adapters'][0]['scan_reports']
    report.figure('adverts that the controller reported meanwhile', str(reports))
    report.figure('gateway\'s processor time meanwhile', f'{used:.2f} s')
    report.figure('notification to feed', spread(house.latencies(STRAP, since)))
    lost = sum(int(word.partition('=')[2]) for line in house.log[log:] if 'message="adverts came faster' in line
               for word in line.split() if word.startswith('lost='))
    report.figure('monitor packets that the kernel had no room for', str(lost))
    async with report.rule('a button that is pressed among them is an alarm and a call'):
        assert reports > READINGS * 100, f'the air is not crowded: {reports} reports'
        since = house.mark()
        await house.press('button-1')
        await house.call_and_accept(since, rule='sos-button', person='person-1')


play([strap()], scenario, lambda wearables, report: AdvertHouse(
    wearables, report, [button(1)], beacons={'count': BEACONS, 'interval_ms': INTERVAL_MS}))
