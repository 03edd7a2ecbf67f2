"""The rig itself: each kind of wearable follows its profile, as seen by the rig's own small client."""
import asyncio
import struct
import sys
from typing import Any

from workbench.ble.bluez_client import Bluez, BluezError, uuid
from workbench.ble.scenarios.report import Failed, Report
from workbench.ble.stack import Stack

RECORDS: list[dict[str, Any]] = [
    {'sequence': 10 + n, 'time': [2026, 1, 2, 7, n, 0], 'mg_dl': 90 + n} for n in range(40)]
RECORDS[3]['context'] = {'meal': 2, 'carbohydrate': {'id': 1, 'grams': 45}}
KEY = '231d39c1d7cc1ab1aee224cd096db932'
CONFIG: dict[str, list[dict[str, Any]]] = {
    'peripherals': [
        {'id': 'oximeter', 'kind': 'spot_check_oximeter', 'address': 'C0:00:00:00:02:01', 'script': []},
        {'id': 'meter', 'kind': 'glucose_meter', 'address': 'C0:00:00:00:02:02', 'records': RECORDS,
         'current_time': True},
        {'id': 'scale', 'kind': 'weight_scale', 'address': 'C0:00:00:00:02:03', 'script': []},
        {'id': 'fob', 'kind': 'alert_target', 'address': 'C0:00:00:00:02:04'},
        {'id': 'cuff', 'kind': 'blood_pressure', 'address': 'C0:00:00:00:02:05', 'script': []},
        {'id': 'ear', 'kind': 'thermometer', 'address': '00:1B:DC:07:32:06/P', 'script': []}],
    'bthome': [
        {'id': 'button', 'address': 'C0:00:00:00:03:01', 'name': 'Button'},
        {'id': 'motion', 'address': 'C0:00:00:00:03:02', 'every_ms': 500,
         'objects': {'battery': 97, 'motion': 1, 'temperature': -2.5}},
        {'id': 'secret', 'address': 'C0:00:00:00:03:03', 'bindkey': KEY}]}
WAIT_SECONDS = 60


def address(id):
    found = next(p for p in CONFIG['peripherals'] + CONFIG['bthome'] if p['id'] == id)
    return found['address'].removesuffix('/P')


class Client:
    def __init__(self, bluez):
        self.bluez = bluez

    async def connected(self, id):
        bluez = self.bluez
        if bluez.prop(bluez.device(address(id)), 'Address') is None:
            await bluez.discover(address(id))
        return await bluez.connect(address(id))

    async def values(self, path, short):
        """Subscribes to the characteristic and returns a queue of its notifications."""
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        await self.bluez.notify(self.bluez.char(path, short), queue.put_nowait)
        return queue

    async def write(self, path, short, value, command=False):
        await self.bluez.write(self.bluez.char(path, short), value, command)


async def next_of(queue):
    async with asyncio.timeout(WAIT_SECONDS):
        return await queue.get()


async def pushed(client, stack, id, short, value, wanted):
    path = await client.connected(id)
    queue = await client.values(path, short)
    await stack.air('send', id=id, value=value)
    got = (await next_of(queue)).hex()
    assert got == wanted.replace(' ', ''), f'{got}, wanted {wanted}'
    await client.bluez.disconnect(address(id))


async def measurements(report, client, stack):
    # The bytes were written out by hand from the GATT Specification Supplement.
    async with report.rule('rig: a spot-check oximeter indicates 2A5E'):
        await pushed(client, stack, 'oximeter', '2a5e',
                     {'spo2': 97, 'pulse': 68, 'time': [2026, 1, 2, 7, 30, 0]},
                     '01 6100 4400 ea07 01 02 07 1e 00')
    async with report.rule('rig: a weight scale indicates 2A9D'):
        await pushed(client, stack, 'scale', '2a9d', {'kg': 71.25, 'time': [2026, 1, 2, 7, 30, 0], 'user': 1},
                     '06 aa37 ea07 01 02 07 1e 00 01')
    async with report.rule('rig: a blood pressure meter indicates 2A35'):
        await pushed(client, stack, 'cuff', '2a35', {'systolic': 121, 'diastolic': 79, 'map': 93, 'pulse': 66},
                     '04 7900 4f00 5d00 4200')
    async with report.rule('rig: a thermometer with a public address indicates 2A1C'):
        await pushed(client, stack, 'ear', '2a1c', {'celsius': 36.7}, '00 6f0100ff')


