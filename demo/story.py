"""What happens in the demo: an emergency that is answered, and a false alarm that is cancelled."""
import asyncio
import json
from dataclasses import dataclass
from itertools import cycle

from clock import boot_ns
from settings import ABORT_WINDOW_SECONDS, CONFIRM_SECONDS, HIGH_BPM, LOW_BPM, STRAP
from timeline import ALERT, GOOD
from words import ENDS_COUNTDOWN

# Beats per minute, in turn. The limits are 40 and 131.
CALM = (72, 70, 68, 71, 74, 76, 73)
RACING = (152, 155, 150, 158, 154)
FAINT = (35, 34, 36)

READING_SECONDS = 1.0
CALM_SECONDS = 6
RECOVERY_SECONDS = 8
DISPATCH_LIMIT_SECONDS = 5.0
# Beyond the limit, so that a late dispatch is seen and measured rather than called missing.
PATIENCE_SECONDS = DISPATCH_LIMIT_SECONDS + 3
# How long nothing may come after a cancelled alarm: past the moment at which it would have.
SILENCE_SECONDS = CONFIRM_SECONDS + ABORT_WINDOW_SECONDS + 1.5
TICK_SECONDS = 0.1


@dataclass
class Episode:
    """One crossing and what came of it. Instants in nanoseconds of CLOCK_BOOTTIME."""
    crossing_ns: int = 0
    alarm: str | None = None   # its id
    alarm_ms: float | None = None   # crossing to alarm, by the gateway
    annunciated_ms: float | None = None   # confirmation to alarm in the house, by the gateway
    dispatch_ms: float | None = None   # crossing to dispatch, by the gateway
    witnessed_ms: float | None = None   # the strap's reading to the witness's receipt
    accepted: bool = False
    aborted: bool = False


class Heart:
    """Beats once a second into the strap, whatever the story waits for."""

    def __init__(self, bluez):
        self.bluez, self.values = bluez, cycle(CALM)

    def turn(self, values):
        self.values = cycle(values)

    async def beat(self):
        due = asyncio.get_running_loop().time()
        while True:
            bpm = next(self.values)
            self.bluez.perform({'op': 'send', 'id': STRAP['id'], 'value': {
                'bpm': bpm, 'contact': True, 'rr_ms': [round(60_000 / bpm)]}})
            due += READING_SECONDS
            await asyncio.sleep(due - asyncio.get_running_loop().time())


