"""A real Mosquitto on the loopback interface."""
import os

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.parts.port import HOST, answers, free_port

PROGRAM = '/usr/sbin/mosquitto'   # Debian's place, which is not on everyone's PATH


class Mosquitto(Part):
    name = 'broker'

    def __init__(self, directory, refuses=False):
        """`refuses`: connections are accepted and every client turned away as not authorised."""
        super().__init__(directory)
        self.port = free_port()
        self.refuses = refuses

    def settings(self):
        lines = [
            f'listener {self.port} {HOST}',
            f'allow_anonymous {"false" if self.refuses else "true"}',
            'persistence false',
            f'log_dest file {self.log}']
        if os.geteuid() == 0:
            # Else it would become the user mosquitto, who may not read the directory it works in.
            lines.append('user root')
        return '\n'.join(lines) + '\n'

    def start(self):
        path = self.directory / 'mosquitto.conf'
        path.write_text(self.settings(), encoding='utf-8')
        with self.log_file() as log:
            self.child = Child([PROGRAM, '-c', path], stdout=log, stderr=log)
        self.wait_until(lambda: answers(self.port))

    def refuse(self):
        self.restart(refuses=True)

    def accept(self):
        self.restart(refuses=False)

    def restart(self, refuses):
        self.stop()
        self.refuses = refuses
        self.start()
