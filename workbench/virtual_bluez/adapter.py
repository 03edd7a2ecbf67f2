"""Adapter1: power, discovery sessions, and the devices that discovery finds."""
import dbus
import dbus.service
from gi.repository import GLib

from workbench.virtual_bluez import errors
from workbench.virtual_bluez.device import Device
from workbench.virtual_bluez.exported import ExportedObject, strings

ADAPTER = 'org.bluez.Adapter1'
PATH = '/org/bluez/hci0'
# Discovery's first report comes within one advertising interval of an ordinary wearable (20 to
# 1,000 ms); later reports come once a second, which is enough for "when was it last heard".
FIRST_REPORT_MS = 50
REPORT_MS = 1000
FILTER_KEYS = frozenset({
    'UUIDs', 'RSSI', 'Pathloss', 'Transport', 'DuplicateData', 'Discoverable', 'Pattern'})


class Adapter(ExportedObject):
    INTERFACE = ADAPTER
    TYPES = {
        'Address': dbus.String, 'AddressType': dbus.String, 'Name': dbus.String, 'Alias': dbus.String,
        'Class': dbus.UInt32, 'Powered': dbus.Boolean, 'PowerState': dbus.String,
        'Discoverable': dbus.Boolean, 'DiscoverableTimeout': dbus.UInt32, 'Pairable': dbus.Boolean,
        'PairableTimeout': dbus.UInt32, 'Discovering': dbus.Boolean, 'UUIDs': strings,
        'Modalias': dbus.String, 'Roles': strings}
    WRITABLE = frozenset({
        'Alias', 'Powered', 'Discoverable', 'DiscoverableTimeout', 'Pairable', 'PairableTimeout'})

    def __init__(self, rig, powered):
        super().__init__(rig.bus, PATH, {
            'Address': '00:1B:DC:07:31:01', 'AddressType': 'public', 'Name': 'virtual',
            'Alias': 'virtual', 'Class': 0, 'Powered': powered,
            'PowerState': 'on' if powered else 'off', 'Discoverable': False,
            'DiscoverableTimeout': 180, 'Pairable': True, 'PairableTimeout': 0, 'Discovering': False,
            'UUIDs': [], 'Modalias': 'usb:v1D6Bp0246d0542', 'Roles': ['central', 'peripheral']})
        self.rig = rig
        self.sessions = set()   # unique bus names: one discovery session per client
        self.filters = {}   # by client; only DuplicateData is applied
        self.timer = None

    @property
    def powered(self):
        return self.values['Powered']

    # Discovery.

    def refresh(self):
        """Discovering follows the sessions."""
        discovering = bool(self.sessions)
        if discovering == self.values['Discovering']:
            return
        self.change(Discovering=discovering)
        if discovering:
            self.rig.event('discovering', duplicates=self.tells_duplicates)
            self.timer = GLib.timeout_add(FIRST_REPORT_MS, self.first_report)
        else:
            self.rig.event('discovery-stopped')
            GLib.source_remove(self.timer)
            for device in self.rig.devices():
                device.change(RSSI=None)   # invalidated when discovery ends

    def first_report(self):
        self.report()
        self.timer = GLib.timeout_add(REPORT_MS, self.report)
        return GLib.SOURCE_REMOVE

    def report(self):
        """Plays one round of adverts: new devices appear, known ones report their signal strength."""
        for peripheral in self.rig.peripherals.values():
            if peripheral.advertises:
                self.heard(peripheral)
        return GLib.SOURCE_CONTINUE

    def heard(self, peripheral, service_data=None):
        """Plays one advert. Unchanged data is reported again only to a client that requested duplicates."""
        known = peripheral.device
        if known is None:
            peripheral.device = Device(self.rig, self.path, peripheral)
        values = peripheral.device.values
        values['RSSI'] = peripheral.rssi
        told = ['RSSI']
        if service_data is not None:
            if self.tells_duplicates or values.get('ServiceData') != service_data:
                told.append('ServiceData')
            values['ServiceData'] = service_data
        if known is None:
            self.rig.manager.add(peripheral.device)
        else:
            known.announce(told)

    @property
    def tells_duplicates(self):
        return any(bool(self.filters.get(client, {}).get('DuplicateData')) for client in self.sessions)

    def client_gone(self, client):
        self.sessions.discard(client)
        self.filters.pop(client, None)
        self.refresh()

    def power(self, on):
        if not on:
            self.sessions.clear()
            self.refresh()
            for device in self.rig.devices():
                device.link_down()
        self.change(Powered=bool(on), PowerState='on' if on else 'off')

    def struck_setting(self, on_error):
        return self.rig.faults.strikes('Set', None, on_error)

    def written(self, name, value):
        if name == 'Powered':
            self.power(bool(value))
            self.rig.event('power', on=bool(value))
        else:
            super().written(name, value)

    # Adapter1.

    @dbus.service.method(ADAPTER, sender_keyword='sender', async_callbacks=('reply', 'error'))
    def StartDiscovery(self, sender, reply, error):
        if self.rig.faults.strikes('StartDiscovery', None, error):
            return
        if not self.powered:
            raise errors.not_ready()
        if sender in self.sessions:
            raise errors.in_progress()
        self.sessions.add(sender)
        reply()
        self.refresh()

    @dbus.service.method(ADAPTER, sender_keyword='sender', async_callbacks=('reply', 'error'))
    def StopDiscovery(self, sender, reply, error):
        if self.rig.faults.strikes('StopDiscovery', None, error):
            return
        if not self.powered:
            raise errors.not_ready()
        if sender not in self.sessions:
            raise errors.failed('No discovery started')
        self.sessions.discard(sender)
        reply()
        self.refresh()

    @dbus.service.method(
        ADAPTER, in_signature='a{sv}', sender_keyword='sender', async_callbacks=('reply', 'error'))
    def SetDiscoveryFilter(self, properties, sender, reply, error):
        if self.rig.faults.strikes('SetDiscoveryFilter', None, error):
            return
        if not FILTER_KEYS.issuperset(properties):
            raise errors.invalid_arguments()
        self.filters[sender] = properties
        reply()

    @dbus.service.method(ADAPTER, out_signature='as')
    def GetDiscoveryFilters(self):
        return sorted(FILTER_KEYS)

    @dbus.service.method(ADAPTER, in_signature='o')
    def RemoveDevice(self, path):
        for peripheral in self.rig.peripherals.values():
            if peripheral.device and peripheral.device.path == path:
                peripheral.paired = False
                peripheral.forget()
                return
        raise errors.does_not_exist()
