"""Two races of the trial of the pages: run files, a course, and a log of passings, as a box has them on a race day."""
import datetime
import hashlib
import json
import math
import pathlib
import time
from typing import Any

from workbench.clock import boot_ns
from workbench.house import GATEWAY, PERSON

RUN, QUIET_RUN = 'town-10k', 'woods-5k'
# The party that stands for the spectators, and the runner who is a person of the house.
PARTY, WATCHED_BIB = 'spectators', 7
# Nobody has heard this tag, and this runner is late.
SILENT_BIB, LATE_BIB = 30, 12
NAMES = [
    'Anna Bianchi', '<img src=x onerror=alert(1)>', "O'Brien & Sons", 'Łukasz Żółć',
    'Maria Rossi-Della Valle Superiore',
    '"); drop table runners;', 'Åsa', '=HYPERLINK("http://evil.example")', '李小龍', 'Ada']
CATEGORIES = ['w40', 'm30', 'juniors', 'm60']
RUNNERS = 30
POINTS = [('start', 0), ('bridge', 2500), ('park', 5000), ('finish', 10000)]
# Minutes since the gun at the beginning of the trial.
ELAPSED = 44


def rfc3339(ms: int) -> str:
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC).isoformat(timespec='milliseconds')


def course() -> str:
    """Returns a loop of about 10 km around Milan's castle, as GPX."""
    places = []
    for step in range(400):
        angle = 2 * math.pi * step / 400
        radius = 1450 + 260 * math.sin(3 * angle) + 120 * math.cos(5 * angle)
        places.append((45.4705 + radius * math.sin(angle) / 111_200, 9.1793 + radius * math.cos(angle) / 78_100))
    points = ''.join(f'<trkpt lat="{lat:.6f}" lon="{lon:.6f}"/>' for lat, lon in places)
    return ('<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="trial"><trk><trkseg>'
            f'{points}</trkseg></trk></gpx>\n')


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


