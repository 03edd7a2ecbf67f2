"""BTHome version 2: sensors and buttons that only advertise (https://bthome.io/format).

Service data of UUID FCD2: a byte of device information, then objects in rising order of their ids.
"""
import asyncio
import secrets

from bumble import hci

from workbench.ble import air
from workbench.clock import boot_ns

VERSION_2, ENCRYPTED, WHEN_TRIGGERED = 2 << 5, 0x01, 0x04
# name: (object id, bytes, factor); little-endian, signed where the range needs it.
OBJECTS = {
    'packet_id': (0x00, 1, 1), 'battery': (0x01, 1, 1), 'temperature': (0x02, 2, 100),
    'humidity': (0x03, 2, 100), 'door': (0x1A, 1, 1), 'motion': (0x21, 1, 1),
    'vibration': (0x2C, 1, 1), 'window': (0x2D, 1, 1),
    'button': (0x3A, 1, 1)}
SIGNED = {'temperature'}
PRESSES = ('none', 'press', 'double_press', 'triple_press', 'long_press', 'long_double_press',
           'long_triple_press')


def payload(objects):
    """{'button': 'press', 'battery': 97} as the objects of one advert."""
    numbers = {name: PRESSES.index(value) if name == 'button' else value for name, value in objects.items()}
    out = b''
    for name in sorted(numbers, key=lambda name: OBJECTS[name][0]):
        number, size, factor = OBJECTS[name]
        out += bytes([number]) + round(numbers[name] * factor).to_bytes(size, 'little', signed=name in SIGNED)
    return out


class Advertiser:
    """A button or sensor. `every_ms` 0: sends only on request."""

    def __init__(self, rig, spec):
        self.rig, self.spec, self.id = rig, spec, spec['id']
        self.address = hci.Address(spec['address'])
        self.key = bytes.fromhex(spec['bindkey']) if 'bindkey' in spec else None
        self.packet, self.counter = secrets.randbelow(256), 1
        self.state, self.rssi = spec.get('objects', {}), spec.get('rssi', -60)
        self.task = None
        self.repeat(spec.get('every_ms', 0))

    def repeat(self, every_ms):
        """Sends its state at this interval from now on; 0 ends that."""
        if self.task:
            self.task.cancel()
        self.task = asyncio.get_running_loop().create_task(self.beacon(every_ms / 1000)) if every_ms else None

    async def beacon(self, every):
        while True:
            await self.send(self.state, 1)
            await asyncio.sleep(every)

    async def send(self, objects, repeats=6, interval=0.1):
        """Sends one packet several times: adverts are not acknowledged."""
        self.packet, began = (self.packet + 1) % 256, boot_ns()
        data = self.advert({'packet_id': self.packet, **objects}, triggered='button' in objects)
        for _ in range(repeats):
            self.rig.air.send_advertising_pdu(None, air.Advert(
                self.address, data, air.ADV_NONCONN_IND, b'', self.rssi))
            await asyncio.sleep(interval)
        self.rig.event(
            'advertised', id=self.id, objects=objects, packet_id=self.packet, hex=data.hex(), began_ns=began)
        return {'packet_id': self.packet, 'hex': data.hex()}

    def advert(self, objects, triggered):
        info = VERSION_2 | (WHEN_TRIGGERED if triggered else 0) | (ENCRYPTED if self.key else 0)
        body = payload(objects)
        if self.key:
            body = self.encrypted(info, body)
        service_data = b'\xD2\xFC' + bytes([info]) + body
        name = self.spec.get('name', '').encode()
        return b'\x02\x01\x06' + bytes([len(service_data) + 1, 0x16]) + service_data \
            + (bytes([len(name) + 1, 0x09]) + name if name else b'')

    def encrypted(self, info, body):
        """AES-CCM with a tag of 4 bytes; the nonce is address, UUID, device information, counter."""
        from cryptography.hazmat.primitives.ciphers.aead import AESCCM
        counter = self.counter.to_bytes(4, 'little')
        self.counter += 1
        nonce = bytes(self.address)[::-1] + b'\xD2\xFC' + bytes([info]) + counter
        sealed = AESCCM(self.key, tag_length=4).encrypt(nonce, body, None)
        return sealed[:-4] + counter + sealed[-4:]
