"""A race past the box: adverts of tags at the instants that the race simulator computes (Tests/RaceField).

A tag is a dict with its `kind` and its identity, as in a run file:
  {"kind": "address", "address": "C0:.."}                      a fixed address and nothing else
  {"kind": "ibeacon", "uuid": "..", "major": 1, "minor": 7}     an iBeacon
  {"kind": "eddystone", "namespace": "..", "instance": ".."}    an Eddystone-UID
  {"kind": "private", "irk": ".."}                              a resolvable private address, a new one now and then
"""
import asyncio
import json

from bumble import hci

from workbench.ble import air
from workbench.clock import boot_ns

FLAGS = bytes([2, 0x01, 0x06])
NEW_ADDRESS_EVERY_S = 45
# Number of adverts in one batch while the player is late; then other tasks run.
AT_ONCE = 32


class Tag:
    def __init__(self, number, spec):
        self.kind, self.spec = spec['kind'], spec
        # A random static address, for tags without another one.
        self.address = self.static(spec.get('address') or f'C0:52:00:00:{number >> 8:02X}:{number & 0xFF:02X}')
        self.data = {'ibeacon': self.ibeacon, 'eddystone': self.eddystone}.get(self.kind, self.plain)()
        self.renewed = None

    @staticmethod
    def static(address):
        return hci.Address(address, hci.Address.RANDOM_DEVICE_ADDRESS)

    def address_at(self, seconds):
        if self.kind == 'private':
            turn = int(seconds // NEW_ADDRESS_EVERY_S)
            if turn != self.renewed:
                # bumble takes a key least significant octet first.
                self.address = hci.Address.generate_private_address(bytes.fromhex(self.spec['irk'])[::-1])
                self.renewed = turn
        return self.address

    def plain(self):
        return FLAGS + bytes([5, 0x09]) + b'tag '

    def ibeacon(self):
        body = b'\x4C\x00\x02\x15' + bytes.fromhex(self.spec['uuid'].replace('-', ''))
        body += self.spec['major'].to_bytes(2, 'big') + self.spec['minor'].to_bytes(2, 'big') + bytes([0xC5])
        return FLAGS + bytes([len(body) + 1, 0xFF]) + body

    def eddystone(self):
        frame = b'\xAA\xFE\x00\xEE' + bytes.fromhex(self.spec['namespace'] + self.spec['instance']) + b'\0\0'
        return FLAGS + b'\x03\x03\xAA\xFE' + bytes([len(frame) + 1, 0x16]) + frame


class Runners:
    """Plays a field from `at_ns` (CLOCK_BOOTTIME) on: sends each advert that the box should receive."""

    def __init__(self, rig, path, tags, at_ns):
        self.rig, self.at_ns = rig, at_ns
        self.tags = [Tag(number, spec) for number, spec in enumerate(tags)]
        with open(path, encoding='utf-8') as file:
            next(file)   # the line with the true times
            self.heard = [json.loads(line) for line in file]
        self.sent, self.latest_s = 0, 0.0
        self.task = asyncio.get_running_loop().create_task(self.play())

    async def play(self):
        for seconds, runner, rssi in self.heard:
            ahead = seconds - (boot_ns() - self.at_ns) / 1e9
            if ahead > 0:
                await asyncio.sleep(ahead)
            elif self.sent % AT_ONCE == 0:
                await asyncio.sleep(0)
            self.latest_s = max(self.latest_s, -ahead)
            tag = self.tags[runner]
            self.rig.air.send_advertising_pdu(None, air.Advert(
                tag.address_at(seconds), tag.data, air.ADV_NONCONN_IND, b'', rssi))
            self.sent += 1
        self.rig.event('race_over', sent=self.sent, latest_ms=round(self.latest_s * 1000, 1))