class RaceDay:
    """Files of two races that are under way: one with names for everybody, one without."""

    def __init__(self, folder: pathlib.Path, state: pathlib.Path) -> None:
        self.folder, self.state = folder, state
        self.start_ms = round(time.time() - ELAPSED * 60) * 1000
        # Start of the machine in which the log is written. Of an earlier start, a box without a time server takes its
        # own uptime for the least time since the last passing: after some hours of it the race would be over.
        self.boot, self.boot_start_ms = 'earlier', self.start_ms - 3_600_000
        this_start_ms = (time.time_ns() - boot_ns()) // 1_000_000
        if this_start_ms < self.start_ms - 60_000:
            self.boot = pathlib.Path('/proc/sys/kernel/random/boot_id').read_text(encoding='ascii').strip()
            self.boot_start_ms = this_start_ms

    def settings(self) -> str:
        return f'\n[race]\nruns_directory = "{self.folder}"\n'

    def write(self) -> None:
        self.folder.mkdir()
        (self.folder / 'town.gpx').write_text(course(), encoding='utf-8')
        (self.folder / 'town.csv').write_text(self.start_list(), encoding='utf-8')
        (self.folder / 'town.toml').write_text(
            self.run_file(RUN, 'Town 10K & <b>friends</b>', 'town.csv', POINTS)
            .replace('[[waves]]', f'course = "town.gpx"\npublic_names = true\npublic_party = "{PARTY}"\n[[waves]]', 1),
            encoding='utf-8')
        (self.folder / 'woods.csv').write_text(
            'bib,name,category,tags\n' + ''.join(
                f'{bib},Hidden {bib},w40,C0:AD:00:01:00:{bib:02X}\n' for bib in range(1, 8)), encoding='utf-8')
        (self.folder / 'woods.toml').write_text(
            self.run_file(QUIET_RUN, 'Woods 5K', 'woods.csv', [('gate', 5000)]), encoding='utf-8')
        self.write_passings()

    def run_file(self, run: str, title: str, start_list: str, points: list[tuple[str, int]]) -> str:
        text = (f'id = "{run}"\ntitle = "{title}"\nend = "{rfc3339(self.start_ms + 6 * 3_600_000)}"\n'
                f'start_list = "{start_list}"\n[[waves]]\nid = "all"\nstart = "{rfc3339(self.start_ms)}"\n')
        for name, distance in points:
            box = f'box = "{GATEWAY}"\n' if name == points[-1][0] and run == RUN else ''
            finish = 'finish = true\n' if name == points[-1][0] else ''
            text += f'[[checkpoints]]\nid = "{name}"\ndistances_m = [{distance}]\n{box}{finish}'
        return text

    def start_list(self) -> str:
        rows = ['bib,name,category,tags,person']
        for bib in range(1, RUNNERS + 1):
            name = NAMES[bib % len(NAMES)] if bib != WATCHED_BIB else 'Maria Rossi'
            rows.append(f'{bib},{quoted(name)},{CATEGORIES[bib % 4]},C0:AD:00:00:00:{bib:02X},'
                        f'{PERSON if bib == WATCHED_BIB else ""}')
        return '\n'.join(rows) + '\n'

    # ---- passings ------------------------------------------------------------------------

    def passings(self) -> list[dict[str, Any]]:
        """Returns the passings that the boxes had until now, the earliest first."""
        found = []
        for bib in range(1, RUNNERS):
            pace = 0.238 + 0.004 * bib   # seconds a metre
            for number, (name, distance) in enumerate(POINTS):
                seconds = 3 + bib * 0.7 + distance * pace * (1 + 0.02 * number)
                if seconds > ELAPSED * 60 - 5 or (bib == LATE_BIB and distance > 2500):
                    continue
                found.append(self.passing(bib, name, self.start_ms + round(seconds * 1000)))
        for bib in range(1, 5):
            found.append(self.passing(bib, 'gate', self.start_ms + 1_500_000 + bib * 60_000, QUIET_RUN))
        return sorted(found, key=lambda passing: passing['time'])

    def passing(self, bib: int, checkpoint: str, at_ms: int, run: str = RUN) -> dict[str, Any]:
        tail = hashlib.sha256(f'{run} {bib} {checkpoint}'.encode()).hexdigest()
        at_ns = (at_ms - self.boot_start_ms) * 1_000_000
        return {
            'id': f'{at_ms:012x}'[:8] + '-' + f'{at_ms:012x}'[8:] + f'-7{tail[:3]}-8{tail[3:6]}-{tail[6:18]}',
            'run': run, 'checkpoint': checkpoint, 'bib': bib, 'order': 1, 'time': at_ms, 'first': at_ms - 4000,
            'last': at_ms + 4000, 'bound': 420_000_000, 'passage_bound': 400_000_000, 'nearest_at': at_ns,
            'first_at': at_ns - 4_000_000_000, 'last_at': at_ns + 4_000_000_000, 'hits': 41, 'rssi': -58,
            'method': 'ble-peak', 'flags': []}

    def write_passings(self) -> None:
        """Writes the log as the gateway writes it: each line has the hash of the line before."""
        previous, lines = '0' * 64, []
        for seq, passing in enumerate(self.passings()):
            line = json.dumps({
                'at': passing['last_at'], 'boot': self.boot, 'box': GATEWAY,
                'clock': {'bound': 120_000_000, 'offset': passing['time'] * 1_000_000 - passing['nearest_at'],
                          'source': 'gps'},
                'passing': passing, 'prev': previous, 'seq': seq, 'wall': passing['last'], 'what': 'passing',
            }, separators=(',', ':'), sort_keys=True)
            previous = hashlib.sha256(line.encode()).hexdigest()
            lines.append(line + '\n')
        (self.state / 'passings.jsonl').write_text(''.join(lines), encoding='utf-8')
