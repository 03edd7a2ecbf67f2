"""The whole virtual bluetoothd: its bus name, the tree, the peripherals, and the subscribers."""
import dbus
from dbus.mainloop.glib import DBusGMainLoop

from workbench.virtual_bluez.adapter import Adapter
from workbench.virtual_bluez.agent import AgentManager
from workbench.virtual_bluez.device import Device
from workbench.virtual_bluez.injected_faults import Faults
from workbench.virtual_bluez.object_manager import ObjectManager
from workbench.virtual_bluez.simulated_peripheral import Peripheral

NAME = 'org.bluez'


class Rig:
    def __init__(self, address, config, event, on_bus_lost):
        self.event = event
        self.faults = Faults()
        self.gives_sockets = config.get('sockets', True)   # AcquireNotify, for characteristics that support it
        self.peripherals = {}
        for row in config.get('peripherals', []):
            self.peripherals[row['id']] = Peripheral(row)
        self.bus = dbus.bus.BusConnection(address, mainloop=DBusGMainLoop())
        # libdbus would end the process without a message.
        self.bus.set_exit_on_disconnect(False)
        self.bus.call_on_disconnection(lambda _connection: on_bus_lost())
        self.agents = AgentManager(self)
        self.bus.add_signal_receiver(
            self.owner_changed, 'NameOwnerChanged', 'org.freedesktop.DBus', 'org.freedesktop.DBus')
        self.manager = ObjectManager(self.bus)
        self.adapter = None
        self.plug(config.get('powered', True))
        # Last: a client that sees the name may ask for a complete tree.
        self.name = dbus.service.BusName(NAME, self.bus, do_not_queue=True)

    def plug(self, powered=True):
        if self.adapter is not None:
            raise ValueError('the adapter is plugged in already')
        self.adapter = Adapter(self, powered)
        self.manager.add(self.adapter)
        for peripheral in self.peripherals.values():
            if peripheral.known:
                peripheral.device = Device(self, self.adapter.path, peripheral)
                self.manager.add(peripheral.device)

    def unplug(self):
        if self.adapter is None:
            raise ValueError('no adapter is plugged in')
        self.adapter.sessions.clear()
        self.adapter.refresh()
        for peripheral in self.peripherals.values():
            peripheral.forget()
        self.manager.remove(self.adapter)
        self.adapter = None

    def devices(self):
        return [p.device for p in self.peripherals.values() if p.device]

    def owner_changed(self, name, _old, new):
        """Ends sessions with their client."""
        if new or not name.startswith(':'):
            return
        if self.adapter is not None:
            self.adapter.client_gone(name)
        for device in self.devices():
            for characteristic in device.characteristics:
                characteristic.client_gone(name)
