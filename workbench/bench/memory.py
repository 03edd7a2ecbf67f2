"""Memory of the gateway and of the console in a house: five straps, paired devices, and 50 pages.

    python3 -m workbench.bench.memory --gateway PROGRAM [--seconds 30] [--rate 45]

Anonymous memory is a process's own. PSS adds its share of the program and the libraries in memory, which a process
divides with all others that have the same file. Both are from proc(5). Both have the environment of their
systemd units, which is the same. Ends with 0 where each goal is met.
"""
import argparse
import os
import pathlib
import sys
import time
import urllib.request
from typing import Any

from workbench import gateway_settings as settings
from workbench.bench.bluetooth.usage import family
from workbench.house import CALM, PERSON, STRAP
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import ROOT
from workbench.web.web_house import WebHouse

UNIT = ROOT / 'systemd/homegateway.service'
STRAPS = 5
PAGES = 50
# Megabytes: anonymous memory of each program, and PSS of both.
GATEWAY_GOAL, CONSOLE_GOAL, PSS_GOAL = 15, 8, 40
ADDRESSES = [f'C0:FF:EE:00:01:{number:02X}' for number in range(1, STRAPS)]


class MemoryHouse(WebHouse):
    """Within `with MemoryHouse(...)` five straps are connected."""

    def __init__(self, program: pathlib.Path) -> None:
        super().__init__(program)
        self.straps = [STRAP, *(f'strap-{number}' for number in range(1, STRAPS))]
        self.peripherals += [
            {'id': id, 'kind': 'heart_rate', 'address': address, 'name': id}
            for id, address in zip(self.straps[1:], ADDRESSES, strict=True)]

    def more_settings(self) -> str:
        return ''.join(
            settings.wearable(id, address, PERSON) for id, address in zip(self.straps[1:], ADDRESSES, strict=True))

    def write_settings(self) -> None:
        super().write_settings()
        self.replace_settings(
            ('automated_sos = "accepted"\n', 'automated_sos = "accepted"\nhome_dashboard = "accepted"\n'))

    def beat(self, rate: float) -> None:
        """Each strap sends its share of the rate, in readings a second."""
        for id in self.straps:
            self.services.bluez.perform({
                'op': 'stream', 'id': id, 'values': [{'bpm': CALM, 'contact': True}],
                'every_ms': round(1_000 * STRAPS / rate)})

    def look_at_pages(self) -> None:
        """Opens the pages of a room and of the person, as often as a house does in a day."""
        visits = [(self.pair('room', 'Kitchen'), ['/', '/help']),
                  (self.pair('person', 'Maria'), ['/today', '/alarms', '/charts', '/report', '/profile', '/sharing'])]
        streams = [self.stream(cookie) for cookie, _ in visits]
        places = [(cookie, path) for cookie, paths in visits for path in paths]
        for number in range(PAGES):
            cookie, path = places[number % len(places)]
            status, text = self.get(path, Cookie=cookie)
            assert status == 200, (path, status, text[:500])
        for stream in streams:
            stream.close()

    def stream(self, cookie: str) -> Any:
        """Opens a stream, which stays open and is not read."""
        return urllib.request.urlopen(
            urllib.request.Request(self.address + '/stream', headers={'Cookie': cookie}), timeout=10)


def memory(pid: int) -> dict[str, float]:
    """Returns the figures of a process in megabytes."""
    lines = pathlib.Path(f'/proc/{pid}/smaps_rollup').read_text().splitlines()[1:]
    found = {name.rstrip(':'): int(kilobytes) / 1024 for name, kilobytes, *_ in map(str.split, lines)}
    return {'anonymous': found['Anonymous'], 'pss': found['Pss'], 'rss': found['Rss']}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.bench.memory', description=(__doc__ or '').splitlines()[0])
    parser.add_argument('--gateway', required=True, type=pathlib.Path)
    parser.add_argument('--seconds', type=int, default=30, help='time in which the straps send before the pages')
    parser.add_argument('--rate', type=float, default=45, help='readings a second, of all straps together')
    options = parser.parse_args()
    unwind_on_signals()
    for line in UNIT.read_text().splitlines():
        if line.startswith('Environment='):
            name, value = line.split('=', 2)[1:]
            os.environ[name] = value
    with MemoryHouse(options.gateway) as house:
        house.beat(options.rate)
        time.sleep(options.seconds)
        house.look_at_pages()
        time.sleep(3)
        pids = {'gateway': family(house.gateway.process.pid), 'console': family(house.children['console'].process.pid)}
        rows = [(name if number == 0 else 'its broker session', memory(pid))
                for name, found in pids.items() for number, pid in enumerate(found)]
    print(f'{STRAPS} straps, {options.rate:g} readings/s for {options.seconds} s, 2 paired devices, {PAGES} pages, '
          '2 streams; MB')
    print(f'{"":20}{"anonymous":>10}{"PSS":>8}{"RSS":>8}')
    for name, figures in rows:
        print(f'{name:20}{figures["anonymous"]:10.1f}{figures["pss"]:8.1f}{figures["rss"]:8.1f}')
    gateway = sum(figures['anonymous'] for name, figures in rows if name != 'console')
    console = sum(figures['anonymous'] for name, figures in rows if name == 'console')
    pss = sum(figures['pss'] for _, figures in rows)
    goals = [('anonymous memory of the gateway', gateway, GATEWAY_GOAL),
             ('anonymous memory of the console', console, CONSOLE_GOAL), ('PSS of both', pss, PSS_GOAL)]
    for what, figure, goal in goals:
        print(f'{what}: {figure:.1f} MB, goal {goal} MB: {"met" if figure <= goal else "MISSED"}')
    return 0 if all(figure <= goal for _, figure, goal in goals) else 1


if __name__ == '__main__':
    sys.exit(main())
