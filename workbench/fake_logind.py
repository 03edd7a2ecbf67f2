"""Replaces systemd-logind on a private bus: hands out locks against a shutdown, and reports them.

    python3 -m workbench.fake_logind ADDRESS

Prints `ready`, then a line for each lock that is taken (`shutdown delay HomeGateway`) and for each that is released
(`released`). The end of input ends it.
"""
import os
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME, MANAGER = 'org.freedesktop.login1', 'org.freedesktop.login1.Manager'


class Manager(dbus.service.Object):
    @dbus.service.method(MANAGER, in_signature='ssss', out_signature='h')
    def Inhibit(self, what, who, why, mode):
        kept, given = os.pipe()
        GLib.io_add_watch(kept, GLib.IO_HUP, self.released)
        print(what, mode, who, flush=True)
        try:
            return dbus.types.UnixFd(given)   # a copy
        finally:
            os.close(given)

    def released(self, descriptor, _condition):
        os.close(descriptor)
        print('released', flush=True)
        return False


def main():
    bus = dbus.bus.BusConnection(sys.argv[1], mainloop=DBusGMainLoop())
    manager = Manager(bus, '/org/freedesktop/login1')
    name = dbus.service.BusName(NAME, bus, do_not_queue=True)
    loop = GLib.MainLoop()
    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, lambda *_: loop.quit())
    print('ready', flush=True)
    loop.run()
    del name, manager


if __name__ == '__main__':
    main()
