"""The story of the demo: a morning, a false alarm, a press of the button, and an emergency."""
import asyncio

from workbench.clock import boot_ns
from workbench.demo.count import Count
from workbench.demo.seen_alarm import DISPATCH_LIMIT_MS, Episode
from workbench.demo.timeline import ALERT, GOOD
from workbench.demo.wearables import BEAT_SECONDS, BUTTON, STRAP
from workbench.demo.words import ENDS_COUNTDOWN
from workbench.gateway_settings import ABORT_WINDOW_SECONDS, CONFIRM_SECONDS, HIGH_BPM, LOW_BPM

MORNING_SECONDS = 3   # before, between and after the two measurements
PAUSE_SECONDS = 3   # between two chapters: the heart is calm again
READING_SECONDS = 1   # a person reads before the press
# Longer than the limit, so that a late call is measured and not reported as missing.
PATIENCE_SECONDS = DISPATCH_LIMIT_MS / 1000 + 3
# Wait after a cancelled alarm, past the instant at which its call would have come.
SILENCE_SECONDS = CONFIRM_SECONDS + ABORT_WINDOW_SECONDS + 1.5
TICK_SECONDS = 0.1


class Story:
    def __init__(self, ledger, timeline, cast, body, sounds):
        self.ledger, self.timeline, self.cast, self.body = ledger, timeline, cast, body
        self.sounds = sounds   # the directory of the house's sound files
        self.calls, self.false_alarms = [], []
        self.is_told = False

    async def tell(self):
        for chapter in (self.morning, self.false_alarm, self.button, self.emergency):
            await chapter()
            self.body.calm_down()
            await asyncio.sleep(PAUSE_SECONDS)
        self.is_told = True
        self.timeline.say('demo', 'that was the whole story; the heart beats on')

    async def morning(self):
        self.timeline.chapter(f'The morning. All is well ({LOW_BPM} to {HIGH_BPM} beats a minute raise no alarm)')
        await asyncio.sleep(MORNING_SECONDS)
        self.timeline.say('Maria', 'measures her blood pressure')
        self.body.measure_pressure()
        await asyncio.sleep(MORNING_SECONDS)
        self.timeline.say('Maria', 'takes her temperature')
        self.body.take_temperature()
        await asyncio.sleep(MORNING_SECONDS)
        count = Count(self.ledger)
        self.timeline.say(
            'witness', f'{count.arrived.total()} readings of {len(count.rows)} kinds have come to the broker')

    async def false_alarm(self):
        self.timeline.chapter('A false alarm. The strap slips and reads too low; Maria is well, and will cancel')
        began = boot_ns()
        self.body.slip_strap()
        episode = await self.cause('false alarm', STRAP, began, lambda value: value['bpm'] <= LOW_BPM)
        self.false_alarms.append(episode)
        if not (alarm := await self.alarm(episode)):
            return
        counting = asyncio.create_task(self.count_down(alarm))
        await asyncio.sleep(READING_SECONDS)
        self.timeline.say('Maria', 'presses cancel', GOOD)
        await self.cast.abort('Maria')
        ended = await self.ledger.wait(lambda: self.of_alarm(episode, 'aborted'), 1)
        counting.cancel()
        self.timeline.end_countdown()
        if ended:
            episode.aborted_by = ended.details.get('by')
        else:
            self.timeline.say('demo', 'the gateway did not confirm that it cancelled', ALERT)
        self.body.calm_down()
        await self.keep_silent(episode)

    async def button(self):
        self.timeline.chapter('The button. Maria has fallen and presses it')
        began = boot_ns()
        self.body.press_button()
        await self.call_for_help(await self.cause('SOS button', BUTTON, began, lambda value: True))

    async def emergency(self):
        self.timeline.chapter('An emergency. Her heart begins to race, and nobody cancels')
        began = boot_ns()
        self.body.race()
        await self.call_for_help(
            await self.cause('racing heart', STRAP, began, lambda value: value['bpm'] >= HIGH_BPM))

    # ---- an alarm and its course -------------------------------------------------------

    async def cause(self, title, device, began_ns, is_it):
        """Waits until a wearable has sent the cause of the alarm: the promise counts from there."""
        sent = await self.ledger.wait(
            lambda: self.ledger.first(
                'wearables', 'sent', began_ns, lambda e: e['id'] == device and is_it(e['value'])),
            BEAT_SECONDS * 3)
        return Episode(title, sent.boot_ns if sent else began_ns)

    async def alarm(self, episode):
        def is_new(e):
            return e.get('alarm') not in self.earlier(episode)
        alarm = await self.ledger.wait(
            lambda: self.ledger.first('gateway', 'alarm', episode.began_ns, is_new), PATIENCE_SECONDS)
        if alarm:
            episode.alarm = alarm.details.get('alarm')
            episode.alarm_ms = episode.since(alarm)
            told = await self.ledger.wait(lambda: self.of_alarm(episode, 'annunciated'), 1)
            episode.told_ms = episode.since(told)
            episode.told_after_alarm_ms = told and told.details.get('after_confirmation_ms')
        else:
            self.timeline.say('demo', f'no alarm within {PATIENCE_SECONDS:.0f} s', ALERT)
        return alarm

    async def call_for_help(self, episode):
        self.calls.append(episode)
        alarm = await self.alarm(episode)
        counting = asyncio.create_task(self.count_down(alarm)) if alarm else None
        def ended():
            return self.of_alarm(episode, 'aborted') or self.of_alarm(episode, 'resolved')
        call = await self.ledger.wait(lambda: self.call(episode) or ended(), PATIENCE_SECONDS)
        if counting:
            counting.cancel()
            self.timeline.end_countdown()
        if not call:
            self.timeline.say('demo', 'no call for help reached the broker', ALERT)
        elif call.source == 'gateway':   # ended from another terminal
            episode.aborted_by = call.details.get('by', 'somebody')
        else:
            await self.answer(episode, call)

    async def answer(self, episode, call):
        episode.witnessed_ms = episode.since(call)
        self.timeline.say(
            'witness', f'the call is here {episode.witnessed_ms / 1000:.3f} s after the wearable sent its cause, '
            'by the clocks of wearable and witness alone')
        # The gateway's own report takes another path, and may come a moment later.
        episode.called_ms = episode.since(await self.ledger.wait(lambda: self.of_alarm(episode, 'dispatch'), 1))
        told = await self.ledger.wait(lambda: self.at_ambulance(episode), 1)
        episode.ambulance_ms = episode.since(told)
        episode.ambulance_problem = told and told.details.get('problem')
        await asyncio.sleep(READING_SECONDS)
        self.timeline.say('service', 'Operator 7 takes the call', GOOD)
        await self.cast.accept(call.details.get('alarm'), 'Operator 7, ambulance service')
        episode.accepted_ms = episode.since(
            await self.ledger.wait(lambda: self.of_alarm(episode, 'accepted'), 2))
        if episode.accepted_ms is None:
            self.timeline.say('demo', 'the gateway did not notice within 2 s', ALERT)
            return
        episode.told_over_ms = episode.since(
            await self.ledger.wait(lambda: self.at_ambulance(episode, 'Cancel'), 2))

    async def keep_silent(self, episode):
        left = SILENCE_SECONDS - (boot_ns() - episode.began_ns) / 1e9
        call = await self.ledger.wait(lambda: self.call(episode), max(left, 0.1))
        if call:
            episode.witnessed_ms = episode.since(call)
            self.timeline.say('witness', 'a call for help came all the same', ALERT)
        else:
            self.timeline.say('witness', f'no call for help came within {SILENCE_SECONDS:.0f} s', GOOD)

    # ---- observations ------------------------------------------------------------------

    def call(self, episode):
        """Returns the call at the broker."""
        return self.ledger.first('broker', 'sos', episode.began_ns, lambda e: (
            e.get('state') == 'confirmed' and e.get('alarm') not in self.earlier(episode)))

    def at_ambulance(self, episode, kind='Alert'):
        return self.ledger.first('ambulance', 'call', episode.began_ns, lambda e: (
            e.get('msgType') == kind and e.get('incidents') == episode.alarm))

    def earlier(self, episode):
        """Returns the ids of all other alarms: the gateway repeats unanswered ones, which are not this episode's."""
        return {e.alarm for e in self.calls + self.false_alarms if e is not episode}

    def of_alarm(self, episode, kind):
        return self.ledger.first(
            'gateway', kind, episode.began_ns, lambda e: e.get('alarm') == episode.alarm)

    async def count_down(self, alarm):
        window_ms = alarm.details.get('abort_window_ms')
        if not isinstance(window_ms, (int, float)):
            return
        end_ns = alarm.boot_ns + window_ms * 1e6
        def ended():
            return any(self.ledger.first('gateway', kind, alarm.boot_ns) for kind in ENDS_COUNTDOWN)
        while (left := (end_ns - boot_ns()) / 1e9) > 0 and not ended():
            self.timeline.countdown(f'help is called in {left:.1f} s')
            await asyncio.sleep(TICK_SECONDS)
        self.timeline.end_countdown()
