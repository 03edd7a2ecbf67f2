"""Malformed measurements."""
from workbench.ble.scenarios.guest_house import play, strap

STRAP = 'strap-1'
CODE = 'undecodable-readings'
# Empty; no rate after the flags; half of a 16-bit rate; no energy although the flags announce it.
MALFORMED = ('', '10', '0148', '0848')


async def scenario(house, report):
    await house.subscription(STRAP)
    for text in MALFORMED:
        since = house.mark()
        async with report.rule(f'"{text}" is no reading and raises {CODE}; the next good one clears it'):
            await house.stack.air('send', id=STRAP, value={'hex': text})
            await house.until(lambda: house.conditions(CODE, since[1]) == [True], f'{CODE} is raised')
            await house.send(STRAP, 75)
            await house.until(lambda: house.conditions(CODE, since[1]) == [True, False], f'{CODE} is cleared')
            await house.until(lambda: house.samples(STRAP, since[2]), 'the good one is on the broker')
            await house.until(lambda: house.readings(STRAP, since[1]), 'the good one is on the feed')
            for got in house.readings(STRAP, since[1]), house.samples(STRAP, since[2]):
                assert [e['value'] for e in got] == [75], got
    async with report.rule('what follows the last field does not make the rate before it less true'):
        since = house.mark()
        await house.stack.air('send', id=STRAP, value={'hex': '104b3403ff'})   # 75 bpm, one interval, half another
        await house.until(lambda: house.readings(STRAP, since[1]), 'a reading')
        assert house.readings(STRAP, since[1])[0]['value'] == 75
        assert house.conditions(CODE, since[1]) == []


play([strap()], scenario)
