"""A real Mosquitto on the loopback interface."""
import os
import pathlib

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.parts.port import HOST, answers, free_port

PROGRAM = '/usr/sbin/mosquitto'   # the path in Debian; not on the PATH of every user


class Mosquitto(Part):
    name = 'broker'

    def __init__(self, directory: pathlib.Path, refuses: bool = False) -> None:
        """`refuses`: connections are accepted, and every client is rejected as not authorised."""
        super().__init__(directory)
        self.port = free_port()
        self.refuses = refuses

    def settings(self) -> str:
        lines = [
            f'listener {self.port} {HOST}',
            f'allow_anonymous {"false" if self.refuses else "true"}',
            'persistence false',
            f'log_dest file {self.log}']
        if os.geteuid() == 0:
            # Otherwise Mosquitto drops to the user mosquitto, which may not read the directory.
            lines.append('user root')
        return '\n'.join(lines) + '\n'

    def start(self) -> None:
        path = self.directory / 'mosquitto.conf'
        path.write_text(self.settings(), encoding='utf-8')
        with self.log_file() as log:
            self.child = Child([PROGRAM, '-c', path], stdout=log, stderr=log)
        self.wait_until(lambda: answers(self.port))

    def refuse(self) -> None:
        self.restart(refuses=True)

    def accept(self) -> None:
        self.restart(refuses=False)

    def restart(self, refuses: bool) -> None:
        self.stop()
        self.refuses = refuses
        self.start()


class PersistentBroker(Mosquitto):
    """A broker that keeps sessions over a restart, so that the witness misses no later message."""

    def settings(self) -> str:
        return super().settings().replace(
            'persistence false', f'persistence true\npersistence_location {self.directory}/')
