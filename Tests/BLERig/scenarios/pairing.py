"""`homegateway devices pair` on straps that want a bond: Just Works, a passkey, a wrong one. What becomes of bonds."""
from house import DIRECTORY, play, strap

PASSKEY, WRONG_PASSKEY = '123456', '654321'
PLAIN, KEYED = 'strap-1', 'strap-2'
STRAPS = {one['id']: one for one in (
    strap(1, security='just_works', listed=False), strap(2, security=f'passkey:{PASSKEY}', listed=False))}
DEVICES_FILE = DIRECTORY / 'state' / 'devices.toml'


def pair(id, *options):
    return ('devices', 'pair', STRAPS[id]['address'], '--id', id, '--person', STRAPS[id]['person'], *options)


def devices_file():
    return DEVICES_FILE.read_text(encoding='utf-8') if DEVICES_FILE.exists() else ''


def is_encrypted(house, id, since=0):
    return any(e['event'] == 'encryption' and e['id'] == id and e['on'] for e in house.air[since:])


async def told_once(house, id, times):
    """Subscribed to for the `times`-th time, and each of its values comes once."""
    await house.subscription(id, times)
    since = house.mark()
    await house.send(id, 70, 71, 72)
    await house.delivered(id, since)


async def is_bonded(house, id):
    rows = (line.split(maxsplit=1) for line in (await house.succeed('devices', 'show', id)).splitlines())
    return dict(row for row in rows if len(row) == 2)['bonded'] == 'yes'


async def scenario(house, report):
    async with report.rule('one command pairs a strap that asks for nothing (Just Works); the running gateway follows'):
        said = await house.succeed(*pair(PLAIN))
        assert 'paired with RIG HRM 1' in said and 'gateway: strap-1: watched from now on' in said, said
        await told_once(house, PLAIN, 1)
        assert is_encrypted(house, PLAIN), 'the link is not encrypted'
        assert await is_bonded(house, PLAIN), 'no bond'

    async with report.rule('a wrong passkey is told as one: nothing is bonded, nothing is written down'):
        status, said, complaint = await house.command(*pair(KEYED, '--passkey', WRONG_PASSKEY))
        assert status == 1 and 'does not accept this passkey' in complaint, (status, said, complaint)
        assert KEYED not in devices_file(), devices_file()
        await house.until(lambda: house.of('pairing_failed', KEYED), 'the strap knows that it failed')
        assert not house.of('paired', KEYED), house.of('paired', KEYED)
        report.remark(complaint.strip())

    async with report.rule('without one, a strap that shows a passkey is not paired from a script'):
        status, said, complaint = await house.command(*pair(KEYED))
        assert status == 1 and complaint, (status, said, complaint)
        assert KEYED not in devices_file(), devices_file()
        assert not house.of('paired', KEYED), house.of('paired', KEYED)
        report.remark(complaint.strip())

    async with report.rule('the right passkey pairs it, and authenticates the link'):
        said = await house.succeed(*pair(KEYED, '--passkey', PASSKEY))
        assert 'gateway: strap-2: watched from now on' in said, said
        await told_once(house, KEYED, 1)
        await house.until(lambda: [e for e in house.of('encryption', KEYED) if e['authenticated']], 'authenticated')
        assert await is_bonded(house, KEYED), 'no bond'

    async with report.rule('to pair a strap that is paired changes nothing'):
        before = devices_file()
        said = await house.succeed(*pair(PLAIN))
        assert 'is paired with this computer already' in said, said
        assert devices_file() == before, devices_file()

    pairings = len(house.of('paired', PLAIN)) + len(house.of('paired', KEYED))
    async with report.rule('bonds outlive bluetoothd: encrypted links again, and nobody is asked'):
        air = len(house.air)
        await house.stack.kill_bluetoothd()
        await house.stack.start_bluetoothd()
        for id in STRAPS:
            await told_once(house, id, 2)
            assert is_encrypted(house, id, air), f'{id} is not encrypted'
    async with report.rule('and the gateway: stopped in order and started, it has both straps again'):
        await house.stop_gateway()
        await house.until(lambda: not any(map(house.is_subscribed, STRAPS)), 'it has unsubscribed')
        await house.start_gateway()
        for id in STRAPS:
            await told_once(house, id, 3)
    async with report.rule('in all that no strap was paired anew'):
        assert len(house.of('paired', PLAIN)) + len(house.of('paired', KEYED)) == pairings

    async with report.rule('a strap that was reset is forgotten and paired again by two commands'):
        await house.stack.air('forget', id=PLAIN)
        await house.stack.air('disconnect', id=PLAIN)
        await house.succeed('devices', 'forget', PLAIN, '--yes')
        assert PLAIN not in devices_file(), devices_file()
        times = house.times_subscribed(PLAIN)
        await house.succeed(*pair(PLAIN))
        await told_once(house, PLAIN, times + 1)


play(list(STRAPS.values()), scenario)
