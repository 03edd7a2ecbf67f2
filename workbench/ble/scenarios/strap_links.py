"""A strap that has once hung, and sends as soon as it is subscribed to on each next link: no value may be lost."""
from workbench.ble.scenarios.guest_house import LAST_BPM, play, strap
from workbench.ble.scenarios.links import LINKS, arrives, compare

STRAP = 'strap-1'


async def scenario(house, report):
    async with report.rule('a strap that falls silent is subscribed to anew'):
        await house.subscription(STRAP)
        await house.until(lambda: any('message="a stream has stopped"' in line for line in house.log), 'it is silent')
        await house.until(lambda: house.times_subscribed(STRAP) >= 2, 'it is subscribed to anew')
        await house.send(STRAP, LAST_BPM)
        await house.arrivals(lambda: house.readings(STRAP), 1)

    async with report.rule(f'{LINKS} links, a value right after each subscription: each comes once'):
        since = house.mark()
        def sent():
            return [e['value']['bpm'] for e in house.sent(STRAP, since[0])]
        def got():
            return [round(e['value']) for e in house.readings(STRAP, since[1])]
        for number in range(LINKS):
            links, told = house.times_subscribed(STRAP), house.times_told(STRAP)
            await house.stack.air('disconnect', id=STRAP)
            await house.stack.air('script', id=STRAP, script=[{'bpm': 50 + number % 40}], loop=False)
            await house.until(lambda: house.times_subscribed(STRAP) > links, 'it is subscribed to')
            await house.until(lambda: sent()[-1:] == [50 + number % 40], 'it sends')
            await arrives(house, lambda: got()[-1:] == sent()[-1:])
            # Only then is the link whole: bluetoothd 5.66 may crash where one ends as it comes up.
            await house.subscription(STRAP, told + 1)
        assert len(sent()) >= LINKS, sent()
        compare(sent(), got())
        report.figure('values', f'{len(sent())} sent on {LINKS} links, 0 lost')


play([strap()], scenario)
