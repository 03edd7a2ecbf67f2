"""GattService1 and GattCharacteristic1."""
import socket

import dbus
import dbus.service
from gi.repository import GLib

from workbench.virtual_bluez import errors, records
from workbench.virtual_bluez.exported import ExportedObject, paths, strings
from workbench.virtual_bluez.profiles import long_uuid

SERVICE = 'org.bluez.GattService1'
CHARACTERISTIC = 'org.bluez.GattCharacteristic1'
RECORD_CONTROL = '2a52'
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
        'Notifying': dbus.Boolean, 'NotifyAcquired': dbus.Boolean, 'Flags': strings, 'MTU': dbus.UInt16}

    def __init__(self, device, service, handle, row):
        pushes = {'notify', 'indicate'} & set(row.flags)
        super().__init__(
            device.bus, f'{service.path}/char{handle:04x}',
            {'UUID': long_uuid(row.uuid), 'Service': service.path, 'Value': b'',
             'Notifying': False if pushes else None,
             'NotifyAcquired': False if 'notify' in row.flags else None, 'Flags': row.flags,
             'MTU': ATT_MTU})
        self.device, self.row, self.pushes = device, row, bool(pushes)
        self.content = device.peripheral.contents.get(row.uuid, row.initial)
        self.sessions = set()   # unique bus names: one notify session per client
        self.socket = None   # this end of the socket pair of AcquireNotify
        self.watch = None

    @property
    def subscribed(self):
        return (bool(self.sessions) or self.socket is not None) and self.device.connected

    def refresh(self):
        """Updates Notifying from the sessions and the link, and reports a change to the driver."""
        if not self.pushes or self.values['Notifying'] == self.subscribed:
            return
        self.change(Notifying=self.subscribed)
        self.device.rig.event(
            'subscribed' if self.subscribed else 'unsubscribed',
            id=self.device.peripheral.id, characteristic=self.row.uuid)

    def notify(self, data):
        """Sends one notification to the subscriber, through its socket or as a signal. Returns false without one."""
        for _ in range(1 + self.device.peripheral.repeats):
            if self.socket is None:
                self.push(data)
                continue
            try:
                self.socket.send(data)
                if self.device.peripheral.echoes:
                    self.push(data)
            except BlockingIOError:   # bluetoothd drops values that a slow client does not read
                self.device.rig.event('overrun', id=self.device.peripheral.id, characteristic=self.row.uuid)
            except (BrokenPipeError, ConnectionError):   # closed, and not yet noticed by the watch
                self.release()
                return False
        return True

    def release(self, *_):
        """The client has closed its end, or the link is gone."""
        if self.socket is not None:
            GLib.source_remove(self.watch)
            self.socket.close()
            self.socket = None
            self.change(NotifyAcquired=False)
            self.refresh()
        return GLib.SOURCE_CONTINUE   # the source is removed above

    def push(self, data):
        """Signals a value, also with unchanged bytes."""
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
        # While the device is away, 5.66 keeps the session for the next connection and succeeds; a
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
        kind = str(options.get('type', 'request' if 'write' in self.row.flags else 'command'))
        if kind not in ('request', 'command', 'reliable'):
            raise errors.invalid_arguments()
        if ('write' if kind == 'request' else 'write-without-response') not in self.row.flags:
            raise errors.not_supported()
        self.content = bytes(value)
        self.device.peripheral.contents[self.row.uuid] = self.content
        reply()
        self.device.rig.event(
            'written', id=self.device.peripheral.id, characteristic=self.row.uuid, type=kind,
            hex=self.content.hex())
        if self.row.uuid == RECORD_CONTROL:
            records.answer(self.device, self, self.content)

    @dbus.service.method(
        CHARACTERISTIC, in_signature='a{sv}', out_signature='hq', async_callbacks=('reply', 'error'))
    def AcquireNotify(self, options, reply, error):
        if self.struck('AcquireNotify', error):
            return
        # As 5.66: refused for a characteristic that only indicates, and beside another session.
        if not self.device.rig.gives_sockets or 'notify' not in self.row.flags:
            raise errors.not_supported()
        if self.socket is not None:
            raise errors.not_permitted('Notify acquired')
        if self.sessions:
            raise errors.in_progress()
        if not self.device.connected:
            raise errors.failed('Not connected')
        self.socket, theirs = socket.socketpair(
            socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
        self.watch = GLib.io_add_watch(
            self.socket.fileno(), GLib.IO_HUP | GLib.IO_ERR, self.release)
        reply(dbus.types.UnixFd(theirs.fileno()), dbus.UInt16(ATT_MTU))
        theirs.close()   # the reply has a copy
        self.change(NotifyAcquired=True)
        self.refresh()
