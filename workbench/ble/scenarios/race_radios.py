"""A race past a box with two radios, after the self-test: one radio is unplugged and plugged in again."""
from workbench.ble.scenarios.advert_house import button
from workbench.ble.scenarios.guest_house import play, strap
from workbench.ble.scenarios.race_house import RUN, RaceHouse, Score

CODE = 'race-radio-deaf'
# Address of the rig's own beacons, see air.py; no other device advertises under it.
HELD, LOST = 'C0:BE:AC:00:00:00', 'C0:BE:AC:00:00:09'
MAY_BE_OUTSIDE = 2


class TwoRadios(RaceHouse):
    def __init__(self, *about, **more):
        super().__init__(*about, **more)
        self.stack.config['adapters'] = [{}, {}]

    def settings_text(self):
        return super().settings_text() + 'adapters = ["hci0", "hci1"]\n'

    async def radio(self, name):
        """Returns the line of `status` about a radio."""
        return next(line for line in (await self.status()).split('\n') if line.startswith(f'radio {name}:'))


async def scenario(house, report):
    starts = sum(1 for t in house.field.plan['truths'] if t['order'] == 1)
    async with report.rule('the self-test passes a tag that is held beside the box, and names the radio'):
        await house.stack.air('beacons', count=1, interval_ms=100)
        said = await house.succeed('race', 'self-test', HELD)
        assert said.startswith('passed: ') and ', by hci' in said, said
        report.remark(said.strip())
        await house.stack.air('beacons', count=0)
    async with report.rule('it fails for a tag that nobody hears, and says what to look at'):
        status, said, errors = await house.command('race', 'self-test', LOST)
        assert status != 0 and 'not heard within 15 s' in said + errors, (status, said, errors)
    async with report.rule('two radios hear the runners, and status has a line for each'):
        await house.enter_run(ahead_s=30)
        await house.play_field()
        await house.until(lambda: house.passings(), 'somebody passes', seconds=300)
        for name in ('hci0', 'hci1'):
            said = await house.radio(name)
            assert 'DEAF' not in said and 'QUIET' not in said and ': 0 reads' not in said, said
            report.remark(said)
    async with report.rule(f'one that is pulled out raises {CODE}, and the other goes on'):
        since = house.mark()
        await house.stack.air('unplug', adapter=1)
        await house.until(lambda: house.conditions(CODE, since[1]) == [True], f'{CODE} is raised')
        assert 'DEAF' in await house.radio('hci1')
        await house.until(lambda: len(house.passings()) >= starts // 2, 'runners pass', seconds=300)
        assert ': 0 reads' not in await house.radio('hci0')
    async with report.rule('a button is heard by the one that is left'):
        since = house.mark()
        await house.press('button-1')
        await house.call_and_accept(since, rule='sos-button', person='person-1')
    async with report.rule(f'put back, it hears runners again and {CODE} is cleared'):
        since = house.mark()
        await house.stack.air('plug', adapter=1)
        await house.until(lambda: house.conditions(CODE, since[1]) == [False], f'{CODE} is cleared', seconds=300)
        assert 'DEAF' not in await house.radio('hci1')
    async with report.rule('every runner is timed at the start and at the finish, and nobody twice'):
        await house.field_is_through()
        score = Score(house.passings(), house.field.truths(house.start_ms))
        report.figure('against the truth', score.text())
        assert not score.missed and not score.surplus and not score.doubled, (score.missed, score.surplus)
        assert len(score.errors) - score.within <= MAY_BE_OUTSIDE, score.text()
        assert f'race: {RUN} is underway' in await house.status()


play([strap(script=[{'bpm': 70}], every_ms=1000)], scenario, lambda wearables, report: TwoRadios(
    report, 'small', wearables, buttons=[button(1)]))
