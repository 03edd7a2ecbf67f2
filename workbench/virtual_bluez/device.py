"""Device1: a peripheral as bluetoothd shows it, and its link."""
import dbus
import dbus.service
from gi.repository import GLib

from workbench.virtual_bluez import errors
from workbench.virtual_bluez.agent import Pairing
from workbench.virtual_bluez.exported import ExportedObject, strings
from workbench.virtual_bluez.gatt import Characteristic, Service

DEVICE = 'org.bluez.Device1'
PAIR_MS = 10   # the exchange of features, before a question to the agent
FIRST_HANDLE = 0x000A   # the GAP and GATT services, which bluetoothd hides, lie before it


def service_data(found):
    """Returns {UUID: bytes} in BlueZ's form, `a{sv}` of byte arrays."""
    return dbus.Dictionary({
        uuid: dbus.Array(data, signature='y') for uuid, data in found.items()}, signature='sv')


class Device(ExportedObject):
    INTERFACE = DEVICE
    TYPES = {
        'Address': dbus.String, 'AddressType': dbus.String, 'Name': dbus.String, 'Alias': dbus.String,
        'Appearance': dbus.UInt16, 'Paired': dbus.Boolean, 'Bonded': dbus.Boolean,
        'Trusted': dbus.Boolean, 'Blocked': dbus.Boolean, 'LegacyPairing': dbus.Boolean,
        'Connected': dbus.Boolean, 'UUIDs': strings, 'Adapter': dbus.ObjectPath,
        'ServicesResolved': dbus.Boolean, 'RSSI': dbus.Int16, 'ServiceData': service_data}
    WRITABLE = frozenset({'Alias', 'Trusted', 'Blocked'})

    def __init__(self, rig, adapter_path, peripheral):
        self.rig, self.peripheral = rig, peripheral
        super().__init__(rig.bus, f'{adapter_path}/dev_{peripheral.address.replace(":", "_")}', {
            'Address': peripheral.address, 'AddressType': peripheral.address_type,
            'Name': peripheral.name, 'Alias': peripheral.name,
            'Appearance': peripheral.profile.appearance, 'Paired': peripheral.paired,
            'Bonded': peripheral.paired, 'Trusted': False, 'Blocked': False, 'LegacyPairing': False,
            'Connected': False, 'UUIDs': peripheral.service_uuids, 'Adapter': adapter_path,
            'ServicesResolved': False})
        self.bus = rig.bus
        self.connected = False   # the link itself; the property of that name follows it
        self.pending = None   # reply and error callback of a Connect or Pair that waits for the link
        self.pairing = None   # the pairing under way on the link
        self.timers = set()
        self.services, self.characteristics = [], []

    def characteristic(self, uuid):
        return next((c for c in self.characteristics if c.row.uuid == uuid), None)

    def later(self, milliseconds, step):
        def run():
            self.timers.discard(timer)
            step()
            return GLib.SOURCE_REMOVE
        timer = GLib.timeout_add(milliseconds, run)
        self.timers.add(timer)

    # The link, step by step.

    def link_soon(self):
        self.later(self.peripheral.connect_ms, self.link_up)

    def link_up(self):
        assert self.pending
        (reply, _), self.pending, self.connected = self.pending, None, True
        self.change(Connected=True, RSSI=None)
        reply()   # bluetoothd answers Connect when the link is up, before it knows the services
        self.rig.event('connected', id=self.peripheral.id)
        for found in self.characteristics:
            found.refresh()
        if not self.rig.faults.strikes('ServicesResolved', self.peripheral.id):
            self.later(self.peripheral.resolve_ms, self.resolve)

    def resolve(self):
        """Adds the objects, then sets ServicesResolved; with `objects_ms`, in the opposite order."""
        if not self.services:
            if self.peripheral.objects_ms:
                self.later(self.peripheral.objects_ms, self.add_services)
            else:
                self.add_services()
        self.change(ServicesResolved=True)

    def add_services(self):
        handle = FIRST_HANDLE
        for row in self.peripheral.profile.services:
            service = Service(self, handle, row)
            self.services.append(service)
            self.rig.manager.add(service)
            for characteristic_row in row.characteristics:
                found = Characteristic(self, service, handle + 1, characteristic_row)
                self.characteristics.append(found)
                self.rig.manager.add(found)
                handle += 3   # declaration, value, client configuration
            handle += 1

    def link_down(self):
        """Ends the link, or an attempt at one."""
        for timer in self.timers:
            GLib.source_remove(timer)
        self.timers.clear()
        if self.pending:
            (_, error), self.pending = self.pending, None
            error(errors.failed('le-connection-abort-by-local'))
        if self.pairing:
            self.pairing.fail('AuthenticationCanceled', 'Authentication Canceled')
        if not self.connected:
            return
        self.connected = False
        for found in self.characteristics:
            found.release()
            found.refresh()
        self.change(Connected=False, ServicesResolved=False)
        if not self.peripheral.keeps_services:
            self.remove_services()
        self.rig.event('disconnected', id=self.peripheral.id)

    def remove_services(self):
        for found in self.characteristics:
            found.release()
        for exported in reversed(self.services + self.characteristics):
            self.rig.manager.remove(exported)
        self.services, self.characteristics = [], []

    def remove(self):
        self.link_down()
        self.remove_services()
        self.rig.manager.remove(self)

    # Device1.

    @dbus.service.method(DEVICE, async_callbacks=('reply', 'error'))
    def Connect(self, reply, error):
        if self.rig.faults.strikes('Connect', self.peripheral.id, error):
            return
        if not self.rig.adapter.powered:
            raise errors.not_ready()
        if self.peripheral.only_advertises:
            self.rig.event('connect-refused', id=self.peripheral.id)
            raise errors.failed('le-connection-abort-by-local')
        if self.pending:
            raise errors.in_progress()
        if self.connected:
            reply()
            return
        self.pending = reply, error
        self.rig.event('connecting', id=self.peripheral.id)
        if self.peripheral.on_air:   # else the Connect waits until the device is on air or the client gives up
            self.link_soon()

    @dbus.service.method(DEVICE, async_callbacks=('reply', 'error'))
    def Disconnect(self, reply, error):
        if self.rig.faults.strikes('Disconnect', self.peripheral.id, error):
            return
        if not self.connected and not self.pending:
            raise errors.BlueZError('NotConnected', 'Not Connected')
        self.link_down()
        reply()

    @dbus.service.method(DEVICE, sender_keyword='sender', async_callbacks=('reply', 'error'))
    def Pair(self, sender, reply, error):
        if self.rig.faults.strikes('Pair', self.peripheral.id, error):
            return
        if not self.rig.adapter.powered:
            raise errors.not_ready()
        if self.pairing or self.pending:
            raise errors.in_progress()
        if self.peripheral.paired:
            raise errors.BlueZError('AlreadyExists', 'Already Exists')

        def begin():
            self.pairing = Pairing(self, sender, reply, error)
            # Not within the step of the new link: a failed pairing ends the link.
            self.later(PAIR_MS, self.pairing.begin)

        if self.connected:
            begin()
        elif self.peripheral.on_air:
            self.pending = begin, error
            self.link_soon()
        else:
            raise errors.BlueZError('ConnectionAttemptFailed', 'Page Timeout')

    @dbus.service.method(DEVICE)
    def CancelPairing(self):
        if not self.pairing:
            raise errors.does_not_exist()
        self.pairing.cancel()

    def client_gone(self, client):
        """Ends a pairing with its client."""
        if self.pairing and self.pairing.client == client:
            self.pairing.cancel()
