"""The rig itself: pairing, bonds and private addresses, seen by the rig's own small client."""
import asyncio
import contextlib
import sys
from typing import Any

from workbench.ble.bluez_client import Bluez, BluezError
from workbench.ble.scenarios.report import Failed, Report
from workbench.ble.stack import Stack

ADAPTER = '/org/bluez/hci0'
PASSKEY = 123456
WEARABLES: dict[str, dict[str, Any]] = {
    'plain': {'kind': 'blood_pressure', 'address': 'C0:00:00:00:04:01', 'security': 'just_works'},
    'keyed': {'kind': 'heart_rate', 'address': 'C0:00:00:00:04:02', 'security': f'passkey:{PASSKEY}'},
    'private': {
        'kind': 'heart_rate', 'address': 'C0:00:00:00:04:03', 'security': 'just_works', 'private': True}}
MEASUREMENT = {'plain': '2a35', 'keyed': '2a37', 'private': '2a37'}
CONFIG: dict[str, list[dict[str, Any]]] = {'peripherals': [{'id': id, **spec} for id, spec in WEARABLES.items()]}
WAIT_SECONDS = 60
TRIES = 5


class Client:
    """One D-Bus connection. `fresh` makes a new one after bluetoothd ended."""

    async def fresh(self):
        self.bluez = await Bluez().open(patiently=True)
        await self.bluez.agent()
        return self

    def path(self, id):
        """Returns the object path by address, or by name where the address is private or not resolved yet."""
        for path, interfaces in self.bluez.objects.items():
            device = interfaces.get('org.bluez.Device1', {})
            if device.get('Address') == WEARABLES[id]['address'] or device.get('Name') == f'RIG {id}':
                return path
        return None

    async def connected(self, id):
        if self.path(id) is None:
            await self.bluez.scan(True)
            await self.bluez.until(lambda: self.path(id), WAIT_SECONDS)
            await self.bluez.scan(False)
        # bluetoothd 5.66 takes some time to clean up after a link: a Connect may be lost meanwhile.
        for n in range(TRIES):
            try:
                return await self.bluez.connect_path(self.path(id))
            except (BluezError, TimeoutError):
                if n == TRIES - 1:
                    raise
                await asyncio.sleep(1)
        return None

    async def value(self, id, path):
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        char = self.bluez.char(path, MEASUREMENT[id])
        await self.bluez.notify(char, queue.put_nowait)
        async with asyncio.timeout(WAIT_SECONDS):
            value = await queue.get()
        await self.bluez.stop_notify(char)
        return value

    async def disconnect(self, path):
        await self.bluez.disconnect_path(path)

    async def forget(self, id, stack):
        await self.bluez.call(ADAPTER, 'org.bluez.Adapter1', 'RemoveDevice', 'o', self.path(id))
        await stack.air('forget', id=id)


async def scenario(report, stack):
    client = await Client().fresh()
    def told(event, id):
        return [e for e in stack.events if e['event'] == event and e['id'] == id]

    async with report.rule('rig: Just Works pairs without asking anybody, and the measurement needs it'):
        path = await client.connected('plain')
        await client.bluez.pair_path(path)
        assert client.bluez.asked == [], client.bluez.asked
        assert await client.value('plain', path)
        assert client.bluez.prop(path, 'Bonded')
        await stack.until(lambda: [e for e in told('encryption', 'plain') if e['on']])
        await client.disconnect(path)

    async with report.rule('rig: a wrong passkey is refused, and nothing is bonded'):
        client.bluez.passkey = PASSKEY + 1
        path = await client.connected('keyed')
        try:
            await client.bluez.pair_path(path)
        except BluezError as error:
            assert 'AuthenticationFailed' in str(error), error
        else:
            raise AssertionError('it paired')
        assert not client.bluez.prop(path, 'Bonded')
        await stack.until(lambda: told('pairing_failed', 'keyed'))

    async with report.rule('rig: the right one pairs, asked for once, and makes an authenticated link'):
        client.bluez.passkey, client.bluez.asked = PASSKEY, []
        await client.bluez.until(
            lambda: not client.bluez.prop(client.path('keyed') or '', 'Connected'), WAIT_SECONDS)
        path = await client.connected('keyed')
        await client.bluez.pair_path(path)
        assert client.bluez.asked == ['RequestPasskey'], client.bluez.asked
        assert await client.value('keyed', path)
        await stack.until(lambda: [e for e in told('encryption', 'keyed') if e['authenticated']])
        await client.disconnect(path)

    async with report.rule('rig: bonds outlive bluetoothd; nobody is asked again'):
        client.bluez.close()
        await stack.kill_bluetoothd()
        await stack.start_bluetoothd()
        client = await Client().fresh()
        before = len(told('paired', 'keyed')) + len(told('paired', 'plain'))
        for id in ('plain', 'keyed'):
            path = await client.connected(id)
            assert client.bluez.prop(path, 'Bonded'), id
            assert await client.value(id, path)
            await client.disconnect(path)
        assert client.bluez.asked == [], client.bluez.asked
        assert len(told('paired', 'keyed')) + len(told('paired', 'plain')) == before

    async with report.rule('rig: a wearable that lost its bond gives its value after removal and a new pairing'):
        await client.forget('plain', stack)
        path = await client.connected('plain')
        await client.bluez.pair_path(path)
        assert await client.value('plain', path)
        await client.disconnect(path)

    async with report.rule('rig: a bonded wearable is found again behind each new private address'):
        path = await client.connected('private')
        shown, identity = client.bluez.prop(path, 'Address'), WEARABLES['private']['address']
        assert shown != identity, 'it shows its identity to strangers'
        await client.bluez.pair_path(path)
        await client.bluez.until(lambda: client.bluez.prop(path, 'Address') == identity, WAIT_SECONDS)
        report.remark(f'{shown} before pairing, {identity} on the same object after it')
        assert await client.value('private', path)
        await client.disconnect(path)
        for _ in range(2):
            new = await stack.air('rotate', id='private')
            await client.bluez.scan(True)
            path = await client.connected('private')
            await client.bluez.scan(False)
            assert await client.value('private', path)
            assert client.bluez.prop(path, 'Address') == identity
            report.remark(f'rotated to {new}')
            await client.disconnect(path)


async def main(report):
    async with Stack(CONFIG) as stack:
        with contextlib.suppress(Failed):
            await scenario(report, stack)


report = Report()
asyncio.run(main(report))
sys.exit(report.close())
