"""A simulated wearable: its state, also while bluetoothd does not know it."""
import re

from workbench.virtual_bluez.profiles import PROFILES, long_uuid


class Peripheral:
    """One row of the configuration.

    id; kind (a key of PROFILES); address; name; optional: address_type ("random" or "public"),
    rssi (dBm), battery (percent), on_air (true), known (false: bluetoothd knows it already, so
    it needs no discovery), paired, pairing (how it pairs: see agent.py; "just_works"), bonds (true;
    false: it keeps no keys), connect_ms and resolve_ms (duration until a link and its services
    are there), keeps_services (false; true leaves the GATT objects in the tree when the link ends, as
    bluetoothd does for a device whose attributes are cached), objects_ms (0; the GATT objects appear
    that long after ServicesResolved says that they are there), repeats (0; how often each notification
    is sent once more), echoes (false; true: a value through a socket is also a changed property),
    records (values that a meter has stored, in the order of their `sequence`).
    """

    def __init__(self, row):
        self.id, self.kind, self.address = row['id'], row['kind'], row['address'].upper()
        if not re.fullmatch(r'([0-9A-F]{2}:){5}[0-9A-F]{2}', self.address):
            raise ValueError(f'{self.id}: {row["address"]!r} is no Bluetooth address')
        if self.kind not in PROFILES:
            raise ValueError(f'{self.id}: unknown kind {self.kind!r}; known: {", ".join(PROFILES)}')
        self.profile = PROFILES[self.kind]
        self.name = row.get('name', f'Virtual {self.id}')
        self.address_type = row.get('address_type', 'random')
        self.rssi = row.get('rssi', -58)
        self.contents = {'2a19': bytes([row.get('battery', 90)])}
        self.on_air = row.get('on_air', True)
        self.known = row.get('known', False)
        self.paired = row.get('paired', False)
        self.pairing, self.bonds = row.get('pairing', 'just_works'), row.get('bonds', True)
        if not re.fullmatch(r'(just_works|allow|rejects|never|(passkey|display|confirm|pin):\d+)', self.pairing):
            raise ValueError(f'{self.id}: {self.pairing!r} is no way to pair')
        self.connect_ms, self.resolve_ms = row.get('connect_ms', 30), row.get('resolve_ms', 30)
        self.keeps_services = row.get('keeps_services', False)
        self.objects_ms, self.repeats = row.get('objects_ms', 0), row.get('repeats', 0)
        self.echoes = row.get('echoes', False)
        self.records = list(row.get('records', []))
        self.device = None
        self.sent = self.dropped = 0

    @property
    def service_uuids(self):
        return [long_uuid(service.uuid) for service in self.profile.services]

    @property
    def connected(self):
        return self.device is not None and self.device.connected

    @property
    def only_advertises(self):
        return self.kind == 'beacon'

    @property
    def advertises(self):
        """True while the peripheral advertises at intervals: not while it is connected; a beacon does on request."""
        return self.on_air and not self.connected and not self.only_advertises

    def forget(self):
        """Ends the link and takes the object off the bus."""
        if self.device:
            self.device.remove()
            self.device = None

    def encode(self, uuid, value):
        """Returns `value` as bytes of the characteristic; {"hex": ...} stands for raw bytes, malformed ones too."""
        if 'hex' in value:
            return bytes.fromhex(value['hex'])
        rows = (row for service in self.profile.services for row in service.characteristics)
        row = next((row for row in rows if row.uuid == uuid), None)
        if row is None or row.encode is None:
            raise ValueError(f'{self.id} has no characteristic {uuid} to send from')
        return row.encode(value)
