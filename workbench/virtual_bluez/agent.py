"""AgentManager1, and the dialogue of a pairing: the questions of bluetoothd to the agent, and the result."""
from collections.abc import Callable
from typing import Any

import dbus
import dbus.service
from gi.repository import GLib

from workbench.virtual_bluez import errors
from workbench.virtual_bluez.exported import ExportedObject

MANAGER = 'org.bluez.AgentManager1'
AGENT = 'org.bluez.Agent1'
PATH = '/org/bluez'
CAPABILITIES = frozenset({
    '', 'DisplayOnly', 'DisplayYesNo', 'KeyboardOnly', 'NoInputNoOutput', 'KeyboardDisplay'})
CAN_TYPE = frozenset({'', 'KeyboardOnly', 'KeyboardDisplay'})
CAN_SHOW = frozenset({'', 'DisplayOnly', 'DisplayYesNo', 'KeyboardDisplay'})
CAN_COMPARE = frozenset({'', 'DisplayYesNo', 'KeyboardDisplay'})
BONDING_TIMEOUT_MS = 120_000   # src/device.c


class AgentManager(ExportedObject):
    """The AgentManager1. It is missing in the tree, unlike bluetoothd's: clients call it by its path."""

    INTERFACE = MANAGER
    TYPES: dict[str, Callable[[Any], Any]] = {}

    def __init__(self, rig):
        super().__init__(rig.bus, PATH, {})
        self.rig, self.bus = rig, rig.bus
        self.agents = {}   # by client: path and capability
        self.bus.add_signal_receiver(
            self.owner_changed, 'NameOwnerChanged', 'org.freedesktop.DBus', 'org.freedesktop.DBus')

    def owner_changed(self, name, _old, new):
        """Ends an agent and its pairings with their client."""
        if new or not name.startswith(':'):
            return
        self.agents.pop(name, None)
        for device in self.rig.devices():
            device.client_gone(name)

    @dbus.service.method(MANAGER, in_signature='os', sender_keyword='sender')
    def RegisterAgent(self, path, capability, sender):
        if sender in self.agents:
            raise errors.BlueZError('AlreadyExists', 'Already Exists')
        if capability not in CAPABILITIES:
            raise errors.invalid_arguments()
        self.agents[sender] = str(path), str(capability)
        self.rig.event('agent', path=str(path), capability=str(capability))

    @dbus.service.method(MANAGER, in_signature='o', sender_keyword='sender')
    def UnregisterAgent(self, path, sender):
        if self.agents.get(sender, ('', ''))[0] != path:
            raise errors.does_not_exist()
        del self.agents[sender]
        self.rig.event('agent-gone', path=str(path))

    @dbus.service.method(MANAGER, in_signature='o', sender_keyword='sender')
    def RequestDefaultAgent(self, path, sender):
        if sender not in self.agents:
            raise errors.does_not_exist()


class Pairing:
    """One pairing on a link that is up. `peripheral.pairing` says how the wearable pairs:

    just_works; allow (no passkey, but bluetoothd asks for permission); passkey:123456 (the
    wearable shows it, to be typed here); display:123456 (shown here, typed at the wearable);
    confirm:123456 (both show it); pin:0000; rejects; never (it hangs).
    """

    def __init__(self, device, client, reply, error):
        self.device, self.client, self.reply, self.error = device, client, reply, error
        self.rig, self.way = device.rig, device.peripheral.pairing
        # Without an agent of the caller, 5.66 continues with the capability NoInputNoOutput.
        self.path, self.capability = self.rig.agents.agents.get(client, (None, 'NoInputNoOutput'))
        self.asking = False
        self.timer = GLib.timeout_add(BONDING_TIMEOUT_MS, self.timed_out)

    def begin(self):
        way, _, secret = self.way.partition(':')
        getattr(self, f'by_{way}')(secret)

    # The methods.

    def by_just_works(self, _):
        self.succeed()

    def by_allow(self, _):
        self.ask('RequestAuthorization', '', (), lambda: self.succeed())

    def by_passkey(self, secret):
        self.require(CAN_TYPE) and self.ask(
            'RequestPasskey', '', (), lambda passkey: self.compare(int(passkey) == int(secret)))

    def by_pin(self, secret):
        self.require(CAN_TYPE) and self.ask(
            'RequestPinCode', '', (), lambda pin: self.compare(str(pin) == secret))

    def by_display(self, secret):
        self.require(CAN_SHOW) and self.ask(
            'DisplayPasskey', 'uq', (dbus.UInt32(int(secret)), dbus.UInt16(0)), self.succeed)

    def by_confirm(self, secret):
        self.require(CAN_COMPARE) and self.ask(
            'RequestConfirmation', 'u', (dbus.UInt32(int(secret)),), self.succeed)

    def by_rejects(self, _):
        self.fail('AuthenticationRejected', 'Authentication Rejected')

    def by_never(self, _):
        pass

    # The steps.

    def require(self, capabilities):
        """Fails the pairing where a required passkey cannot be given."""
        if self.capability in capabilities:
            return True
        self.compare(False)
        return False

    def ask(self, method, signature, arguments, then):
        if self.path is None:
            self.compare(False)
            return
        self.asking = True
        self.rig.event('asked', method=method, id=self.device.peripheral.id)

        def answered(*values):
            self.asking = False
            if self.device.pairing is self:
                then(*values)

        def refused(problem):
            self.asking = False
            if self.device.pairing is not self:
                return
            name = problem.get_dbus_name().rsplit('.', 1)[-1]
            if name == 'Canceled':
                self.fail('AuthenticationCanceled', 'Authentication Canceled')
            else:
                self.fail('AuthenticationRejected', 'Authentication Rejected')

        self.rig.bus.call_async(
            self.client, self.path, AGENT, method, 'o' + signature,
            (dbus.ObjectPath(self.device.path), *arguments), answered, refused, timeout=600)

    def compare(self, is_right):
        if is_right:
            self.succeed()
        else:
            self.fail('AuthenticationFailed', 'Authentication Failed')

    def timed_out(self):
        self.timer = None
        self.fail('AuthenticationTimeout', 'Authentication Timeout')
        return GLib.SOURCE_REMOVE

    # The ends.

    def end(self):
        self.device.pairing = None
        if self.timer:
            GLib.source_remove(self.timer)
            self.timer = None

    def succeed(self):
        self.end()
        peripheral = self.device.peripheral
        peripheral.paired = True
        self.device.change(Paired=True, Bonded=peripheral.bonds)
        self.reply()
        self.rig.event('paired', id=peripheral.id)

    def fail(self, name, message):
        self.end()
        self.error(errors.BlueZError(name, message))
        self.rig.event('pairing-failed', id=self.device.peripheral.id, error=name)
        self.device.link_down()   # the link was up for the pairing alone

    def cancel(self):
        """Cancels the pairing: CancelPairing, or the client has gone."""
        if self.asking:
            self.rig.bus.call_async(
                self.client, self.path, AGENT, 'Cancel', '', (), lambda: None, lambda _problem: None)
        self.fail('AuthenticationCanceled', 'Authentication Canceled')
