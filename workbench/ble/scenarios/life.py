"""The script of a month in a person's life: her acts, the events around her, and the alarms that these must raise.

`month(seed)` draws the days from a deck, so the same seed gives the same month. The expected alarms follow from the
limits in the settings and from docs/installer/alarms.md, not from the gateway. `python3 -m
workbench.ble.scenarios.life` prints
the month.
"""
import collections
import dataclasses
import datetime
import random
from typing import Any

SEED, DAYS = 1931, 30
FIRST = datetime.datetime(2026, 3, 2, tzinfo=datetime.UTC)   # a Monday
DRILL_DAYS, DRILL_AT = 7, datetime.time(11)
EPOCH = datetime.date(1970, 1, 1)

CALM_EVERY_MS = 4_000   # the gateway reports a strap that is silent for 5 s
DOUBT_EVERY = 100   # a hundredth of the values is doubtful: flagged by the device, or against its own beats


def doubtful(bpm, beats):
    """Returns a rate with the intervals of another one."""
    return {'bpm': bpm, 'rr_ms': [60_000 / beats] * 3}


# At 4 s a value a doubtful one is never dangerous: the room is asked after 4 s without a better one.
CALM = [doubtful(55 + n % 40, 115 + n % 40) if n % DOUBT_EVERY == DOUBT_EVERY // 2 else {'bpm': 55 + n % 40}
        for n in range(400)]
FAST, SLOW, RUNNING, SPRINT = 150, 36, 155, 178
STRAP, FINGER, CUFF, EAR, SCALE, TAG, PENDANT = 'strap', 'finger', 'cuff', 'ear', 'scale', 'tag', 'pendant'


@dataclasses.dataclass(frozen=True)
class Alarm:
    """An expected alarm. `danger`: field and value that begin it."""
    cause: str
    danger: tuple | None = None
    ending: str = 'accepted'   # by the service; 'aborted' in time; 'resolved' in the house; 'accepted late'
    priority: str = 'high'
    breaks: bool = False       # the gateway is killed during the alarm

    @property
    def is_called(self):
        return self.ending != 'aborted'


@dataclasses.dataclass(frozen=True)
class Act:
    """`do`: a method of the player. `with_`: its arguments."""
    words: str
    do: str
    with_: dict = dataclasses.field(default_factory=dict)
    alarm: Alarm | None = None
    at: datetime.datetime | None = None


def act(words, do, alarm=None, **with_):
    return Act(words, do, with_, alarm)


def beats(bpm, seconds=20, before=()):
    return [*({'bpm': b} for b in before), *({'bpm': bpm} for _ in range(seconds))]


def oxygen(spo2, seconds=20):
    """Returns a calm minute, the dip, and a calm minute. It falls by 7 % a value at most, as in a body."""
    calm = [{'spo2': 96 + n % 2, 'pulse': 66} for n in range(60)]
    calm[30] = {'spo2': 72, 'pulse': 66, 'sensor': 1 << 4}   # a poor signal
    slope = [{'spo2': s, 'pulse': 72} for s in range(90, spo2 or 90, -4)]
    return [*calm, *slope, *({'spo2': spo2, 'pulse': 72} for _ in range(seconds)), *calm]


