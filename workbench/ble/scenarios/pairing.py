"""Straps that require a bond, paired by the command and by the gateway itself: Just Works, passkeys; kept bonds."""
import asyncio

from workbench.ble.scenarios.guest_house import DIRECTORY, ask, play, setup, strap
from workbench.ble.scenarios.report import spread
from workbench.clock import boot_ns

# Pause of a person between two commands. bluetoothd takes 0.3 s to clean up after a failed pairing, and cancels
# another one meanwhile.
TYPING_SECONDS = 1
PASSKEY, WRONG_PASSKEY = '123456', '654321'
PLAIN, KEYED, SHOWN = 'strap-1', 'strap-2', 'strap-3'
# The straps send all the time: the gateway would subscribe anew to a silent one.
SCRIPT = [{'bpm': bpm} for bpm in range(50, 98)]
STRAPS = {one['id']: one for one in (
    strap(1, security='just_works', listed=False, script=SCRIPT),
    strap(2, security=f'passkey:{PASSKEY}', listed=False, script=SCRIPT),
    strap(3, security=f'passkey:{PASSKEY}', listed=False, script=SCRIPT))}
DEVICES_FILE = DIRECTORY / 'state' / 'devices.toml'


def pair(id, *options):
    return ('devices', 'pair', STRAPS[id]['address'], '--id', id, '--person', STRAPS[id]['person'], *options)


def devices_file():
    return DEVICES_FILE.read_text(encoding='utf-8') if DEVICES_FILE.exists() else ''


def is_encrypted(house, id, since=0):
    return any(e['event'] == 'encryption' and e['id'] == id and e['on'] for e in house.air[since:])


async def told_once(house, id, since, watched=True):
    """Checks that each value since then arrived once; there was no link then. Returns the instant of subscription."""
    await house.until(lambda: len(house.readings(id, since[1])) >= 3, f'readings of {id}')
    await house.stack.air('script', id=id, script=[])
    await house.delivered(id, since, watched)
    await house.stack.air('script', id=id, script=SCRIPT)
    return next(e['boot_ns'] for e in house.air[since[0]:] if e['event'] == 'subscribed' and e['id'] == id)


async def is_bonded(house, id):
    rows = (line.split(maxsplit=1) for line in (await house.succeed('devices', 'show', id)).splitlines())
    return dict(row for row in rows if len(row) == 2)['bonded'] == 'yes'


