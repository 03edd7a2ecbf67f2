"""An alarm on the wrist: a bracelet with Immediate Alert buzzes while its person has an alarm."""
from workbench.ble.scenarios.guest_house import PROMISED_MS, play, strap
from workbench.ble.scenarios.report import milliseconds
from workbench.gateway_settings import CONFIRM_READINGS, HIGH_BPM

STRAP, BRACELET, NEIGHBOURS, PERSON = 'strap-1', 'bracelet', 'other-bracelet', 'person-1'
BATTERY = '2a19'


def bracelet(number, id, person):
    return {'id': id, 'kind': 'alert_target', 'address': f'C0:00:00:00:05:{number:02X}', 'person': person}


async def scenario(house, report):
    def alerts(id, since=0):
        return [e['level'] for e in house.air[since:] if e['event'] == 'alert' and e['id'] == id]
    def events(name, since=0):
        return [e for e in house.feed[since:] if e['event'] == name]

    async def crossing():
        """Crosses the heart rate limit. Returns the resulting alarm."""
        feed = len(house.feed)
        await house.stack.air(
            'script', id=STRAP, script=[{'bpm': HIGH_BPM + 19}] * CONFIRM_READINGS, every_ms=500, loop=False)
        return (await house.until(lambda: events('alarm', feed), 'an alarm'))[0]

    async def calm():
        await house.send(STRAP, 72)
        await house.delivered(STRAP)

    await house.subscription(STRAP)
    for id in BRACELET, NEIGHBOURS:
        await house.subscription(id, char=BATTERY)
    async with report.rule('an installer finds a bracelet by its buzz, which ends by itself'):
        await house.succeed('devices', 'buzz', BRACELET)
        await house.until(lambda: alerts(BRACELET) == ['high', 'none'], 'it buzzes and stops')
        assert alerts(NEIGHBOURS) == [], alerts(NEIGHBOURS)
    found = len(house.air)
    async with report.rule('an alarm makes the bracelet of its person buzz'):
        alarm = await crossing()
        await house.until(lambda: alerts(BRACELET, found) == ['high'], 'it buzzes')
        report.figure('from the alarm to the bracelet', milliseconds(
            house.of('alert', BRACELET)[2]['boot_ns'] - alarm['boot_ns']))
    async with report.rule('while an alarm is open, no bracelet buzzes for an installer'):
        for id in BRACELET, NEIGHBOURS:
            status, _, errors = await house.command('devices', 'buzz', id)
            assert status == 1 and 'an alarm is open' in errors, (status, errors)
    async with report.rule('cancelled, it stops'):
        await house.succeed('abort', '--person', PERSON)
        await house.until(lambda: alerts(BRACELET)[-1:] == ['none'], 'it stops')
        await calm()
    async with report.rule('a bracelet that is out of range holds up no call, and buzzes when it is back'):
        feed, air = len(house.feed), len(house.air)
        await house.stack.air('vanish', id=BRACELET)
        await house.until(lambda: house.of('disconnected', BRACELET), 'the link ends')
        alarm = await crossing()
        dispatch = (await house.until(lambda: events('dispatch', feed), 'a dispatch'))[0]
        assert dispatch['after_crossing_ms'] <= PROMISED_MS, dispatch
        assert alerts(BRACELET, air) == [], alerts(BRACELET, air)
        await house.stack.air('return', id=BRACELET)
        await house.until(lambda: alerts(BRACELET, air) == ['high'], 'it buzzes')
    async with report.rule('an acceptance ends that too'):
        await house.publish(f'trackme/v1/house/sos/{PERSON}/accepted', {'alarm': alarm['alarm'], 'by': 'the rig'})
        await house.until(lambda: alerts(BRACELET, air)[-1:] == ['none'], 'it stops')
    async with report.rule('nobody else\'s bracelet buzzes'):
        assert alerts(NEIGHBOURS) == [], alerts(NEIGHBOURS)


play([strap(), bracelet(1, BRACELET, PERSON), bracelet(2, NEIGHBOURS, 'person-2')], scenario)
