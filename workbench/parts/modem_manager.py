"""The real ModemManager with a virtual modem, on a private bus."""
import os
import pathlib
import subprocess
from typing import IO

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.paths import program

SERVICE = 'org.freedesktop.ModemManager1'


class ModemManager(Part):
    name = 'modem-manager'

    def __init__(self, directory: pathlib.Path, bus_address: str) -> None:
        super().__init__(directory)
        self.bus_address = bus_address
        self.modem: Child | None = None

    def start(self) -> None:
        """Returns when ModemManager shows the modem."""
        # Names of abstract sockets are the machine's.
        port = f'rig-{os.getpid()}-{self.directory.name}'
        # `--test-enable` is the interface for virtual ports; `--test-session` the way onto a bus of one's own.
        command = [
            'env', f'DBUS_SESSION_BUS_ADDRESS={self.bus_address}', f'DBUS_SYSTEM_BUS_ADDRESS={self.bus_address}',
            '/usr/sbin/ModemManager', '--test-session', '--test-no-udev', '--no-auto-scan', '--test-enable',
            '--test-no-suspend-resume']
        with self.log_file() as log:
            self.modem = Child(
                [*program('virtual_modem'), port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
            self.first_line(self.output)
            self.child = Child(command, stdout=log, stderr=log)
        self.wait_until(lambda: self.ask('org.freedesktop.DBus.Peer.Ping') is not None)
        profile = ('string:rig', 'string:generic', f'array:string:abstract:{port}')
        if self.ask(f'{SERVICE}.Test.SetProfile', *profile) is None:
            raise self.failed('refused the virtual modem')
        self.wait_until(lambda: 'EquipmentIdentifier' in (
            self.ask('org.freedesktop.DBus.ObjectManager.GetManagedObjects') or ''))

    def ask(self, method: str, *arguments: str) -> str | None:
        """Returns the reply; None for an error."""
        call = subprocess.run(
            ['dbus-send', f'--bus={self.bus_address}', '--print-reply', f'--dest={SERVICE}',
             f'/{SERVICE.replace(".", "/")}', method, *arguments], capture_output=True, text=True)
        return call.stdout if call.returncode == 0 else None

    @property
    def output(self) -> IO[bytes]:
        """Lines of JSON by the modem. The part was started."""
        assert self.modem
        return self.modem.stdout

    def tell(self, line: str) -> None:
        """Changes the modem by a line of workbench/virtual_modem/__main__.py."""
        if self.modem:
            self.modem.stdin.write(f'{line}\n'.encode())
            self.modem.stdin.flush()

    def stop(self) -> None:
        super().stop()
        if self.modem:
            self.modem.stop()
            self.modem = None