def pressure(systolic, diastolic):
    return {'systolic': systolic, 'diastolic': diastolic, 'map': (systolic + 2 * diastolic) // 3, 'pulse': 68}


HIGH = Alarm('heart-rate-high', ('bpm', FAST))
PRESSED, FELL = Alarm('sos-button'), Alarm('fall')
MEDIUM: dict[str, Any] = {'priority': 'medium'}


def other(alarm, **fields):
    return dataclasses.replace(alarm, **fields)


# Hour of the day, times in the month, act. No act lasts longer than its hour.
DECK = (
    (3, 2, act('her heart slows at night', 'beat', Alarm('heart-rate-low', ('bpm', SLOW)), values=beats(SLOW))),
    (3, 1, act('a tachycardia at night', 'beat', HIGH, values=beats(FAST))),
    (3, 1, act('bluetoothd dies at night', 'restart_bluetoothd')),
    (3, 1, act('the gateway is updated at night', 'restart_gateway')),
    (3, 1, act('the gateway dies at night', 'restart_gateway', kill=True)),
    (3, 1, act('the adapter is pulled out, and put back', 'replug')),
    (15, 2, act('a tachycardia', 'beat', HIGH, values=beats(FAST, 40, before=(95, 110, 125)))),
    (15, 1, act('a tachycardia, and nobody answers at first', 'beat', other(HIGH, ending='accepted late'),
                values=beats(FAST, 40))),
    (15, 1, act('a tachycardia, and her daughter is there', 'beat', other(HIGH, ending='resolved'),
                values=beats(FAST))),
    (15, 1, act('a tachycardia, and the gateway dies with the call under way', 'beat', other(HIGH, breaks=True),
                values=beats(FAST, 30))),
    (15, 2, act('she collapses where the radio ends', 'collapse', HIGH, values=beats(FAST, 1))),
    (15, 2, act('stairs, and she cancels', 'beat', other(HIGH, ending='aborted'), values=beats(FAST, 8))),
    # A single value: after two, the next reading at 1 Hz comes at the end of the 2 s that confirm a crossing.
    (15, 2, act('the strap counts beats that its own intervals contradict', 'beat',
                values=[*beats(70, 10), *(doubtful(190, 75) for _ in range(2)), *beats(74, 10)])),
    (15, 3, act('the strap slips: a beat that was none', 'beat', values=beats(200, 1))),
    (15, 4, act('a run, with its limits', 'run', values=beats(RUNNING, 60, before=(90, 110, 128)))),
    (15, 1, act('a run, and too fast for it', 'run', Alarm('heart-rate-high', ('bpm', SPRINT)),
                values=beats(SPRINT, before=(RUNNING,) * 30))),
    (15, 1, act('a run that nobody told the gateway of', 'beat', other(HIGH, ending='aborted'),
                values=beats(FAST, 120))),
    (18, 3, act('she takes the strap off and leaves it lying', 'lay_down', seconds=120)),
    (18, 2, act('the strap\'s battery runs down', 'run_down')),
    (18, 1, act('the strap hangs: linked, and silent', 'hang', seconds=60)),
    (18, 2, act('she falls', 'fall', FELL)),
    (18, 1, act('she drops the pendant, and cancels', 'fall', other(FELL, ending='aborted'))),
    (18, 2, act('she presses the button', 'press_tag', PRESSED)),
    (18, 1, act('the grandchild presses it, and she cancels', 'press_tag', other(PRESSED, ending='aborted'))),
    (20, 4, act('the oximeter for some minutes', 'oximeter', values=oxygen(96))),
    (20, 2, act('the finger slips out for some seconds', 'oximeter', values=oxygen(None, 5))),
    (20, 2, act('a desaturation', 'oximeter', Alarm('oxygen-saturation-low', ('spo2', 82)),
                values=oxygen(82))),
    (20, 2, act('a shallow one that lasts', 'oximeter', Alarm('oxygen-saturation-low-warning', ('spo2', 90), **MEDIUM),
                values=oxygen(90, 90))),
    (20, 2, act('a shallow one that passes', 'oximeter', values=oxygen(90, 30))),
    (20, 3, act('she feels warm and is not', 'measure', device=EAR, value={'celsius': 37.2})),
    (20, 2, act('a fever', 'measure', Alarm('body-temperature-high-warning', ('celsius', 39.4), **MEDIUM),
                device=EAR, value={'celsius': 39.4})),
    (21, 2, act('a pressure that has to be looked at', 'measure',
                Alarm('systolic-pressure-high-warning', ('systolic', 190), **MEDIUM),
                device=CUFF, value=pressure(190, 100))),
    (21, 1, act('a pressure that calls help', 'measure', Alarm('systolic-pressure-high', ('systolic', 226)),
                device=CUFF, value=pressure(226, 110))))


def month(seed=SEED):
    """Returns every act in the order of time."""
    chance = random.Random(seed)
    acts = []

    def on(day, hour, what):
        minute = chance.randrange(1, 40)
        acts.append(dataclasses.replace(what, at=FIRST + datetime.timedelta(days=day, hours=hour, minutes=minute)))

    for hour in sorted({hour for hour, _, _ in DECK}):
        cards = [card for at, count, card in DECK if at == hour for _ in range(count)]
        for day, card in zip(chance.sample(range(DAYS), len(cards)), cards, strict=True):
            on(day, hour, card)
    for day in range(DAYS):
        doubt = {'status': 1 << 2} if day == DAYS // 2 else {}   # an irregular pulse
        on(day, 7, act('the cuff in the morning', 'measure', device=CUFF,
                       value=pressure(chance.randrange(115, 150), chance.randrange(70, 92)) | doubt))
        if day % 2:
            on(day, 9, act('a walk, out of range', 'go_out', hours=1))
        if day % 3 == 0:
            on(day, 22, act('the strap is charged', 'charge', hours=3))
        if day % 7 == 6:
            on(day, 8, act('the scale on Sunday', 'measure', device=SCALE,
                           value={'kg': 70 + chance.randrange(40) / 20}))
        date = FIRST + datetime.timedelta(days=day)
        if (date.date() - EPOCH).days % DRILL_DAYS == 0:
            at = datetime.datetime.combine(date, DRILL_AT, date.tzinfo)
            acts.append(Act('the drill of the week', 'drill', {'at': at}, Alarm('drill'),
                            at - datetime.timedelta(minutes=1)))
    end = FIRST + datetime.timedelta(days=DAYS)
    return sorted((a for a in acts if a.at < end), key=lambda a: a.at)


if __name__ == '__main__':
    for one in month():
        print(f'{one.at:%a %d %b %H:%M}  {one.words:48}', one.alarm.cause if one.alarm else '')
    counts = collections.Counter(a.alarm.cause for a in month() if a.alarm)
    print(len(month()), 'acts,', sum(counts.values()), 'alarms:', dict(counts))
