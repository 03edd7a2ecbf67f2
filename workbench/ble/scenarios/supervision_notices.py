"""News of the supervision for people outside: once when a strap is lost, once when it is back, also over a kill."""
import asyncio

from workbench.ble.scenarios.guest_house import GuestHouse, play, set_clock, strap
from workbench.clock import boot_ns

STRAP, PERSON = 'strap-1', 'person-1'
AFTER_S = 20
# The strap sends values: the gateway subscribes anew to a silent one.
BEATS = [{'bpm': 66}, {'bpm': 67}]


class CaredHouse(GuestHouse):
    sos_keys = {'carers': ['mqtt']}

    def settings_text(self):
        return f'[sos]\nnotice_after_seconds = {AFTER_S}\n\n' + super().settings_text()

    def notices(self, since=0):
        return [m for m in self.broker[since:] if m['topic'] == f'trackme/v1/house/notices/{PERSON}']

    async def notice(self, count, what):
        await self.until(lambda: len(self.notices()) >= count, what)
        await self.quiet()
        assert len(self.notices()) == count, self.notices()
        return self.notices()[-1]

    async def lose(self):
        await self.stack.air('vanish', id=STRAP)
        await self.until(lambda: not self.is_subscribed(STRAP), 'the link ends')

    async def find(self, times):
        await self.stack.air('return', id=STRAP)
        await self.subscription(STRAP, times)


async def scenario(house, report):
    set_clock(1, 10)   # a low battery waits for the waking hours
    await house.stack.air('script', id=STRAP, script=BEATS, every_ms=500)
    await house.subscription(STRAP)
    async with report.rule('a strap that is away for a moment is no news'):
        await house.lose()
        await asyncio.sleep(AFTER_S / 2)
        await house.find(2)
        await asyncio.sleep(2 * AFTER_S)
        assert house.notices() == [], house.notices()
    async with report.rule('a strap that stays away is told once, with its person, the cause and the remedy'):
        await house.lose()
        began = boot_ns()
        notice = await house.notice(1, 'a notice')
        assert (notice['phase'], notice['code'], notice['subject']) == ('began', 'wearable-away', STRAP), notice
        assert 'Nobody is watching over person-1' in notice['text']['en'], notice
        report.figure('from the loss to the notice', f'{(boot_ns() - began) / 1e9:.0f} s')
    async with report.rule('a kill of the gateway tells it to nobody again'):
        await house.kill_gateway()
        await house.start_gateway()
        await asyncio.sleep(4 * AFTER_S)
        assert len(house.notices()) == 1, house.notices()
    async with report.rule('its return is told once, as the end of that notice'):
        await house.find(3)
        over = await house.notice(2, 'the end')
        assert (over['phase'], over['ends']) == ('ended', notice['id']), over
    async with report.rule('a battery that runs down is told too, and a change of it is the end'):
        await house.stack.air('battery', id=STRAP, level=5)
        low = await house.notice(3, 'a notice of the battery')
        assert (low['phase'], low['code'], low['subject']) == ('began', 'battery-low', STRAP), low
        await house.stack.air('battery', id=STRAP, level=100)
        full = await house.notice(4, 'the end')
        assert full['ends'] == low['id'], full


play([strap()], scenario, CaredHouse)
