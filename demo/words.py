"""Each event in plain words. What is unknown is shown as it came; what is missing is left out."""
from timeline import ALERT, GOOD

NAMES = {'maria': "Maria's"}


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


# What the strap says. The reading itself is said where it is sent from.
STRAP = {
    'discovering': ('the gateway is looking for wearables', None),
    'connected': ('the gateway has connected', None),
    'subscribed': ('the gateway listens to my heart rate', None),
    'disconnected': ('the connection is gone', ALERT)}


def strap(event, timeline):
    if event.get('event') == 'subscribed' and event.get('characteristic') != '2a37':
        return
    if event.get('event') == 'sent':
        raw = bytes.fromhex(event.get('hex', ''))
        timeline.say('strap', f'sends {raw[1]} bpm' if len(raw) > 1 else 'sends something')
    elif event.get('event') == 'dropped':
        timeline.say('strap', f'a reading went nowhere: {event.get("reason")}', ALERT)
    elif event.get('event') == 'error':
        timeline.say('strap', event.get('message', 'an error'), ALERT)
    elif event.get('event') in STRAP:
        timeline.say('strap', *STRAP[event['event']])


GATEWAY = {
    'crossing': lambda e: (
        f'{whose(e)} {rule(e)} limit of {number(e.get("limit"))} is crossed: {number(e.get("value"))}',
        ALERT),
    'recovered': lambda e: (f'{whose(e)} {rule(e)} is back inside its limit', GOOD),
    'alarm': lambda e: (
        f'ALARM: confirmed {seconds(e.get("confirmed_after_ms"))} after the crossing; help is called in '
        f'{seconds(e.get("abort_window_ms"))} unless somebody cancels', ALERT),
    'annunciated': lambda e: (
        f'the house is told, {number(e.get("after_confirmation_ms"))} ms after the confirmation '
        '(limit 250 ms)', None),
    'dispatch': lambda e: (
        f'HELP IS CALLED over {e.get("channel", "a channel")}, {seconds(e.get("after_crossing_ms"))} '
        f'after the crossing (limit 5 s); to {place(e.get("location"))}', ALERT),
    'handed-over': lambda e: (
        f'{e.get("channel", "the channel")} has the call, {seconds(e.get("after_crossing_ms"))} after '
        'the crossing', None),
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
    'status': lambda e: (str(e.get('text', '')), None)}
# Said by others already, or too often to be read.
GATEWAY_SILENT = frozenset({'reading'})
ENDS_COUNTDOWN = frozenset({'dispatch', 'aborted', 'resolved'})


def gateway(event, timeline, ledger):
    kind = event.get('event', 'unknown')
    if kind in ENDS_COUNTDOWN:
        timeline.end_countdown()
    if kind in GATEWAY:
        timeline.say('gateway', *GATEWAY[kind](event))
    elif kind == 'position':
        if sum(s.source == 'gateway' and s.kind == 'position' for s in ledger.seen) == 1:
            timeline.say('gateway', f'knows where it is: {place(event)}')
    elif kind not in GATEWAY_SILENT:
        details = ', '.join(
            f'{key} {value}' for key, value in event.items() if key not in ('at', 'boot_ns', 'event'))
        timeline.say('gateway', f'{kind}: {details}')


def broker(seen, timeline, ledger):
    event = seen.details
    if seen.kind == 'sample':
        if event.get('kind') == 'heart-rate' and len(ledger.samples) == 1:
            timeline.say(
                'broker', f'has the first reading: {whose(event)} heart rate, {number(event.get("value"))}; '
                'the others follow, counted at the end')
    elif seen.kind == 'sos':
        timeline.say('broker', f'the ambulance service reads: {event.get("state", "?")}', ALERT)
    elif seen.kind == 'status':
        # Sent again with each change of condition, which the gateway tells itself.
        states = [s.details.get('state') for s in ledger.seen if s.source == seen.source and s.kind == 'status']
        if len(states) < 2 or states[-1] != states[-2]:
            timeline.say('broker', f'the gateway is {event.get("state", "here")}')


def tell(timeline, ledger, seen):
    try:
        if seen.source == 'strap':
            strap(seen.details, timeline)
        elif seen.source == 'gateway':
            gateway(seen.details, timeline, ledger)
        else:
            broker(seen, timeline, ledger)
    except (TypeError, ValueError, KeyError) as surprise:
        # An event of another shape than expected is worth a line, not the end of the demo.
        timeline.say('demo', f'cannot read an event of the {seen.source}: {surprise!r} in {seen.details}')
