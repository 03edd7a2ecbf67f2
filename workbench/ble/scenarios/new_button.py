"""A button that only advertises, found and added by the running gateway for an installer's page."""
from workbench.ble.scenarios.advert_house import BINDKEY, AdvertHouse, button
from workbench.ble.scenarios.guest_house import DIRECTORY, ask, play, setup, strap
from workbench.ble.scenarios.report import milliseconds
from workbench.clock import boot_ns

STRAP, NEW = 'strap-1', 'button-1'
# The strap sends values: the gateway subscribes anew to a silent one.
BEATS = [{'bpm': 66}, {'bpm': 67}]
# In no settings: somebody's, as far as the gateway knows.
BUTTON = button(1, person=None, bindkey=BINDKEY, name='<b>SOS</b>')
KEY_FILE = DIRECTORY / 'state' / f'bindkey-{NEW}'


async def add(key):
    return await ask('add_broadcaster', subject=NEW, address=BUTTON['address'], person='person-1', key=key,
                     signals=['button=sos-button'], by='Gino')


async def scenario(house, report):
    await house.subscription(STRAP)
    await house.stack.air('script', id=STRAP, script=BEATS, every_ms=500)

    async def press_calls(what):
        since, began = house.mark(), boot_ns()
        await house.press(NEW)
        alarm, _ = await house.call_and_accept(since, rule='sos-button', person='person-1')
        assert len(house.alarms(since[1])) == 1, house.alarms(since[1])
        report.figure(f'{what}: from the order to press to the alarm', milliseconds(alarm['boot_ns'] - began))

    async with report.rule('a house without such buttons listens to adverts during a search, and calls nobody'):
        assert not any('listening for adverts' in line for line in house.log), 'it listens without a reason'
        assert (await ask('scan_devices', seconds=60, by='Gino'))['is_done']
        await house.listens('listening for adverts')
        since = house.mark()
        await house.press(NEW, repeats=30)

        def heard(state):
            return [f for f in state['found'] if f['address'] == BUTTON['address'] and 'broadcast' in f]
        found = heard(await setup(heard, 'the search hears the button'))[0]
        assert found['broadcast']['is_encrypted'] and found['signal_dbm'] == -60, found
        assert house.alarms(since[1]) == [], house.alarms(since[1])
        assert house.conditions('radio-deaf') == [], house.conditions('radio-deaf')
    async with report.rule('a wrong key is refused as one, and no key too; nothing is written down'):
        for key, code in ((BINDKEY[::-1], 'key-wrong'), ('', 'key-missing'), ('231d', 'key-malformed')):
            refused = await add(key)
            assert not refused['is_done'] and refused['refusal'] == code, refused
            assert '231d' not in str(refused), refused
        assert not KEY_FILE.exists()
    async with report.rule('with its key it is added, and its next press is one alarm, and a call on the broker'):
        assert (await add(BINDKEY))['is_done']
        end = (await setup(lambda s: 'outcome' in s, 'the end of the addition'))['outcome']
        assert end['is_done'] and end['device'] == NEW, end
        assert KEY_FILE.stat().st_mode & 0o777 == 0o600, oct(KEY_FILE.stat().st_mode)
        assert f'{NEW} ' in await house.succeed('devices', 'list')
        assert house.alarms(since[1]) == [], 'the press by which it was found has called'
        await press_calls('before the restart')
    async with report.rule('and after a restart of the gateway'):
        await house.stop_gateway()
        log = len(house.log)
        await house.start_gateway()
        await house.listens('listening for adverts', log)
        await house.subscription(STRAP, 2)
        await press_calls('after the restart')
    async with report.rule('forgotten, it calls nobody, its key is gone, and the log never had it'):
        assert (await ask('forget_device', subject=NEW, by='Gino'))['is_done']
        await setup(lambda s: 'outcome' in s, 'the end of the removal')
        assert not KEY_FILE.exists()
        await house.stack.air('script', id=STRAP, script=[])
        since = house.mark()
        await house.press(NEW)
        await house.settled(STRAP)
        assert house.alarms(since[1]) == [], house.alarms(since[1])
        assert not any(BINDKEY in line or BINDKEY[::-1] in line for line in house.log)


play([strap()], scenario, lambda wearables, report: AdvertHouse(wearables, report, [BUTTON]))
