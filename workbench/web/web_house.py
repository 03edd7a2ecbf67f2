"""The house fixture with the process of the pages, as a visitor's browser meets it."""
import base64
import hashlib
import http.client
import os
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


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip('=')


class WebHouse(House):
    """Within `with WebHouse(...)` the pages are served at `address`."""

    address: str
    # Any free one at the first start, and the same at those after it.
    port = 0
    # More lines of the console's settings.
    console_settings = ''

    # Of the rooms that are paired from the beginning.
    cookies: list[str]

    def __init__(self, program: pathlib.Path, pace: Pace = PACE, devices: int = 0, **more: Any) -> None:
        """`devices`: screens of rooms that are paired from the beginning, more than could pair in a minute."""
        super().__init__(program, pace, **more)
        self.devices = devices
        self.console = console_link(program)

    def __enter__(self) -> Self:
        super().__enter__()
        self.cookies = self.write_devices()
        self.start_console()
        return self

    def write_devices(self) -> list[str]:
        """Writes the console's file of paired devices. Returns their cookies."""
        tokens = [os.urandom(32) for _ in range(self.devices)]
        now = str(time.time_ns() // 1_000_000)
        rows = ['\t'.join((base64url(hashlib.sha256(token).digest()), 'room', '-', now, now, f'Screen {number}'))
                for number, token in enumerate(tokens)]
        if rows:
            (self.directory / 'pages').mkdir(mode=0o700)
            (self.directory / 'pages/sessions').write_text(
                '\n'.join(['homegateway-console sessions 1', *rows, f'end {len(rows)}', '']))
        return [f'hg={base64url(token)}' for token in tokens]

    def start_console(self) -> None:
        self.settings_file = self.directory / 'console.toml'
        self.settings_file.write_text(
            f'listen = ["127.0.0.1:{self.port}"]\n'
            f'gateway_socket = "{self.directory / "console.sock"}"\n'
            f'state_directory = "{self.directory / "pages"}"\n' + self.console_settings)
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
