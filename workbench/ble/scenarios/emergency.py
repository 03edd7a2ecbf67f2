"""A dangerous heart rate, from the strap to the call for help on the broker."""
from workbench.ble.scenarios.guest_house import PROMISED_MS, play, strap
from workbench.ble.scenarios.report import milliseconds
from workbench.gateway_settings import CONFIRM_READINGS, HIGH_BPM

STRAP, PERSON = 'strap-1', 'person-1'
SOS_TOPIC = f'trackme/v1/house/sos/{PERSON}'


async def scenario(house, report):
    await house.subscription(STRAP)
    await house.send(STRAP, 72, 74)
    await house.delivered(STRAP)
    since = house.mark()
    def events(name):
        return [e for e in house.feed[since[1]:] if e['event'] == name]
    def calls():
        return [m for m in house.broker[since[2]:] if m['topic'] == SOS_TOPIC]

    async with report.rule(f'{CONFIRM_READINGS} readings beyond the limit are one crossing and one alarm'):
        await house.stack.air(
            'script', id=STRAP, script=[{'bpm': HIGH_BPM + 19}] * CONFIRM_READINGS, every_ms=900, loop=False)
        alarm = (await house.until(lambda: events('alarm'), 'an alarm'))[0]
        assert len(events('crossing')) == 1, events('crossing')
        assert (alarm['rule'], alarm['person'], alarm['value']) == ('heart-rate-high', PERSON, 150), alarm

    async with report.rule('help is called through the broker, once, with rule, value and place'):
        dispatch = (await house.until(lambda: events('dispatch'), 'a dispatch'))[0]
        call = (await house.until(calls, 'a call on the broker'))[0]
        assert call['state'] == 'confirmed' and call['alarm'] == alarm['alarm'], call
        assert call['cause']['rule'] == 'heart-rate-high' and call['cause']['value'] == 150, call
        assert call['location']['source'] == 'installed', call
        await house.until(lambda: events('handed-over'), 'the hand-over')
        assert len(calls()) == 1, calls()
    crossing = events('crossing')[0]['boot_ns']
    sent = house.sent(STRAP, since[0])[0]['boot_ns']
    report.figure('from the first dangerous notification',
                  f'alarm {milliseconds(alarm["boot_ns"] - sent)}, dispatch '
                  f'{milliseconds(dispatch["boot_ns"] - sent)}, on the broker '
                  f'{milliseconds(call["read_ns"] - sent)}')
    report.figure('dispatch after the crossing', f'{milliseconds(dispatch["boot_ns"] - crossing)} '
                  f'(promised are {PROMISED_MS} ms; day_of_wear holds it to that)')

    async with report.rule('an acceptance from the broker ends the alarm'):
        await house.publish(f'{SOS_TOPIC}/accepted', {'alarm': alarm['alarm'], 'by': 'the rig'})
        accepted = (await house.until(lambda: events('accepted'), 'the acceptance'))[0]
        assert accepted['alarm'] == alarm['alarm'], accepted
        await house.send(STRAP, 72)
        await house.delivered(STRAP, since)


play([strap()], scenario)
