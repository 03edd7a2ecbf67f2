"""A wearable with resolvable private addresses: the gateway knows it by its bond through each change of address."""
import json

from workbench.ble.scenarios.guest_house import DIRECTORY, play, strap
from workbench.ble.scenarios.report import milliseconds, spread
from workbench.clock import boot_ns

WATCH = strap(1, security='just_works', private=True, listed=False)
ID, IDENTITY = WATCH['id'], WATCH['address']
ROTATIONS = 4


async def scan(house):
    lines = (await house.succeed('devices', 'scan', '--seconds', '2', '--json')).splitlines()
    return [json.loads(line) for line in lines]


async def away_with_a_new_address(house):
    """Moves the wearable out of range, and back with another address."""
    await house.stack.air('advertise', id=ID, on=False)
    await house.stack.air('disconnect', id=ID)
    await house.until(lambda: not house.is_subscribed(ID), 'the link ends')
    address = await house.stack.air('rotate', id=ID)
    await house.stack.air('advertise', id=ID, on=True)
    return address


async def scenario(house, report):
    async with report.rule('a scan shows it by an address of the moment, not by its own'):
        found = await scan(house)
        assert [(one['name'], one['is_paired']) for one in found] == [(WATCH['name'], False)], found
        shown = found[0]['address']
        assert shown != IDENTITY, 'it shows its identity to strangers'
    async with report.rule('paired by the address of the moment, it is written down by its lasting one'):
        said = await house.succeed('devices', 'pair', shown, '--id', ID, '--person', WATCH['person'])
        text = (DIRECTORY / 'state' / 'devices.toml').read_text(encoding='utf-8')
        assert IDENTITY in said and IDENTITY in text and shown not in text, (said, text)
        report.remark(f'{shown} when it was paired, {IDENTITY} from then on')
        await house.subscription(ID)
        await house.send(ID, 70, 71, 72)
        await house.delivered(ID)

    gaps, shown_then = [], {shown}
    async with report.rule(f'it is followed to each of {ROTATIONS} new addresses, and each value comes once'):
        for n in range(ROTATIONS):
            since = house.mark()
            began = boot_ns()
            shown_then.add(await away_with_a_new_address(house))
            await house.subscription(ID, n + 2)
            gaps.append(boot_ns() - began)
            await house.send(ID, 60 + n, 80 + n)
            await house.delivered(ID, since)
        assert len(shown_then) == ROTATIONS + 1, shown_then
        report.figure('from the new address to the subscription', spread(gaps))

    async with report.rule('a new address while bluetoothd was away is followed too'):
        since = house.mark()
        await house.stack.kill_bluetoothd()
        await house.until(lambda: not house.is_subscribed(ID), 'the link ends')
        await away_with_a_new_address(house)
        await house.stack.start_bluetoothd()
        began = boot_ns()
        await house.subscription(ID, ROTATIONS + 2)
        report.figure('from hci0 being on to the subscription', milliseconds(boot_ns() - began))
        await house.send(ID, 65, 66)
        await house.delivered(ID, since)
    async with report.rule('in all that it was paired once'):
        assert len(house.of('paired', ID)) == 1, house.of('paired', ID)


play([WATCH], scenario)
