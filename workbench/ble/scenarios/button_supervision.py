"""Supervision of an SOS button that only advertises: never heard, tested, missed; and a radio that hears nothing."""
import asyncio

from workbench.ble.scenarios.advert_house import AdvertHouse, button
from workbench.ble.scenarios.guest_house import play, set_clock
from workbench.clock import boot_ns

BUTTON, SENSOR = 'button-1', 'door'
HOUR = 3_600
# A press means help; held, it cancels, after the ten seconds in which the button that called cancels nothing.
SIGNALS = {'button': 'sos-button', 'long_press': 'cancel'}
BUTTONS = [
    button(1, signals=SIGNALS),
    button(2, id=SENSOR, signals={'motion': 'shaking'}, objects={'battery': 90}, every_ms=1_000)]


class TestedHouse(AdvertHouse):
    # Long enough to cancel an alarm that was made for the test.
    sos_keys = {'button_window_seconds': 20, 'early_notice': True}

    def settings_text(self):
        return '[sos]\ntest_buttons_days = 1\n\n' + super().settings_text()

    async def press_and_cancel(self):
        since = self.mark()
        await self.press(BUTTON)
        await self.until(lambda: self.alarms(since[1]), 'an alarm')
        await asyncio.sleep(11)
        await self.press(BUTTON, {'button': 'long_press'})
        await self.until(lambda: any(e['event'] == 'aborted' for e in self.feed[since[1]:]), 'it is cancelled')
        return since

    async def press_in_test(self):
        """The press goes out as a drill and is praised; it ends by itself."""
        since, said = self.mark(), len(self.console)
        await self.press(BUTTON)
        await self.until(
            lambda: any(e['event'] == 'alarm' and e['rule'] == 'drill' for e in self.feed[since[1]:]), 'a test')
        await self.says('The help button of', said)
        assert not [e for e in self.feed[since[1]:] if e['event'] == 'alarm' and e['rule'] != 'drill']
        await self.until(lambda: any(e['event'] == 'lapsed' for e in self.feed[since[1]:]), 'it ends by itself')

    async def days_later(self, days, hour):
        """Kills the gateway and sets the wall clock forward: a running one dates a press by its uptime."""
        # The row of a press is written within seconds.
        await asyncio.sleep(5)
        await self.kill_gateway()
        set_clock(days, hour)
        await self.start_gateway()

    async def says(self, words, since):
        await self.until(lambda: any(words in line for line in self.console[since:]), f'the house says: {words}')


async def scenario(house, report):
    def button_row():
        return next(line for line in status if f'SOS button {BUTTON}' in line)

    set_clock(1, 9)
    await house.listens('listening for adverts')
    status = (await house.status()).splitlines()
    assert 'never heard, never pressed' in button_row(), status
    async with report.rule('a button that was never heard is reported after an hour'):
        await asyncio.sleep(HOUR - 300)
        assert house.conditions('wearable-never-heard') == [], house.conditions('wearable-never-heard')
        await asyncio.sleep(400)
        assert house.conditions('wearable-never-heard') == [True], house.conditions('wearable-never-heard')
    async with report.rule('its first press is an alarm, ends that, and is the first test'):
        await house.press_and_cancel()
        await house.until(lambda: house.conditions('wearable-never-heard') == [True, False], 'it is heard')
        status = (await house.status()).splitlines()
        assert 'never' not in button_row() and 'press test due' in button_row(), status
    async with report.rule('after a day without a press the house asks for one, and thanks for it'):
        since = len(house.console)
        await house.days_later(2, 12)
        await house.says('please test your help button', since)
        await house.press_in_test()
        assert house.conditions('sos-button-untested') == [], house.conditions('sos-button-untested')
    async with report.rule('a test that is not answered within a day is a condition, until the button is pressed'):
        since = len(house.console)
        await house.days_later(2, 12)
        await house.says('please test your help button', since)
        set_clock(1, 13)
        await house.until(lambda: house.conditions('sos-button-untested') == [True], 'the test is missed')
        await house.press_and_cancel()
        await house.until(lambda: house.conditions('sos-button-untested') == [True, False], 'it is tested')
    async with report.rule('a test that is begun by hand takes the next press, and no other'):
        await house.succeed('test-button', '--person', 'person-1')
        await house.press_in_test()
        await house.press_and_cancel()
    async with report.rule('a radio that hears nothing for half a minute is a condition, and the next advert ends it'):
        await asyncio.sleep(60)
        assert house.conditions('radio-deaf') == [], house.conditions('radio-deaf')
        began = boot_ns()
        await house.stack.air('bthome_every', id=SENSOR, every_ms=0)
        await house.until(lambda: house.conditions('radio-deaf') == [True], 'it is deaf')
        report.figure('from the last advert to radio-deaf', f'{(boot_ns() - began) / 1e9:.0f} s')
        await house.stack.air('bthome_every', id=SENSOR, every_ms=1_000)
        await house.until(lambda: house.conditions('radio-deaf') == [True, False], 'it hears')


play([], scenario, lambda wearables, report: TestedHouse(wearables, report, BUTTONS))
