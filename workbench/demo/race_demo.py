"""The demo of race day, in the guest: the messages of a race at a subscriber, compared with the true times.

Started by `demo/race`. Its output comes from the broker, message by message, as it would come to the speaker, the
result service and the families. The true times come from the simulator; the box does not know them.
"""
import asyncio

from workbench.ble.scenarios.advert_house import button
from workbench.ble.scenarios.guest_house import PROMISED_MS, play
from workbench.ble.scenarios.race_house import RUN, RaceHouse, Score, milliseconds

AHEAD_S = 12
STANDINGS_EVERY_S = 30
SHOWN = 5
# Limit for 400 passings. In the simulator's other scenarios, 95 to 100 of 100 times lie within their bounds.
MAY_BE_MISSED, LEAST_WITHIN = 2, 0.95
INTRODUCTION = '''\
A town run of {runners} runners in {waves} waves: over the line at the start, 200 m round, and over it again.
One box stands there. It hears their tags, {adverts} advertisements: fixed addresses, iBeacons, Eddystone
beacons, and one that changes its address; and it watches over somebody with an SOS tag. What follows is what a
subscriber of the broker gets.
'''


class Board:
    """The subscriber's own list of starters and times."""

    def __init__(self, start_ms):
        self.start_ms, self.times, self.seen = start_ms, {}, 0

    def take(self, passings):
        """Returns lines of output for the new passings."""
        for passing in passings[self.seen:]:
            self.seen += 1
            if 'order' in passing:
                self.times.setdefault(passing['bib'], {})[passing['order']] = milliseconds(passing['time'])
            yield self.line(passing)

    def line(self, passing):
        what = {1: 'starts', 2: 'finishes'}.get(passing.get('order'), 'does not count: ' + ', '.join(passing['flags']))
        net = self.net(passing['bib']) if passing.get('order') == 2 else None
        bound = f'±{passing["bound_ms"] / 1000:.1f} s' if 'bound_ms' in passing else 'no bound'
        return (f'{clock(milliseconds(passing["time"]) - self.start_ms)}  bib {passing["bib"]:3}  {what:8}  '
                f'{bound}, {passing["hits"]} reads{f", net {clock(net)}" if net else ""}')

    def net(self, bib):
        times = self.times.get(bib, {})
        return times[2] - times[1] if {1, 2} <= times.keys() else None

    def standings(self):
        done = sorted((net, bib) for bib in self.times if (net := self.net(bib)) is not None)
        yield f'      -- {len(self.times)} have started, {len(done)} have finished --'
        for place, (net, bib) in enumerate(done[:SHOWN], 1):
            yield f'      {place}. bib {bib:3}  {clock(net)}'


def clock(ms):
    return f'{int(ms // 60_000)}:{ms / 1000 % 60:04.1f}'


async def show(house, board):
    loop, shown = asyncio.get_running_loop(), 0.0
    while True:
        await house.until(lambda: len(house.passings()) > board.seen, 'a passing', seconds=600)
        for line in board.take(house.passings()):
            print(line, flush=True)
        if loop.time() >= shown + STANDINGS_EVERY_S:
            shown = loop.time()
            print(*board.standings(), sep='\n', flush=True)


async def emergency(house):
    """Plays an emergency during the race: the same box watches over a person with an SOS tag."""
    half = house.field.plan['runners'] // 2
    await house.until(lambda: len(house.passings()) >= half, 'half have started', seconds=600)
    since = house.mark()
    await house.press('button-1')
    await house.call_and_accept(since, rule='sos-button', person='person-1')
    told = [e for e in house.feed[since[1]:] if e['event'] == 'dispatch'][0]['after_crossing_ms']
    print(f'      -- an SOS tag is pressed: help is called after {told / 1000:.3f} s, and accepted --', flush=True)
    return told


async def scenario(house, report):
    await house.enter_run(ahead_s=AHEAD_S)
    played = await house.play_field()
    print(INTRODUCTION.format(runners=house.field.plan['runners'], waves=len(house.field.plan['guns']), **played))
    board = Board(house.start_ms)
    showing = asyncio.create_task(show(house, board))
    called = asyncio.create_task(emergency(house))
    over = await house.field_is_through()
    showing.cancel()
    print('\nThe standings as the box has them:\n')
    print(*(await house.succeed('standings', '--run', RUN, '--by', 'net')).splitlines()[:SHOWN + 10], sep='\n')
    print()
    passings = house.passings()
    score = Score(passings, house.field.truths(house.start_ms))
    report.figure('against the truth', score.text())
    report.figure('advertisements played', f'{over["sent"]}, the latest {over["latest_ms"]:.0f} ms late')
    async with report.rule(f'each of {house.field.plan["runners"]} runners is timed at the start and at the finish'):
        assert len(score.missed) <= MAY_BE_MISSED, score.missed
    async with report.rule('nobody is timed where they were not'):
        assert not score.surplus, f'{score.surplus} surplus'
    async with report.rule('95 of 100 times are right to within the bound that each states'):
        assert score.share_within >= LEAST_WITHIN, score.text()
    async with report.rule('a press of an SOS tag among the runners calls for help within 5 s'):
        assert await called <= PROMISED_MS, called
    async with report.rule('the subscriber has what the box has recorded: nothing lost, nothing doubled'):
        recorded = await house.recorded()
        assert sorted(p['id'] for p in recorded) == sorted(p['id'] for p in passings), (len(recorded), len(passings))
        await house.succeed('passings', 'verify')


play([], scenario, lambda wearables, report: RaceHouse(
    report, 'demo', buttons=[button(1)]))