async def scenario(house, report):
    gaps = []

    async def pair_and_watch(id, *options):
        since = house.mark()
        said = await house.succeed(*pair(id, *options))
        done = boot_ns()
        assert f'gateway: {id}: watched from now on' in said, said
        gaps.append(await told_once(house, id, since) - done)
        return said

    async with report.rule('one command pairs a strap that asks for nothing (Just Works); the running gateway follows'):
        said = await pair_and_watch(PLAIN)
        assert 'paired with RIG HRM 1' in said, said
        assert is_encrypted(house, PLAIN), 'the link is not encrypted'
        assert await is_bonded(house, PLAIN), 'no bond'

    async with report.rule('a wrong passkey is told as one: nothing is bonded, nothing is written down'):
        status, said, complaint = await house.command(*pair(KEYED, '--passkey', WRONG_PASSKEY))
        assert status == 1 and 'does not accept this passkey' in complaint, (status, said, complaint)
        assert KEYED not in devices_file(), devices_file()
        await house.until(lambda: house.of('pairing_failed', KEYED), 'the strap knows that it failed')
        assert not house.of('paired', KEYED), house.of('paired', KEYED)
        report.remark(complaint.strip())

    async with report.rule('without one, a strap that shows a passkey is not paired from a script, which is told why'):
        await asyncio.sleep(TYPING_SECONDS)
        status, said, complaint = await house.command(*pair(KEYED))
        assert status == 1 and '--passkey' in complaint, (status, said, complaint)
        assert KEYED not in devices_file(), devices_file()
        assert not house.of('paired', KEYED), house.of('paired', KEYED)
        report.remark(complaint.strip())

    async with report.rule('the right passkey pairs it, and authenticates the link'):
        await asyncio.sleep(TYPING_SECONDS)
        await pair_and_watch(KEYED, '--passkey', PASSKEY)
        await house.until(lambda: [e for e in house.of('encryption', KEYED) if e['authenticated']], 'authenticated')
        assert await is_bonded(house, KEYED), 'no bond'

    async with report.rule('to pair a strap that is paired changes nothing'):
        before = devices_file()
        said = await house.succeed(*pair(PLAIN))
        assert 'is paired with this computer already' in said, said
        assert devices_file() == before, devices_file()

    async with report.rule('the running gateway scans and pairs by itself, for a page; the others are read meanwhile'):
        since = house.mark()
        address = STRAPS[SHOWN]['address']
        assert (await ask('scan_devices', seconds=60, by='Gino'))['is_done']
        await setup(lambda s: any(f['address'] == address for f in s['found']), 'the scan hears the strap')
        done = await ask('pair_device', subject=SHOWN, address=address, person=STRAPS[SHOWN]['person'], by='Gino')
        assert done['is_done'], done
        await setup(lambda s: s.get('question', {}).get('kind') == 'passkey', 'the strap asks for its passkey')
        refused = await ask('answer_pairing', answer=PASSKEY, by='somebody else')
        assert not refused['is_done'], refused
        assert (await ask('answer_pairing', answer=PASSKEY, by='Gino'))['is_done']
        end = (await setup(lambda s: 'outcome' in s, 'the end of the pairing'))['outcome']
        assert end['is_done'] and end['device'] == SHOWN, end
        await house.until(lambda: len(house.readings(SHOWN, since[1])) >= 3, 'readings of the new strap')
        assert len(house.readings(PLAIN, since[1])) >= 3, 'the other strap was not read meanwhile'
        assert await is_bonded(house, SHOWN), 'no bond'
        await house.succeed('devices', 'forget', SHOWN, '--yes')

    pairings = len(house.of('paired', PLAIN)) + len(house.of('paired', KEYED))
    async with report.rule('bonds outlive bluetoothd: encrypted links again, and nobody is asked'):
        await house.stack.kill_bluetoothd()
        await house.until(lambda: not any(map(house.is_subscribed, STRAPS)), 'the links end')
        await house.quiet()
        since = house.mark()
        await house.stack.start_bluetoothd()
        for id in (PLAIN, KEYED):
            await told_once(house, id, since)
            assert is_encrypted(house, id, since[0]), f'{id} is not encrypted'
    async with report.rule('and the gateway: stopped in order and started, it has both straps again'):
        await house.stop_gateway()
        await house.until(lambda: not any(map(house.is_subscribed, STRAPS)), 'it has unsubscribed')
        await house.quiet()
        since = house.mark()
        await house.start_gateway()
        for id in (PLAIN, KEYED):
            await told_once(house, id, since, watched=False)
    async with report.rule('in all that no strap was paired anew'):
        assert len(house.of('paired', PLAIN)) + len(house.of('paired', KEYED)) == pairings

    async with report.rule('a strap that was reset is paired again by the two commands that pairing it names'):
        # The broker has all earlier readings: the last ones wait to be gathered.
        await house.stack.air('script', id=PLAIN, script=[])
        await house.settled(PLAIN)
        await house.stack.air('forget', id=PLAIN)
        await house.stack.air('disconnect', id=PLAIN)
        await house.stack.air('script', id=PLAIN, script=SCRIPT)
        said = await house.succeed(*pair(PLAIN))
        assert f'homegateway devices forget {PLAIN}, then this command again' in said, said
        await house.succeed('devices', 'forget', PLAIN, '--yes')
        assert PLAIN not in devices_file(), devices_file()
        await pair_and_watch(PLAIN)
    report.figure('from the end of the pairing to the subscription', spread(gaps))


play(list(STRAPS.values()), scenario)
