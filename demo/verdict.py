"""The end of the demo: a short summary, and in plain sentences what was not as promised."""
from story import DISPATCH_LIMIT_SECONDS
from timeline import ALERT, GOOD

ALARM_LIMIT_MS = 250


def in_seconds(milliseconds):
    return 'not seen' if milliseconds is None else f'{milliseconds / 1000:.3f} s'


def complaints(ledger, story):
    """Empty when all went as promised."""
    found = []
    if not story.emergencies or not story.false_alarms:
        found.append('The story did not get to its end.')
    for episode in story.emergencies:
        if episode.witnessed_ms is None:
            found.append('A dangerous heart rate led to no call for help on the broker.')
        elif episode.witnessed_ms > DISPATCH_LIMIT_SECONDS * 1000:
            found.append(
                f'The call for help took {in_seconds(episode.witnessed_ms)}; promised are '
                f'{DISPATCH_LIMIT_SECONDS:.1f} s.')
    for episode in story.false_alarms:
        if not episode.aborted:
            found.append('The second alarm was not cancelled.')
        if episode.witnessed_ms is not None:
            found.append('A call for help went out although Maria had cancelled.')
    return found + complaints_about_samples(ledger)


def complaints_about_samples(ledger):
    if not ledger.samples:
        return ['No reading reached the broker.']
    found = []
    if ledger.missing:
        found.append(f'{ledger.missing} of {ledger.sent} readings did not reach the broker.')
    if ledger.doubled:
        found.append(f'{ledger.doubled} readings reached the broker more than once.')
    return found


def summary(timeline, ledger, story):
    timeline.plain()
    timeline.plain('Summary')
    timeline.plain(
        f'  readings     {ledger.sent} heart rates sent by the strap; on the broker {len(ledger.samples)} by their '
        f'ids, {ledger.missing} missing, {ledger.doubled} doubled; RR intervals beside them: {len(ledger.others)}')
    for episode in story.emergencies:
        told = episode.annunciated_ms
        timeline.plain(
            f'  emergency    alarm {in_seconds(episode.alarm_ms)} after the crossing; in the house '
            f'{"not seen" if told is None else f"{told:.0f} ms"} after its confirmation '
            f'(limit {ALARM_LIMIT_MS} ms{", MISSED" if (told or 0) > ALARM_LIMIT_MS else ""})')
        timeline.plain(
            f'               help called after {in_seconds(episode.dispatch_ms)} by the gateway, '
            f'{in_seconds(episode.witnessed_ms)} by the witness (limit {DISPATCH_LIMIT_SECONDS:.3f} s); '
            f'{"accepted" if episode.accepted else "not accepted"}')
    for episode in story.false_alarms:
        timeline.plain(
            f'  false alarm  alarm {in_seconds(episode.alarm_ms)} after the crossing; '
            f'{"cancelled" if episode.aborted else "NOT cancelled"}, '
            f'{"no call went out" if episode.witnessed_ms is None else "A CALL WENT OUT"}')


def judge(timeline, ledger, story):
    """Prints it. True when all went as promised."""
    found = complaints(ledger, story)
    for sentence in found:
        timeline.plain(timeline.paint(f'  {sentence}', ALERT))
    if not found:
        timeline.plain(timeline.paint('  All as promised.', GOOD))
    return not found
