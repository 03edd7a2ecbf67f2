"""The button of a tag, from the press to the call for help."""
from workbench.ble.scenarios.guest_house import PROMISED_MS, play
from workbench.ble.scenarios.report import milliseconds

TAG, MUTE, PERSON = 'tag', 'door-tag', 'person-1'
SOS_TOPIC = f'trackme/v1/house/sos/{PERSON}'
BUTTON = 'ffe1'
TAGS = [
    {'id': TAG, 'kind': 'tag', 'address': 'FF:FF:C0:00:00:01', 'script': [], 'person': PERSON, 'button': 'sos-button'},
    # The same tag on a door: the settings give its button no meaning.
    {'id': MUTE, 'kind': 'tag', 'address': 'FF:FF:C0:00:00:02', 'script': [], 'person': 'person-2'}]


async def scenario(house, report):
    def events(name, since=0):
        return [e for e in house.feed[since:] if e['event'] == name]
    def calls():
        return [m for m in house.broker if m['topic'] == SOS_TOPIC]
    def press(id):
        return house.stack.air('send', id=id, value={})

    async with report.rule('the tag is connected, and its button is listened to'):
        await house.subscription(TAG, char=BUTTON)
    async with report.rule('one press is an alarm at once, and help is called when the time to cancel is over'):
        sent = await press(TAG)
        alarm = (await house.until(lambda: events('alarm'), 'an alarm'))[0]
        assert (alarm['rule'], alarm['person']) == ('sos-button', PERSON), alarm
        dispatch = (await house.until(lambda: events('dispatch'), 'a dispatch'))[0]
        call = (await house.until(calls, 'a call on the broker'))[0]
        assert call['state'] == 'confirmed' and call['alarm'] == alarm['alarm'], call
        assert call['cause']['rule'] == 'sos-button', call
        assert dispatch['after_crossing_ms'] <= PROMISED_MS, dispatch
        report.figure('from the press', f'alarm {milliseconds(alarm["boot_ns"] - sent["boot_ns"])}, dispatch '
                      f'{milliseconds(dispatch["boot_ns"] - sent["boot_ns"])}, on the broker '
                      f'{milliseconds(call["read_ns"] - sent["boot_ns"])}')
    async with report.rule('further presses in that alarm call nobody again'):
        for _ in range(3):
            await press(TAG)
        await house.publish(f'{SOS_TOPIC}/accepted', {'alarm': alarm['alarm'], 'by': 'the rig'})
        await house.until(lambda: events('accepted'), 'the acceptance')
        assert len(events('dispatch')) == 1 and len(events('alarm')) == 1, (events('dispatch'), events('alarm'))
    async with report.rule('a press is an alarm again after that, and cancelled in time it calls nobody'):
        feed, broker = len(house.feed), len(house.broker)
        await press(TAG)
        await house.until(lambda: events('alarm', feed), 'an alarm')
        await house.succeed('abort', '--person', PERSON)
        await house.until(lambda: events('aborted', feed), 'it is cancelled')
        await house.quiet()
        assert not events('dispatch', feed), events('dispatch', feed)
        assert not [m for m in house.broker[broker:] if m['topic'] == SOS_TOPIC], house.broker[broker:]
    async with report.rule('a button that the settings give no meaning is not even subscribed to'):
        await house.until(lambda: house.of('connected', MUTE), 'the other tag is connected')
        feed = len(house.feed)
        await press(MUTE)
        await press(TAG)   # the events of the first press come before those of this one
        await house.until(lambda: events('alarm', feed), 'an alarm')
        assert {e['person'] for e in events('alarm', feed)} == {PERSON}, events('alarm', feed)
        assert not house.times_subscribed(MUTE, BUTTON)


play(TAGS, scenario)
