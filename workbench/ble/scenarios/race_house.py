"""A box beside a race: runners with tags pass it, and its passings are compared with the true ones."""
import collections
import contextlib
import csv
import dataclasses
import datetime
import io
import json
import math
import subprocess
import time

from workbench.ble.scenarios.advert_house import AdvertHouse
from workbench.ble.scenarios.guest_house import DIRECTORY, GATEWAY, RUNTIME, strap
from workbench.clock import boot_ns, call_synchronised
from workbench.quantiles import quantile

EXPORTER = '/gateway/RaceField'
RUNS = DIRECTORY / 'runs.d'
RUN, CHECKPOINT = 'town-run', 'arch'
PASSINGS = f'trackme/v1/{GATEWAY}/runs/{RUN}/passings'
UUID, NAMESPACE = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', 'edd1ebeac04e5defa017'
KEY = 'ec0234a357c8ad05341010a60a397d9b'
# Wait after the last runner: the gateway reports a passing a dozen seconds after the runner is gone.
LAST_WORD_S = 20
# A time with a larger error belongs to another passing.
REACH_S = 15


@dataclasses.dataclass(frozen=True)
class Truth:
    bib: int
    order: int
    at_ms: float
    """Since 1970."""


class Field:
    """A field of the race simulator: the positions of each runner over time, and the tags."""

    def __init__(self, name):
        text = subprocess.run([EXPORTER, name], env=RUNTIME, capture_output=True, text=True, check=True).stdout
        self.path = DIRECTORY / 'field.jsonl'
        self.path.write_text(text, encoding='utf-8')
        self.plan = json.loads(text.split('\n', 1)[0])
        self.tags = [self.tag(number) for number in range(self.plan['runners'])]
        self.seconds = max(truth['time'] for truth in self.plan['truths'])

    def tag(self, number):
        """Returns a tag of each kind in turn; the first runner's tag changes its address."""
        if number == 0:
            return {'kind': 'private', 'irk': KEY}
        return [
            {'kind': 'address', 'address': f'C0:AD:00:00:{number >> 8:02X}:{number & 0xFF:02X}'},
            {'kind': 'ibeacon', 'uuid': UUID, 'major': 7, 'minor': number},
            {'kind': 'eddystone', 'namespace': NAMESPACE, 'instance': f'{number:012x}'}][number % 3]

    def start_list(self, without=()):
        """Returns a start list as exported from a spreadsheet. `without`: bibs to leave out."""
        text = io.StringIO()
        rows = csv.writer(text, lineterminator='\n')
        rows.writerow(['bib', 'name', 'category', 'wave', 'tags'])
        for number, wave in enumerate(self.plan['waves']):
            if number + 1 in without:
                continue
            rows.writerow([number + 1, f'Runner {number + 1}', 'w' if number % 2 else 'm', f'wave-{wave + 1}',
                           written(self.tags[number])])
        return text.getvalue()

    def run_file(self, start_ms):
        text = f'id = "{RUN}"\ntitle = "Town run"\nend = "{rfc3339(start_ms + (self.seconds + 600) * 1000)}"\n'
        text += 'start_list = "start-list.csv"\n'
        for number, gun in enumerate(self.plan['guns']):
            text += f'\n[[waves]]\nid = "wave-{number + 1}"\nstart = "{rfc3339(start_ms + gun * 1000)}"\n'
        return text + (f'\n[[checkpoints]]\nid = "{CHECKPOINT}"\ndistances_m = {self.plan["distances"]}\n'
                       f'minimum_split_s = 20\nbox = "{GATEWAY}"\n')

    def truths(self, start_ms):
        return [Truth(t['runner'] + 1, t['order'], start_ms + t['time'] * 1000) for t in self.plan['truths']]


