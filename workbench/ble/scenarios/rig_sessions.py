"""The rig itself: sessions of StartNotify from one link to the next, as bluetoothd 5.66 keeps them.

The gateway's `StandingSubscriptions` rests on these facts.
"""
import asyncio
import contextlib
import sys

from workbench.ble.bluez_client import Bluez, BluezError
from workbench.ble.scenarios.report import Failed, Report
from workbench.ble.stack import Stack

CHARACTERISTIC = 'org.bluez.GattCharacteristic1'
CUFF = {'id': 'cuff', 'kind': 'blood_pressure', 'address': 'C0:00:00:00:05:01', 'script': [],
        'security': 'just_works'}
WAIT_SECONDS = 60


class Client:
    """One D-Bus connection, and the order of what it told about the cuff."""

    async def open(self):
        self.bluez = await Bluez().open(patiently=True)
        await self.bluez.agent()
        self.path = self.bluez.device(CUFF['address'])
        self.values: asyncio.Queue[tuple[str, bool]] = asyncio.Queue()
        return self

    def shown(self):
        """Returns the path of the measurement, or None where bluetoothd shows none."""
        with contextlib.suppress(BluezError):
            return self.bluez.char(self.path, '2a35')
        return None

    def take(self, value):
        self.values.put_nowait((value.hex(), bool(self.bluez.prop(self.path, 'ServicesResolved'))))

    async def start(self):
        """Returns the error of StartNotify, or None."""
        try:
            await self.bluez.notify(self.shown(), self.take)
        except BluezError as error:
            return str(error)
        return None

    async def pair(self):
        await self.bluez.discover(CUFF['address'])
        await self.bluez.connect_path(self.path)
        await self.bluez.pair_path(self.path)

    async def connect(self):
        """Returns when the link is up: the cuff may end it before its services are resolved."""
        await self.bluez.call(self.path, 'org.bluez.Device1', 'Connect')

    async def value(self):
        async with asyncio.timeout(WAIT_SECONDS):
            return await self.values.get()

    async def gone(self):
        await self.bluez.until(lambda: not self.bluez.prop(self.path, 'Connected'), WAIT_SECONDS)
        await asyncio.sleep(0.5)   # no event marks the end of the clean-up


async def scenario(report, stack):
    client = await Client().open()

    async def measured(systolic, is_eager):
        await stack.air('measure', id='cuff', is_eager=is_eager, value={
            'systolic': systolic, 'diastolic': 80, 'map': 95})

    async def confirmed(systolic):
        await stack.until(lambda: any(
            e['event'] == 'confirmed' and e['value']['systolic'] == systolic for e in stack.events))

    async with report.rule('rig: a cuff is paired; with no session its value is confirmed, and told to nobody'):
        await client.pair()
        await stack.air('disconnect', id='cuff')
        await client.gone()
        await measured(101, True)
        await client.connect()
        await confirmed(101)
        await client.gone()
        assert client.values.empty(), client.values

    async with report.rule('rig: StartNotify of a device that is away is accepted; again, it is in progress'):
        assert client.shown(), 'no characteristic is shown'
        assert await client.start() is None
        again = await client.start()
        report.remark(f'again: {again}')
        assert again is not None and 'InProgress' in again, again

    for systolic, is_eager, sending in ((102, True, 'before any request'), (103, False, 'at the subscription')):
        async with report.rule(f'rig: on the next link its value, sent {sending}, is signalled once'):
            await measured(systolic, is_eager)
            await client.connect()
            await confirmed(systolic)
            value, is_resolved = await client.value()
            report.remark(f'services resolved by then: {is_resolved}')
            await client.gone()
            assert int(value[2:4], 16) == systolic and client.values.empty(), value
            again = await client.start()
            assert again is not None and 'InProgress' in again, 'the session is gone'

    async with report.rule('rig: a link that ends while its subscription is written costs the session; nobody is told'):
        await measured(110, True)
        await client.connect()
        await confirmed(110)
        await stack.air('disconnect', id='cuff')
        await client.value()
        await client.gone()
        assert await client.start() is None, 'it is kept'

    async with report.rule('rig: another client that comes while it is away, as after a restart, gets the value too'):
        client.bluez.close()
        client = await Client().open()
        assert client.shown(), 'no characteristic is shown'
        assert await client.start() is None
        await measured(104, True)
        await client.connect()
        await confirmed(104)
        value, _ = await client.value()
        assert int(value[2:4], 16) == 104, value
        await client.gone()

    async with report.rule('rig: after a restart of bluetoothd no characteristic of an absent device is shown; the '
                           'value that it sends before any request on the first link is confirmed and lost'):
        client.bluez.close()
        await stack.kill_bluetoothd()
        await stack.start_bluetoothd()
        client = await Client().open()
        assert client.bluez.prop(client.path, 'Bonded') and client.shown() is None, client.shown()
        await measured(105, True)
        await client.connect()
        await confirmed(105)
        await client.gone()
        assert client.values.empty(), client.values

    async with report.rule('rig: from the second link on it is told'):
        assert await client.start() is None
        await measured(106, True)
        await client.connect()
        await confirmed(106)
        value, _ = await client.value()
        assert int(value[2:4], 16) == 106, value


async def main(report):
    async with Stack({'peripherals': [CUFF]}) as stack:
        with contextlib.suppress(Failed):
            await scenario(report, stack)


report = Report()
asyncio.run(main(report))
sys.exit(report.close())
