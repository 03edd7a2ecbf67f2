"""The ObjectManager at `/`: the tree as clients see it, and the signals of its changes."""
import dbus
import dbus.service

OBJECT_MANAGER = 'org.freedesktop.DBus.ObjectManager'


class ObjectManager(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, '/')
        self.objects = {}

    def add(self, exported):
        self.objects[exported.path] = exported
        self.InterfacesAdded(exported.path, exported.interfaces())

    def remove(self, exported):
        """Removes the object from the bus, then signals it: a late call gets UnknownObject."""
        del self.objects[exported.path]
        names = list(exported.interfaces())
        exported.remove_from_connection()
        self.InterfacesRemoved(exported.path, names)

    @dbus.service.method(OBJECT_MANAGER, out_signature='a{oa{sa{sv}}}')
    def GetManagedObjects(self):
        return {dbus.ObjectPath(path): found.interfaces() for path, found in self.objects.items()}

    @dbus.service.signal(OBJECT_MANAGER, signature='oa{sa{sv}}')
    def InterfacesAdded(self, path, interfaces):
        pass

    @dbus.service.signal(OBJECT_MANAGER, signature='oas')
    def InterfacesRemoved(self, path, interfaces):
        pass
