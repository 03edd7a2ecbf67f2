"""Each event in plain words. An unknown event is shown as it came; missing members are left out."""
from workbench.demo.demo_settings import AMBULANCE
from workbench.demo.timeline import ALERT, GOOD
from workbench.demo.wearables import CUFF, MEASUREMENTS, OXIMETER, STRAP, THERMOMETER
from workbench.gateway_settings import HIGH_BPM, LOW_BPM

NAMES = {'maria': "Maria's"}
# Number of values of one wearable for each line of output; a dangerous value is always shown.
REPEATED_EVERY = 5


def number(value, digits=0):
    return f'{value:.{digits}f}' if isinstance(value, (int, float)) else '?'


def seconds(milliseconds):
    return f'{number(milliseconds / 1000, 3)} s' if isinstance(milliseconds, (int, float)) else '? s'


def whose(event):
    person = event.get('person', 'somebody')
    return NAMES.get(person, f"{person}'s")


def rule(event):
    return str(event.get('rule', 'rule')).replace('-', ' ').replace('_', ' ')


def place(location):
    if not isinstance(location, dict):
        return 'no location'
    age = location.get('age_seconds')
    sort = [location['source']] if 'source' in location else []
    sort += [f'{number(age, 1)} s old'] if age is not None else []
    behind = f' ({", ".join(sort)})' if sort else ''
    if location.get('address'):
        return location['address'] + behind
    return f'{number(location.get("latitude"), 5)}, {number(location.get("longitude"), 5)}{behind}'


# ---- the wearables -------------------------------------------------------------------

SENT = {
    STRAP: lambda value: f'{value["bpm"]} beats a minute',
    OXIMETER: lambda value: f'oxygen {value["spo2"]} %, pulse {value["pulse"]}',
    CUFF: lambda value: f'blood pressure {value["systolic"]} to {value["diastolic"]} mmHg',
    THERMOMETER: lambda value: f'{value["celsius"]} °C'}
LINK = {
    'disconnected': ('the connection is gone', ALERT),
    'unsubscribed': ('the gateway listens no more', ALERT)}


def is_dangerous(value):
    pulse = value.get('bpm', value.get('pulse', LOW_BPM + 1))
    return not LOW_BPM < pulse < HIGH_BPM


def wearables(event, timeline, ledger):
    kind, device = event.get('event'), event.get('id')
    if kind == 'discovering':
        timeline.say('bluez', 'the gateway is looking for wearables')
    elif kind == 'subscribed' and event.get('characteristic') == MEASUREMENTS[device]:
        timeline.say(device, 'the gateway listens to me')
    elif kind == 'sent':
        times = sum(s.details.get('id') == device for s in ledger.all('wearables', 'sent'))
        danger = is_dangerous(event['value'])
        if danger or times % REPEATED_EVERY == 1:
            said = SENT.get(device, lambda _: 'pressed')(event['value'])
            timeline.say(device, said, ALERT if danger else None)
    elif kind == 'dropped':
        timeline.say(device, f'a reading went nowhere: {event.get("reason")}', ALERT)
    elif kind == 'error':
        timeline.say('bluez', event.get('message', 'an error'), ALERT)
    elif kind in LINK and event.get('characteristic') in (None, MEASUREMENTS[device]):
        timeline.say(device, *LINK[kind])


# ---- the gateway ---------------------------------------------------------------------

def alarm(event):
    if 'abort_window_ms' not in event:
        return 'ALARM again: nobody has taken the call yet', ALERT
    after = event.get('confirmed_after_ms')
    reason = f'confirmed {seconds(after)} after the crossing' if after else rule(event)
    return f'ALARM: {reason}; help is called in {seconds(event["abort_window_ms"])} unless somebody cancels', ALERT


