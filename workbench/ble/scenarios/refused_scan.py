"""The controller refuses the first scan, as it does while another program starts one.

bluetoothd then answers InProgress, the same error as for a client that discovers already.
"""
import asyncio

from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.report import milliseconds
from workbench.clock import boot_ns

SETTLED_S = 5   # bluetoothd ends the discovery of a client that has gone
STRAP, NEW = 'strap-1', 'strap-2'
STRAPS = [strap(1, advertise=False), strap(2, advertise=False, security='just_works', listed=False)]


async def scenario(house, report):
    async def refused(times):
        left = await house.stack.air('refuse_scans', times=times)
        assert left == 0, f'{left} refusals were never asked for'

    async with report.rule('a gateway whose first scan is refused asks again, and finds the strap'):
        await house.stop_gateway()
        await asyncio.sleep(SETTLED_S)
        await refused(1)
        await house.start_gateway()
        began = boot_ns()
        await house.stack.air('return', id=STRAP)
        await house.subscription(STRAP)
        report.figure('from the start of the gateway to the subscription', milliseconds(boot_ns() - began))
        await refused(0)
    await house.stop_gateway()
    await asyncio.sleep(SETTLED_S)
    await house.stack.air('return', id=NEW)
    async with report.rule('so does a person\'s search'):
        await refused(2)
        said = await house.succeed('devices', 'scan', '--seconds', '5')
        assert 'RIG HRM 2' in said, said
        await refused(0)
    async with report.rule('and the search before a pairing'):
        await refused(1)
        said = await house.succeed(
            'devices', 'pair', STRAPS[1]['address'], '--id', NEW, '--person', STRAPS[1]['person'])
        assert 'paired with RIG HRM 2' in said, said
        await refused(0)


play(STRAPS, scenario)
