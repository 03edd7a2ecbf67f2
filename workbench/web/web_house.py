"""The house fixture with the process of the pages, as a visitor's browser meets it."""
import http.client
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Self

from workbench.house import PERSON, House, Pace
from workbench.parts.child import Child
from workbench.paths import console_link

# Long enough for a press on a page.
PACE = Pace(readings=2, gap=0.2, within=1.0, window=2.5)


class WebHouse(House):
    """Within `with WebHouse(...)` the pages are served at `address`."""

    address: str
    # Any free one at the first start, and the same at those after it.
    port = 0

    def __init__(self, program: pathlib.Path, pace: Pace = PACE, **more: Any) -> None:
        super().__init__(program, pace, **more)
        self.console = console_link(program)

    def __enter__(self) -> Self:
        super().__enter__()
        self.start_console()
        return self

    def start_console(self) -> None:
        self.settings_file = self.directory / 'console.toml'
        self.settings_file.write_text(
            f'listen = ["127.0.0.1:{self.port}"]\n'
            f'gateway_socket = "{self.directory / "console.sock"}"\n'
            f'state_directory = "{self.directory / "pages"}"\n')
        child = self.children['console'] = Child(
            [self.console, 'serve', '--config', self.settings_file], stdout=subprocess.PIPE)
        line = child.stdout.readline().decode()
        found = re.search(r'http://127\.0\.0\.1:(\d+)', line)
        assert found, line
        self.address, self.port = found[0], int(found[1])
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

    def ask_page(
            self, path: str, fields: dict[str, str] | None = None,
            headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], str]:
        """Asks by GET, or by POST with `fields`. `X-Method` names another method. Returns status, headers and text."""
        sent = dict(headers or {})
        method = sent.pop('X-Method', 'GET' if fields is None else 'POST')
        if fields is not None:
            sent['Content-Type'] = 'application/x-www-form-urlencoded'
        client = http.client.HTTPConnection(self.address.removeprefix('http://'), timeout=10)
        try:
            client.request(method, path, urllib.parse.urlencode(fields) if fields else None, sent)
            reply = client.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read().decode()
        finally:
            client.close()

    def code(self, role: str, name: str = 'A device') -> str:
        """Returns a code with which one device pairs."""
        words = [self.console, 'pair', '--config', self.settings_file, '--role', role, '--name', name]
        if role in ('person', 'family', 'carer'):
            words += ['--person', PERSON]
        said = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout
        found = re.search(r'[A-Z0-9]{4}-[A-Z0-9]{4}', said)
        assert found, said
        return found[0]

    def pair(self, role: str, name: str = 'A device') -> str:
        """Pairs one device. Returns its cookie, as its requests send it."""
        address = self.address.removeprefix('http://')
        client = http.client.HTTPConnection(address, timeout=10)
        client.request('POST', '/pair', urllib.parse.urlencode({'code': self.code(role, name)}), {
            'Content-Type': 'application/x-www-form-urlencoded', 'Origin': self.address})
        reply = client.getresponse()
        cookie = reply.getheader('Set-Cookie')
        client.close()
        assert reply.status == 303 and cookie, reply.status
        return cookie.split(';')[0]