GATEWAY = {
    'crossing': lambda e: (
        f'{whose(e)} {rule(e)} limit of {number(e.get("limit"))} is crossed: {number(e.get("value"))}'
        + (f' at the {e["device"]}' if 'device' in e else ''), ALERT),
    'recovered': lambda e: (f'{whose(e)} {rule(e)} is back inside its limit', GOOD),
    'alarm': alarm,
    'annunciated': lambda e: (
        f'the house is told, {number(e.get("after_confirmation_ms"))} ms after the confirmation '
        '(limit 250 ms)', None),
    'dispatch': lambda e: (
        f'HELP IS CALLED over {e.get("channel", "a channel")}, {seconds(e.get("after_crossing_ms"))} '
        f'after it began (limit 5 s); to {place(e.get("location"))}', ALERT),
    'handed-over': lambda e: (
        f'{"the ambulance service" if e.get("channel") == AMBULANCE else "the broker"} has the call, '
        f'{seconds(e.get("after_crossing_ms"))} after it began', None),
    'accepted': lambda e: (f'accepted by {e.get("by", "somebody")}', GOOD),
    'aborted': lambda e: (
        f'cancelled by {e.get("by", "somebody")}'
        + (', before anybody outside was told' if e.get('before_dispatch') else ''), GOOD),
    'cancelled': lambda e: (f'the cancellation went out over {e.get("channel", "a channel")}', None),
    'resolved': lambda e: ('the alarm is over', GOOD),
    'health': lambda e: (
        f'{"trouble" if e.get("raised", True) else "mended"}: {e.get("title", e.get("code", "?"))}'
        + (f' ({e["subject"]})' if e.get('subject') else ''),
        ALERT if e.get('raised', True) else GOOD),
    'open-alarm': lambda e: (str(e.get('text', '')), ALERT),
    'status': lambda e: (str(e.get('text', '')), None)}
# Reported by another source already, or too frequent.
GATEWAY_SILENT = frozenset({'reading', 'no-open-alarm'})
ENDS_COUNTDOWN = frozenset({'dispatch', 'aborted', 'resolved'})


def gateway(event, timeline, ledger):
    kind = event.get('event', 'unknown')
    if kind in ENDS_COUNTDOWN:
        timeline.end_countdown()
    if kind == 'health' and not ledger.has_begun:
        return   # conditions of the start: no part is connected yet
    if kind in GATEWAY:
        timeline.say('gateway', *GATEWAY[kind](event))
    elif kind == 'position':
        if len(ledger.all('gateway', 'position')) == 1:
            timeline.say('gateway', f'knows where it is: {place(event)}')
    elif kind not in GATEWAY_SILENT:
        details = ', '.join(
            f'{key} {value}' for key, value in event.items() if key not in ('at', 'boot_ns', 'event'))
        timeline.say('gateway', f'{kind}: {details}')


# ---- the witness at the broker -------------------------------------------------------

def call(event):
    cause = event.get('cause')
    words = [
        event.get('state', '?'), (event.get('profile') or {}).get('name'),
        rule(cause) if isinstance(cause, dict) else None]
    where = place(event['location']) if 'location' in event else None
    return ', '.join(word for word in [*words, where] if word)


def broker(seen, timeline, ledger):
    event = seen.details
    if seen.kind == 'sample':
        def same(e):
            return (e.get('device'), e.get('kind')) == (event.get('device'), event.get('kind'))
        if ledger.first('broker', 'sample', 0, same) is seen:
            timeline.say(
                'witness', f'has {whose(event)} first {event.get("kind", "reading")} from the {event.get("device")}: '
                f'{number(event.get("value"), 1).removesuffix(".0")} {event.get("unit", "")}')
    elif seen.kind == 'sos':
        timeline.say('witness', f'the ambulance service reads: {call(event)}', ALERT)
    elif seen.kind == 'status':
        # Repeated with each change of a condition; the gateway's own feed reports those.
        states = [s.details.get('state') for s in ledger.all(seen.source, 'status')]
        if len(states) < 2 or states[-1] != states[-2]:
            timeline.say('witness', f'the gateway is {event.get("state", "here")}')


# ---- the ambulance service -----------------------------------------------------------

CAP_WORDS = {
    'Alert': 'a call has come', 'Update': 'the call has come again', 'Cancel': 'is told that the call no longer holds'}


def ambulance(event, timeline):
    problem = event.get('problem')
    what = CAP_WORDS.get(event.get('msgType'), str(event.get('msgType')))
    timeline.say('ambulance', f'{what}; {f"NOT CAP 1.2: {problem}" if problem else "valid CAP 1.2"}', ALERT)


def tell(timeline, ledger, seen):
    try:
        if seen.source == 'wearables':
            wearables(seen.details, timeline, ledger)
        elif seen.source == 'gateway':
            gateway(seen.details, timeline, ledger)
        elif seen.source == 'ambulance':
            ambulance(seen.details, timeline)
        else:
            broker(seen, timeline, ledger)
    except (TypeError, ValueError, KeyError) as surprise:
        # An event of an unexpected form gives a line of output and does not end the demo.
        timeline.say('demo', f'cannot read an event of the {seen.source}: {surprise!r} in {seen.details}')
