"""The house fixture with the process of the pages, as a visitor's browser meets it."""
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.request
from typing import Any

from workbench.house import PERSON, House, Pace
from workbench.parts.child import Child

# Long enough for a press on a page.
PACE = Pace(readings=2, gap=0.2, within=1.0, window=2.5)


class WebHouse(House):
    """Within `with WebHouse(...)` the pages are served at `address`."""

    address: str

    def __init__(self, program: pathlib.Path, console: pathlib.Path, **more: Any) -> None:
        super().__init__(program, PACE, **more)
        self.console = console

    def __enter__(self) -> 'WebHouse':
        super().__enter__()
        self.start_console()
        return self

    def start_console(self) -> None:
        self.settings_file = self.directory / 'console.toml'
        self.settings_file.write_text(f'''
            listen = ["127.0.0.1:0"]
            gateway_socket = "{self.directory / 'console.sock'}"
            state_directory = "{self.directory / 'pages'}"
            ''')
        child = self.children['console'] = Child(
            [self.console, 'serve', '--config', self.settings_file], stdout=subprocess.PIPE)
        line = child.stdout.readline().decode()
        found = re.search(r'http://127\.0\.0\.1:\d+', line)
        assert found, line
        self.address = found[0]
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if self.get('/pair')[0] == 200:
                return
            time.sleep(0.05)

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        request = urllib.request.Request(self.address + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def code(self, role: str, name: str = 'A device') -> str:
        """Returns a code with which one device pairs."""
        words = [self.console, 'pair', '--config', self.settings_file, '--role', role, '--name', name]
        if role in ('person', 'family', 'carer'):
            words += ['--person', PERSON]
        said = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout
        found = re.search(r'[A-Z0-9]{4}-[A-Z0-9]{4}', said)
        assert found, said
        return found[0]
