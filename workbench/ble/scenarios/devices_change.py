"""Wearables are added and removed while the gateway runs: by command, and by a new devices.toml."""
from workbench.ble.scenarios.guest_house import DIRECTORY, ask, play, strap

# The strap sends all the time: the gateway would subscribe anew to a silent one.
SCRIPT = [{'bpm': bpm} for bpm in range(50, 98)]
STAYS, COMES = strap(1, script=SCRIPT), strap(2, listed=False)
DEVICES_FILE = DIRECTORY / 'state' / 'devices.toml'


async def put(text):
    """Replaces the whole file, as an installer's script does, and requests a reload."""
    fresh = DEVICES_FILE.with_suffix('.new')
    fresh.write_text(text, encoding='utf-8')
    fresh.rename(DEVICES_FILE)
    return await ask('reload')


def section(one, **changes):
    one = {**one, **changes}
    return f'[[wearable]]\nid = "{one["id"]}"\naddress = "{one["address"]}"\nperson = "{one["person"]}"\n'


async def scenario(house, report):
    def told(since):
        return {e['person'] for e in house.readings(COMES['id'], since[1])}

    await house.subscription(STAYS['id'])
    async with report.rule('a device that is written down by command is watched at once'):
        await house.succeed('devices', 'pair', COMES['address'], '--id', COMES['id'], '--person', COMES['person'],
                            '--no-bond')
        await house.subscription(COMES['id'])
        since = house.mark()
        await house.send(COMES['id'], 70, 71)
        await house.delivered(COMES['id'], since)
        assert told(since) == {COMES['person']}, told(since)
    async with report.rule('one that is taken away by command is let go'):
        await house.succeed('devices', 'forget', COMES['id'], '--yes')
        await house.until(lambda: house.of('disconnected', COMES['id']), 'the link ends')
    async with report.rule('a file put in its place is followed: the device is watched again'):
        answer = await put(section(COMES))
        assert answer['is_done'], answer
        await house.subscription(COMES['id'], 2)
    async with report.rule('its next owner is the one whose readings come, from then on'):
        answer = await put(section(COMES, person=STAYS['person']))
        assert answer['is_done'], answer
        await house.subscription(COMES['id'], 3)
        since = house.mark()
        await house.send(COMES['id'], 75, 76)
        await house.delivered(COMES['id'], since)
        assert told(since) == {STAYS['person']}, told(since)
    async with report.rule('a file with a mistake changes nothing, and the answer says where the mistake is'):
        answer = await put(section(COMES, person='nobody-here'))
        assert not answer['is_done'] and 'devices.toml' in ' '.join(answer['lines']), answer
        report.remark(answer['lines'][-1])
        since = house.mark()
        await house.send(COMES['id'], 77)
        await house.delivered(COMES['id'], since)
    async with report.rule('an empty file lets it go'):
        ended = len(house.of('disconnected', COMES['id']))
        answer = await put('')
        assert answer['is_done'], answer
        await house.until(lambda: len(house.of('disconnected', COMES['id'])) > ended, 'the link ends')
    async with report.rule('in all that the other strap has kept its link, and each of its values came once'):
        await house.stack.air('script', id=STAYS['id'], script=[])
        count = await house.delivered(STAYS['id'])
        assert house.times_subscribed(STAYS['id']) == 1 and not house.of('disconnected', STAYS['id'])
    report.figure('values of the other strap', count)


play([STAYS, COMES], scenario)
