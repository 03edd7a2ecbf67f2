"""Base class of the exported objects: typed properties, and introspection that lists them."""
import re
from collections.abc import Callable
from typing import Any

import dbus
import dbus.lowlevel
import dbus.service

PROPERTIES = 'org.freedesktop.DBus.Properties'
INTROSPECTABLE = 'org.freedesktop.DBus.Introspectable'


def strings(values):
    return dbus.Array(values, signature='s')


def paths(values):
    return dbus.Array(values, signature='o')


class ExportedObject(dbus.service.Object):
    """One object with one BlueZ interface.

    A subclass names its INTERFACE and, in TYPES, each property once with its D-Bus type. A property
    without a value is absent, as BlueZ leaves out an RSSI or a Name that it does not know.
    """

    INTERFACE = ''
    TYPES: dict[str, Callable[[Any], Any]] = {}
    WRITABLE: frozenset[str] = frozenset()

    def __init__(self, bus, path, values):
        super().__init__(bus, path)
        self.path = path
        self.values = dict(values)

    def typed(self, name):
        return self.TYPES[name](self.values[name])

    def all_properties(self):
        known = {name: self.typed(name) for name in self.TYPES if self.values.get(name) is not None}
        return dbus.Dictionary(known, signature='sv')

    def interfaces(self):
        """Returns the object as in ObjectManager; GDBus adds the two standard interfaces, empty."""
        empty = dbus.Dictionary({}, signature='sv')
        return dbus.Dictionary(
            {INTROSPECTABLE: empty, self.INTERFACE: self.all_properties(), PROPERTIES: empty},
            signature='sa{sv}')

    def change(self, **values):
        """Sets properties and signals the changed ones together. None removes a property."""
        fresh = {name: new for name, new in values.items() if self.values.get(name) != new}
        self.values.update(fresh)
        gone = [name for name, new in fresh.items() if new is None]
        self.announce([name for name in fresh if name not in gone], gone)

    def announce(self, names, gone=()):
        """Signals properties even with unchanged values."""
        if names or gone:
            now = dbus.Dictionary({name: self.typed(name) for name in names}, signature='sv')
            self.PropertiesChanged(self.INTERFACE, now, strings(gone))

    def written(self, name, value):
        """Called when a client has set a property. Subclasses override it."""
        self.change(**{name: value})

    def require(self, interface, name=None):
        if interface != self.INTERFACE or (name is not None and name not in self.TYPES):
            raise dbus.DBusException(
                f'No such property {interface}.{name}', name='org.freedesktop.DBus.Error.InvalidArgs')

    @dbus.service.method(PROPERTIES, in_signature='ss', out_signature='v')
    def Get(self, interface, name):
        self.require(interface, name)
        if self.values.get(name) is None:
            raise dbus.DBusException(
                f'No such property {name!r}', name='org.freedesktop.DBus.Error.InvalidArgs')
        return self.typed(name)

    @dbus.service.method(PROPERTIES, in_signature='s', out_signature='a{sv}')
    def GetAll(self, interface):
        self.require(interface)
        return self.all_properties()

    def struck_setting(self, on_error):
        """Returns true when an injected fault handles a Set. Subclasses with faults override it."""
        return False

    @dbus.service.method(PROPERTIES, in_signature='ssv', async_callbacks=('reply', 'error'))
    def Set(self, interface, name, value, reply, error):
        if self.struck_setting(error):
            return
        self.require(interface, name)
        if name not in self.WRITABLE:
            raise dbus.DBusException(
                f'{name} is not writable', name='org.freedesktop.DBus.Error.PropertyReadOnly')
        self.written(str(name), value)
        reply()

    @dbus.service.signal(PROPERTIES, signature='sa{sv}as')
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    @dbus.service.method(
        INTROSPECTABLE, out_signature='s', path_keyword='path', connection_keyword='connection')
    def Introspect(self, path, connection):
        """dbus-python lists methods and signals only; tools such as busctl ask for properties too."""
        text = dbus.service.Object.Introspect(self, path, connection)
        rows = self.property_rows()
        opening = f'<interface name="{self.INTERFACE}">\n'
        if opening in text:
            return text.replace(opening, opening + rows)
        return re.sub(r'</node>\s*$', f'  {opening}{rows}  </interface>\n</node>\n', text)

    def property_rows(self):
        return ''.join(
            f'    <property name="{name}" type="{signature_of(value)}" access='
            f'"{"readwrite" if name in self.WRITABLE else "read"}"/>\n'
            for name, value in self.all_properties().items())


def signature_of(value):
    """The D-Bus signature of one typed value."""
    return dbus.lowlevel.Message.guess_signature(value)
