"""A runner's watch with the Location and Navigation service. The gateway reads it only during the wearer's run."""
import asyncio
import time

from workbench.ble.scenarios.guest_house import DIRECTORY, GATEWAY, GuestHouse, play
from workbench.ble.scenarios.race_house import rfc3339

RUNS = DIRECTORY / 'runs.d'
RUN, BIB, WATCH, POSITION = 'town-run', 17, 'watch', '2a67'
TOPIC = f'trackme/v1/{GATEWAY}/runs/{RUN}'
# The course: 4 km straight to the north; metres in a degree of latitude.
LATITUDE, LONGITUDE, DEGREE = 45.4642, 9.19, 111_144
SPEED = 3   # m/s
WEARABLE = {'id': WATCH, 'kind': 'location_watch', 'address': 'C0:00:00:00:05:01', 'script': [], 'person': 'anna'}


class WatchHouse(GuestHouse):
    def settings_text(self):
        RUNS.mkdir(parents=True, exist_ok=True)
        return super().settings_text() + f'\n[race]\nruns_directory = "{RUNS}"\n'

    async def enter_run(self, person):
        """Enters a run that began some time ago. `person`: the run names the person with the watch."""
        now = time.time() * 1000
        points = ''.join(f'<trkpt lat="{LATITUDE + metres / DEGREE}" lon="{LONGITUDE}"/>' for metres in (0, 4_000))
        (RUNS / 'course.gpx').write_text(
            '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
            f'{points}</trkseg></trk></gpx>', encoding='utf-8')
        (RUNS / f'{RUN}.toml').write_text(
            f'id = "{RUN}"\ntitle = "Town run"\nend = "{rfc3339(now + 7_200_000)}"\ncourse = "course.gpx"\n'
            f'\n[[waves]]\nid = "all"\nstart = "{rfc3339(now - 600_000)}"\n'
            '\n[[checkpoints]]\nid = "bridge"\ndistances_m = [1060]\n'
            '\n[[checkpoints]]\nid = "finish"\ndistances_m = [4000]\nfinish = true\n'
            f'\n[[participants]]\nbib = {BIB}\n' + ('person = "anna"\n' if person else ''), encoding='utf-8')
        await self.succeed('runs', 'reload')

    async def walk(self, metres):
        await self.stack.air(
            'send', id=WATCH, value={'latitude': LATITUDE + metres / DEGREE, 'longitude': LONGITUDE})

    def at_broker(self, what):
        return [m for m in self.broker if m['topic'] == f'{TOPIC}/{what}']


async def scenario(house, report):
    async with report.rule('a watch is connected to, and not asked where it is: no run is underway'):
        await house.until(lambda: house.of('connected', WATCH), 'it is connected')
        await house.enter_run(person=False)
        await house.status_says(f'race: {RUN} is underway')
        await asyncio.sleep(20)
        assert not house.times_subscribed(WATCH, POSITION)
    async with report.rule('it is asked as soon as the run says whose watch it is'):
        await house.enter_run(person=True)
        await house.subscription(WATCH, char=POSITION)
    async with report.rule(
            'where the runner is goes to the broker: place on the course, pace, accuracy, and the time ahead'):
        begin = time.monotonic()
        while not (any('predicted_at' in m for m in house.at_broker('positions')) and house.at_broker('passings')):
            assert time.monotonic() - begin < 120, house.at_broker('positions')[-3:]
            await house.walk(1_000 + SPEED * (time.monotonic() - begin))
            await asyncio.sleep(1)
        walked = 1_000 + SPEED * (time.monotonic() - begin)
        positions = house.at_broker('positions')
        assert all(m['bib'] == BIB for m in positions) and positions[-1]['accuracy_m'] == 4, positions
        assert 990 < positions[-1]['distance_m'] < walked + 20, positions[-1]
        passing = house.at_broker('passings')[0]
        assert (passing['checkpoint'], passing['method'], passing['bib']) == ('bridge', 'gps-line', BIB), passing
        report.figure('positions told', f'{len(positions)}, the last at {positions[-1]["distance_m"]:.0f} m')
    async with report.rule('it is let go of when its wearer is no runner any more, and nothing more is told'):
        since = len(house.of('unsubscribed', WATCH))
        await house.enter_run(person=False)
        await house.until(
            lambda: any(e['char'] == POSITION for e in house.of('unsubscribed', WATCH)[since:]), 'it is let go of')
        await house.quiet()
        before = len(house.at_broker('positions'))
        for step in range(1, 4):
            await house.walk(walked + 30 * step)
        await house.quiet()
        assert len(house.at_broker('positions')) == before
        # With the accuracy of a kilometre; all positions of the walk begin with these digits.
        places = {f'{m["latitude"]:.6f}'[:5] for m in positions}
        assert not any(place in line for place in places for line in house.log), 'a place is in the log'


play([WEARABLE], scenario, WatchHouse)
