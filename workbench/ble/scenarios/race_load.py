"""Delay of a call for help while the box times a crowd: every advert on the crowded air is a runner's tag."""
import time

from workbench.ble.scenarios.advert_house import AdvertHouse, button
from workbench.ble.scenarios.guest_house import GATEWAY, play, strap
from workbench.ble.scenarios.race_house import RUNS, rfc3339
from workbench.ble.scenarios.report import milliseconds
from workbench.quantiles import quantile

RUNNERS, INTERVAL_MS = 100, 100   # a thousand adverts a second: the limit of the guest's one processor
PRESSES = 25


class Crowd(AdvertHouse):
    """A crowd of runners beside the box."""

    async def __aenter__(self):
        RUNS.mkdir(parents=True, exist_ok=True)
        now = round(time.time()) * 1000
        people = ''.join(
            f'\n[[participants]]\nbib = {number + 1}\ntags = ["C0:BE:AC:00:00:{number:02X}"]\n'
            for number in range(RUNNERS))
        (RUNS / 'crowd.toml').write_text(
            f'id = "crowd"\ntitle = "Crowd"\nend = "{rfc3339(now + 86_400_000)}"\n'
            f'\n[[waves]]\nid = "all"\nstart = "{rfc3339(now)}"\n'
            f'\n[[checkpoints]]\nid = "start"\ndistances_m = [0]\nbox = "{GATEWAY}"\n{people}', encoding='utf-8')
        return await super().__aenter__()

    def settings_text(self):
        return super().settings_text() + f'\n[race]\nruns_directory = "{RUNS}"\n'


async def scenario(house, report):
    async with report.rule('the tags of all runners are heard'):
        await house.listens('listening for adverts')
        await house.stack.air('beacons', count=RUNNERS, interval_ms=INTERVAL_MS)
        await house.status_says(f'{RUNNERS} of {RUNNERS} runners heard')
    before, began, late = await house.stack.air('stats'), time.monotonic(), []
    async with report.rule(f'each of {PRESSES} presses of a button is an alarm and a call'):
        for _ in range(PRESSES):
            since = house.mark()
            await house.press('button-1')
            alarm, _ = await house.call_and_accept(since, rule='sos-button', person='person-1')
            pressed = house.last('advertised', 'button-1')
            late.append(alarm['boot_ns'] - pressed['began_ns'])
    seconds = time.monotonic() - began
    after = await house.stack.air('stats')
    reports = after['adapters'][0]['scan_reports'] - before['adapters'][0]['scan_reports']
    report.figure('adverts of tags a second meanwhile', f'{reports / seconds:.0f}')
    report.figure('from the press to the alarm', f'median {milliseconds(quantile(late, 0.5))}, '
                  f'longest {milliseconds(max(late))}, of {len(late)}')


play([strap(script=[{'bpm': 70}], every_ms=1000)], scenario,
     lambda wearables, report: Crowd(wearables, report, [button(1)]))