class RaceHouse(AdvertHouse):
    """A house with a box that times a race. `start_ms`: the start of the first wave, since 1970; set by `enter_run`."""

    field: Field
    start_ms: int

    def __init__(self, report, field, wearables=None, buttons=()):
        super().__init__(wearables or [strap()], report, list(buttons))
        self.field_name = field

    async def __aenter__(self):
        call_synchronised()
        RUNS.mkdir(parents=True, exist_ok=True)
        self.field = Field(self.field_name)
        return await super().__aenter__()

    def settings_text(self):
        return super().settings_text() + f'\n[race]\nruns_directory = "{RUNS}"\n'

    async def enter_run(self, ahead_s):
        """Writes a run that begins in `ahead_s` seconds, and lets the running gateway read it."""
        self.start_ms = round(time.time() + ahead_s) * 1000
        key = RUNS / 'first.key'
        key.write_text(KEY + '\n', encoding='utf-8')
        key.chmod(0o600)
        (RUNS / 'start-list.csv').write_text(self.field.start_list(), encoding='utf-8')
        (RUNS / f'{RUN}.toml').write_text(self.field.run_file(self.start_ms), encoding='utf-8')
        await self.succeed('runs', 'reload')

    async def leave_run(self, bib):
        """Removes a runner from the start list, as the organiser does."""
        (RUNS / 'start-list.csv').write_text(self.field.start_list(without=[bib]), encoding='utf-8')
        await self.succeed('runs', 'reload')

    async def play_field(self):
        """Starts the race and returns at once. The event `race_over` marks its end."""
        at_ns = boot_ns() + round((self.start_ms / 1000 - time.time()) * 1e9)
        return await self.stack.air('race', path=str(self.field.path), tags=self.field.tags, at_ns=at_ns)

    async def field_is_through(self):
        """Waits for the end of the race and for late passings. Returns the event of the end."""
        over = (await self.until(
            lambda: [e for e in self.air if e['event'] == 'race_over'], 'all have passed',
            seconds=self.field.seconds + 300))[0]
        wanted = len(self.field.plan['truths'])
        with contextlib.suppress(TimeoutError):
            await self.until(lambda: len(self.passings()) > wanted, 'more than there were', seconds=LAST_WORD_S)
        await self.quiet()
        return over

    def passings(self):
        return [m for m in self.broker if m['topic'] == PASSINGS]

    async def recorded(self):
        """Returns the box's own record of the run."""
        return json.loads(await self.succeed('passings', 'export', '--format', 'json', '--run', RUN))


class Score:
    """Passings compared with the true ones, in seconds."""

    def __init__(self, passings, truths):
        counting = collections.defaultdict(list)
        for passing in passings:
            if 'order' in passing:
                counting[passing['bib'], passing['order']].append(passing)
        self.marked = sum(1 for p in passings if 'order' not in p)
        self.errors, self.within, self.bounds, self.missed = [], 0, [], []
        self.surplus = sum(len(same) for key, same in counting.items()
                           if key not in {(t.bib, t.order) for t in truths})
        for truth in truths:
            same = counting.get((truth.bib, truth.order), [])
            self.surplus += max(0, len(same) - 1)
            best = min(same, key=lambda p: p.get('bound_ms', 1e9), default=None)
            error = (milliseconds(best['time']) - truth.at_ms) / 1000 if best else math.inf
            if best is None or abs(error) > REACH_S:
                self.missed.append(truth)
                continue
            self.errors.append(error)
            bound = best.get('bound_ms')
            self.bounds.append(bound)
            self.within += bound is not None and abs(error) * 1000 <= bound
        self.doubled = len(passings) - len({p['id'] for p in passings})

    @property
    def share_within(self):
        return self.within / len(self.errors) if self.errors else 0

    def text(self):
        sizes = [abs(error) for error in self.errors]
        return (f'{len(self.errors)} passings, {len(self.missed)} missed, {self.surplus} surplus, '
                f'{self.marked} marked as not counting; error: median {quantile(sizes, 0.5):.2f} s, '
                f'95 of 100 within {quantile(sizes, 0.95):.2f} s, largest {max(sizes):.2f} s; '
                f'{100 * self.share_within:.0f} of 100 within the bound that was stated')


def written(tag):
    """Returns the tag in the form of a run file."""
    return {
        'address': lambda: tag['address'],
        'ibeacon': lambda: f'ibeacon:{tag["uuid"]}/{tag["major"]}/{tag["minor"]}',
        'eddystone': lambda: f'eddystone:{tag["namespace"]}/{tag["instance"]}',
        'private': lambda: 'key-file:first.key'}[tag['kind']]()


def rfc3339(ms):
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC).isoformat(timespec='milliseconds')


def milliseconds(text):
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp() * 1000
