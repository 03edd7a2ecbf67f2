"""The whole virtual bluetoothd: the name, the tree, the peripherals, and who is listening."""
import dbus
from dbus.mainloop.glib import DBusGMainLoop

from .adapter import Adapter
from .agent import AgentManager
from .device import Device
from .faults import Faults
from .object_manager import ObjectManager
from .peripheral import Peripheral

NAME = 'org.bluez'


class Rig:
    def __init__(self, address, config, event, on_bus_lost):
        self.event = event
        self.faults = Faults()
        self.peripherals = {}
        for row in config.get('peripherals', []):
            self.peripherals[row['id']] = Peripheral(row)
        self.bus = dbus.bus.BusConnection(address, mainloop=DBusGMainLoop())
        # libdbus would end the process without a word.
        self.bus.set_exit_on_disconnect(False)
        self.bus.call_on_disconnection(lambda _connection: on_bus_lost())
        self.agents = AgentManager(self)
        self.bus.add_signal_receiver(
            self.owner_changed, 'NameOwnerChanged', 'org.freedesktop.DBus', 'org.freedesktop.DBus')
        self.manager = ObjectManager(self.bus)
        self.adapter = Adapter(self, config.get('powered', True))
        self.manager.add(self.adapter)
        for peripheral in self.peripherals.values():
            if peripheral.known:
                peripheral.device = Device(self, self.adapter.path, peripheral)
                self.manager.add(peripheral.device)
        # Last: who sees the name may ask for a complete tree.
        self.name = dbus.service.BusName(NAME, self.bus, do_not_queue=True)

    def devices(self):
        return [p.device for p in self.peripherals.values() if p.device]

    def owner_changed(self, name, _old, new):
        """Sessions end with the client that opened them."""
        if new or not name.startswith(':'):
            return
        self.adapter.client_gone(name)
        for device in self.devices():
            for characteristic in device.characteristics:
                characteristic.client_gone(name)