class Story:
    def __init__(self, ledger, timeline, cast, heart):
        self.ledger, self.timeline, self.cast, self.heart = ledger, timeline, cast, heart
        self.emergencies, self.false_alarms = [], []

    async def tell(self):
        self.timeline.say('demo', f'a calm heart, once a second ({LOW_BPM} to {HIGH_BPM} is harmless)')
        await asyncio.sleep(CALM_SECONDS)
        await self.emergency()
        self.heart.turn(CALM)
        self.timeline.say('demo', 'the heart calms down')
        await asyncio.sleep(RECOVERY_SECONDS)
        await self.false_alarm()
        self.heart.turn(CALM)
        self.timeline.say('demo', 'that was the whole story; the heart beats on')

    async def cross(self, values, is_dangerous):
        """Turns the heart, and waits for the first dangerous reading and then for the alarm."""
        episode, began = Episode(), boot_ns()
        self.heart.turn(values)
        reading = await self.ledger.wait(
            lambda: self.ledger.first('strap', 'sent', began, lambda e: is_dangerous(bpm(e))),
            READING_SECONDS * 3)
        episode.crossing_ns = reading.boot_ns if reading else began
        alarm = await self.ledger.wait(
            lambda: self.ledger.first('gateway', 'alarm', episode.crossing_ns), PATIENCE_SECONDS)
        if alarm:
            episode.alarm = alarm.details.get('alarm')
            episode.alarm_ms = (alarm.boot_ns - episode.crossing_ns) / 1e6
        else:
            self.timeline.say('demo', f'no alarm within {PATIENCE_SECONDS:.0f} s', ALERT)
        return episode, alarm

    async def emergency(self):
        self.timeline.say('demo', 'the heart begins to race, and nobody cancels')
        episode, alarm = await self.cross(RACING, lambda value: value >= HIGH_BPM)
        self.emergencies.append(episode)
        counting = asyncio.create_task(self.count_down(alarm)) if alarm else None
        call = await self.ledger.wait(lambda: self.confirmed(episode), PATIENCE_SECONDS)
        if counting:
            counting.cancel()
            self.timeline.end_countdown()
        if not call:
            self.timeline.say('demo', 'no call for help reached the broker', ALERT)
            return
        episode.alarm = call.details.get('alarm', episode.alarm)
        episode.witnessed_ms = (call.boot_ns - episode.crossing_ns) / 1e6
        self.timeline.say(
            'witness', f'the call is here {episode.witnessed_ms / 1000:.3f} s after the strap sent its first '
            'dangerous reading, by the clocks of strap and broker client alone')
        await self.measure(episode)
        await self.answer(episode)

    async def measure(self, episode):
        """The gateway's own figures, which may come a moment after the call itself."""
        of_alarm = lambda e: e.get('alarm') in (None, episode.alarm)
        look = lambda kind: self.ledger.first('gateway', kind, episode.crossing_ns, of_alarm)
        if dispatch := await self.ledger.wait(lambda: look('dispatch'), 1):
            episode.dispatch_ms = dispatch.details.get('after_crossing_ms')
        if told := look('annunciated'):
            episode.annunciated_ms = told.details.get('after_confirmation_ms')

    async def answer(self, episode):
        await asyncio.sleep(1)   # a person reads before pressing
        self.timeline.say('service', 'Operator 7 takes the call', GOOD)
        await self.cast.accept(json.dumps({'alarm': episode.alarm, 'by': 'Operator 7, ambulance service'}))
        episode.accepted = bool(await self.ledger.wait(
            lambda: self.ledger.first('gateway', 'accepted', episode.crossing_ns), 2))
        if not episode.accepted:
            self.timeline.say('demo', 'the gateway did not notice within 2 s', ALERT)

    async def false_alarm(self):
        self.timeline.say('demo', 'the strap slips and reads too low; Maria is well and will cancel')
        episode, alarm = await self.cross(FAINT, lambda value: value <= LOW_BPM)
        self.false_alarms.append(episode)
        if not alarm:
            return
        counting = asyncio.create_task(self.count_down(alarm))
        await asyncio.sleep(1)
        self.timeline.say('Maria', 'presses cancel', GOOD)
        done = await self.cast.abort('Maria')
        aborted = await self.ledger.wait(
            lambda: self.ledger.first('gateway', 'aborted', episode.crossing_ns), 1)
        counting.cancel()
        self.timeline.end_countdown()
        episode.aborted = done and bool(aborted)
        if not episode.aborted:
            self.timeline.say('demo', 'the gateway did not confirm that it cancelled', ALERT)
        self.heart.turn(CALM)
        await self.keep_silent(episode)

    async def keep_silent(self, episode):
        left = SILENCE_SECONDS - (boot_ns() - episode.crossing_ns) / 1e9
        call = await self.ledger.wait(lambda: self.confirmed(episode), max(left, 0.1))
        if call:
            episode.witnessed_ms = (call.boot_ns - episode.crossing_ns) / 1e6
            self.timeline.say('witness', 'a call for help came all the same', ALERT)
        else:
            self.timeline.say(
                'witness', f'no call for help came, {SILENCE_SECONDS:.0f} s after the crossing', GOOD)

    def confirmed(self, episode):
        """The call as the broker has it; one that repeats an earlier alarm is not this one."""
        earlier = {e.alarm for e in self.emergencies + self.false_alarms if e is not episode}
        return self.ledger.first('broker', 'sos', episode.crossing_ns, lambda e: (
            e.get('state') == 'confirmed' and e.get('alarm') not in earlier))

    async def count_down(self, alarm):
        window_ms = alarm.details.get('abort_window_ms')
        if not isinstance(window_ms, (int, float)):
            return
        end_ns = alarm.boot_ns + window_ms * 1e6
        ended = lambda: any(self.ledger.first('gateway', kind, alarm.boot_ns) for kind in ENDS_COUNTDOWN)
        while (left := (end_ns - boot_ns()) / 1e9) > 0 and not ended():
            self.timeline.countdown(f'help is called in {left:.1f} s')
            await asyncio.sleep(TICK_SECONDS)
        self.timeline.end_countdown()


def bpm(event):
    """From the bytes of a Heart Rate Measurement with an 8-bit value."""
    return int(event.get('hex', '0000')[2:4], 16)
