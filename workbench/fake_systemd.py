"""Replaces systemd on a private bus: accepts and reports RestartUnit without restarting anything.

    python3 -m workbench.fake_systemd ADDRESS

Prints `ready`, then one line for each call: the unit and the mode. The end of input ends it.
"""
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME, MANAGER = 'org.freedesktop.systemd1', 'org.freedesktop.systemd1.Manager'


class Manager(dbus.service.Object):
    @dbus.service.method(MANAGER, in_signature='ss', out_signature='o')
    def RestartUnit(self, unit, mode):
        print(unit, mode, flush=True)
        return '/org/freedesktop/systemd1/job/1'


def main():
    bus = dbus.bus.BusConnection(sys.argv[1], mainloop=DBusGMainLoop())
    manager = Manager(bus, '/org/freedesktop/systemd1')
    name = dbus.service.BusName(NAME, bus, do_not_queue=True)
    loop = GLib.MainLoop()
    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, lambda *_: loop.quit())
    print('ready', flush=True)
    loop.run()
    del name, manager


if __name__ == '__main__':
    main()
