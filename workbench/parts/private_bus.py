"""A private D-Bus daemon in place of the system bus."""
import subprocess

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.paths import ROOT

CONFIGURATION = ROOT / 'Tests/Rig/private-bus.conf'


class PrivateBus(Part):
    name = 'bus'

    @property
    def address(self) -> str:
        """The address without the guid, which changes with every start: the same after a restart."""
        return f'unix:path={self.directory / "bus.sock"}'

    def start(self) -> None:
        command = [
            'dbus-daemon', f'--config-file={CONFIGURATION}', '--nofork', '--nopidfile', '--nosyslog',
            f'--address={self.address}', '--print-address=1']
        with self.log_file() as log:
            self.child = Child(command, stdout=subprocess.PIPE, stderr=log)
        self.first_line(self.child.stdout)
