"""GattService1 and GattCharacteristic1."""
import dbus
import dbus.service

from . import errors
from .exported import ExportedObject, paths, strings
from .profiles import long_uuid

SERVICE = 'org.bluez.GattService1'
CHARACTERISTIC = 'org.bluez.GattCharacteristic1'
ATT_MTU = 517   # main.conf, [GATT] ExchangeMTU


class Service(ExportedObject):
    INTERFACE = SERVICE
    TYPES = {'UUID': dbus.String, 'Device': dbus.ObjectPath, 'Primary': dbus.Boolean, 'Includes': paths}

    def __init__(self, device, handle, row):
        super().__init__(
            device.bus, f'{device.path}/service{handle:04x}',
            {'UUID': long_uuid(row.uuid), 'Device': device.path, 'Primary': True, 'Includes': []})


class Characteristic(ExportedObject):
    INTERFACE = CHARACTERISTIC
    TYPES = {
        'UUID': dbus.String, 'Service': dbus.ObjectPath, 'Value': dbus.ByteArray,
        'Notifying': dbus.Boolean, 'Flags': strings, 'MTU': dbus.UInt16}

    def __init__(self, device, service, handle, row):
        pushes = {'notify', 'indicate'} & set(row.flags)
        super().__init__(
            device.bus, f'{service.path}/char{handle:04x}',
            {'UUID': long_uuid(row.uuid), 'Service': service.path, 'Value': b'',
             'Notifying': False if pushes else None, 'Flags': row.flags, 'MTU': ATT_MTU})
        self.device, self.row, self.pushes = device, row, bool(pushes)
        self.content = device.peripheral.contents.get(row.uuid, row.initial)
        self.sessions = set()   # unique bus names: one notify session per client

    @property
    def subscribed(self):
        return bool(self.sessions) and self.device.connected

    def refresh(self):
        """Notifying follows the sessions and the link. Says so to the driver when it changes."""
        if not self.pushes or self.values['Notifying'] == self.subscribed:
            return
        self.change(Notifying=self.subscribed)
        self.device.rig.event(
            'subscribed' if self.subscribed else 'unsubscribed',
            id=self.device.peripheral.id, characteristic=self.row.uuid)

    def push(self, data):
        """One notification: always a signal, even when the bytes are those of the last one."""
        self.values['Value'] = data
        self.announce(['Value'])

    def client_gone(self, client):
        self.sessions.discard(client)
        self.refresh()

    def struck(self, method, on_error):
        return self.device.rig.faults.strikes(method, self.device.peripheral.id, on_error)

    @dbus.service.method(CHARACTERISTIC, sender_keyword='sender', async_callbacks=('reply', 'error'))
    def StartNotify(self, sender, reply, error):
        if self.struck('StartNotify', error):
            return
        if not self.pushes:
            raise errors.not_supported()
        # While the device is away 5.66 keeps the session for the next connection and says yes; a
        # second StartNotify of the same client is harmless once the first is registered and
        # InProgress until then.
        if sender in self.sessions and not self.device.connected:
            raise errors.in_progress()
        self.sessions.add(sender)
        reply()
        self.refresh()

    @dbus.service.method(CHARACTERISTIC, sender_keyword='sender', async_callbacks=('reply', 'error'))
    def StopNotify(self, sender, reply, error):
        if self.struck('StopNotify', error):
            return
        if sender not in self.sessions:
            raise errors.failed('No notify session started')
        self.sessions.discard(sender)
        reply()
        self.refresh()

    @dbus.service.method(
        CHARACTERISTIC, in_signature='a{sv}', out_signature='ay', async_callbacks=('reply', 'error'))
    def ReadValue(self, options, reply, error):
        if self.struck('ReadValue', error):
            return
        if not self.device.connected:
            raise errors.failed('Not connected')
        if 'read' not in self.row.flags:
            raise errors.not_permitted('Read not permitted')
        offset = int(options.get('offset', 0))
        if offset > len(self.content):
            raise errors.BlueZError('InvalidArguments', 'Invalid offset')
        # bluetoothd signals a value that was read just like one that was notified.
        self.push(self.content)
        reply(dbus.ByteArray(self.content[offset:]))

    @dbus.service.method(CHARACTERISTIC, in_signature='aya{sv}', async_callbacks=('reply', 'error'))
    def WriteValue(self, value, options, reply, error):
        if self.struck('WriteValue', error):
            return
        if not self.device.connected:
            raise errors.failed('Not connected')
        if not {'write', 'write-without-response'} & set(self.row.flags):
            raise errors.not_permitted('Write not permitted')
        self.content = bytes(value)
        reply()
        self.device.rig.event(
            'written', id=self.device.peripheral.id, characteristic=self.row.uuid,
            hex=self.content.hex())

    @dbus.service.method(CHARACTERISTIC, in_signature='a{sv}', out_signature='hq')
    def AcquireNotify(self, options):
        # bluetoothd refuses it for what only indicates; here no descriptor is handed out at all, so
        # that a client's way back to StartNotify is what is exercised.
        raise errors.not_supported()