async def glucose(report, client, stack):
    path = await client.connected('meter')
    async with report.rule('rig: a glucose meter refuses a request before its control point is subscribed to'):
        try:
            await client.write(path, '2a52', b'\x01\x01')
        except BluezError as error:
            assert '0x81' in str(error), error
        else:
            raise AssertionError('it was accepted')
    values, contexts = await client.values(path, '2a18'), await client.values(path, '2a34')
    answers = await client.values(path, '2a52')

    async def ask(request, answer):
        await client.write(path, '2a52', bytes.fromhex(request))
        got = (await next_of(answers)).hex()
        assert got == answer, f'{request}: {got}, wanted {answer}'
        out = []
        while not values.empty():
            out.append(values.get_nowait())
        return [struct.unpack('<H', value[1:3])[0] for value in out], out

    sequences = [record['sequence'] for record in RECORDS]
    async with report.rule('rig: it tells the number of its records'):
        await ask('0401', '0500' + '2800')
        await ask('0403012c00', '0500' + '0600')
    async with report.rule('rig: it reports all records, with context where there is one'):
        got, raw = await ask('0101', '06000101')
        assert got == sequences, got
        # 90 mg/dl is 90e-5 kg/l; capillary whole blood from a finger.
        assert raw[0].hex() == '020a00ea070102070000' + '5ab0' + '11', raw[0].hex()
        # 45 g of "breakfast" are 45e-3 kg, before it "preprandial": ids 1 and 1; meal 2 is postprandial.
        context = (await next_of(contexts)).hex()
        assert context == '030d00' + '01' + '2dd0' + '02', context
        assert contexts.empty()
    async with report.rule('rig: it reports the records from a sequence number on'):
        got, _ = await ask('0103012c00', '06000101')
        assert got == [n for n in sequences if n >= 44], got
    async with report.rule('rig: it says that there are none, and what it does not support'):
        await ask('010301ffff', '06000106')
        await ask('0201', '06000202')
        await ask('0104', '06000104')
        await ask('03', '06000307')
    async with report.rule('rig: it can be aborted on its way, and asked again'):
        await client.write(path, '2a52', b'\x01\x01')
        await next_of(values)
        await client.write(path, '2a52', b'\x03')
        got = (await next_of(answers)).hex()
        assert got == '06000301', got
        while not values.empty():
            values.get_nowait()
        got, _ = await ask('0101', '06000101')
        assert got == sequences, got
    async with report.rule('rig: its clock can be set, and refuses a day that there is not'):
        await client.write(path, '2a2b', struct.pack('<H8B', 2026, 1, 2, 7, 45, 30, 5, 0, 1))
        told = await stack.until(lambda: [e for e in stack.events if e['event'] == 'clock_set'])
        assert (told[-1]['time'], told[-1]['weekday']) == ([2026, 1, 2, 7, 45, 30], 5), told
        try:
            await client.write(path, '2a2b', struct.pack('<H8B', 2026, 13, 2, 7, 45, 30, 5, 0, 1))
        except BluezError as error:
            assert '0x80' in str(error), error
        else:
            raise AssertionError('it was accepted')
    await client.bluez.disconnect(address('meter'))


async def alert(report, client, stack):
    async with report.rule('rig: a fob tells of the alerts that are written to it without a response'):
        path = await client.connected('fob')
        for level in (2, 1, 0):
            await client.write(path, '2a06', bytes([level]), command=True)
        def levels():
            return [e['level'] for e in stack.events if e['event'] == 'alert']
        await stack.until(lambda: len(levels()) == 3)
        assert levels() == ['high', 'mild', 'none'], levels()
        await client.bluez.disconnect(address('fob'))


async def bthome(report, client, stack):
    bluez = client.bluez

    def data(id):
        shown = bluez.prop(bluez.device(address(id)), 'ServiceData') or {}
        value = shown.get(uuid('fcd2'))
        return bytes(value.value) if value else b''
    async with report.rule('rig: BTHome advertisers are heard: a sensor, a button, one with encryption'):
        await bluez.scan(True)
        await bluez.until(lambda: data('motion'), WAIT_SECONDS)
        # Device information 0x40; packet id; battery 97 %, -2.5 degrees, motion.
        motion = data('motion')
        assert motion[:2].hex() == '4000' and motion[3:].hex() == '01610206ff2101', motion.hex()
        sent = await stack.air('bthome', id='button', objects={'button': 'long_press'})
        await bluez.until(lambda: data('button'), WAIT_SECONDS)
        assert data('button').hex() == f'4400{sent["packet_id"]:02x}3a04', data('button').hex()
        await stack.air('bthome', id='secret', objects={'button': 'press'})
        await bluez.until(lambda: data('secret'), WAIT_SECONDS)
        assert opened('secret', data('secret'))[-2:].hex() == '3a01', data('secret').hex()
        await bluez.scan(False)


def opened(id, data):
    """Decrypts service data after the description of the format."""
    from cryptography.hazmat.primitives.ciphers.aead import AESCCM
    nonce = bytes.fromhex(address(id).replace(':', '')) + b'\xd2\xfc' + data[:1] + data[-8:-4]
    return AESCCM(bytes.fromhex(KEY), tag_length=4).decrypt(nonce, data[1:-8] + data[-4:], None)


async def main(report):
    async with Stack(CONFIG) as stack:
        client = Client(await Bluez().open())
        try:
            await measurements(report, client, stack)
            await glucose(report, client, stack)
            await alert(report, client, stack)
            await bthome(report, client, stack)
        except Failed:
            pass


report = Report()
asyncio.run(main(report))
sys.exit(report.close())
