"""The sentences of the room beside the facts, in each fault: none may be ahead.

The line of the console has the words of the voice. The page is that of a screen in the room, as the server gives it.
The facts are those of the witnesses: a call was given to a channel, a machine outside has it, a person has taken it.
"""
import contextlib
import html
import re
import threading
import time

from workbench.clock import boot_ns
from workbench.house import RACING, SHORT, NotSeen

# Seconds after the first dangerous reading.
QUICK, FULL = (1, 3, 5), (1, 3, 5, 10, 30)
SLACK_NS = 250_000_000   # until a witness has seen what the gateway knows: measured in tens of milliseconds
# Words of a sentence, and the fact that it claims. The first that fits counts.
CLAIMS = (
    ('knows already', 'noticed'), ('know already', 'noticed'), ('I called for help', 'arrived'),
    ('taken the call', 'taken'), ('I am calling for help', 'ordered'))


def claim(text):
    """Returns the fact that a sentence claims; empty where it promises nothing."""
    return next((fact for words, fact in CLAIMS if words in text), '')


def facts(house, since, until_ns):
    """Returns the facts of the alarm, as the witnesses had seen them at that instant."""
    seen = {fact(e) for e in list(house.seen[since:]) if e['seen_ns'] <= until_ns} - {''}
    # The order of a gateway that is killed reaches no reader of its feed. The call that it gave shows the order too.
    return seen | {'ordered'} if seen & {'arrived', 'taken'} else seen


def fact(event):
    """Returns the fact that an event shows; empty where it shows none."""
    source, name = event['source'], event['event']
    if source == 'feed':
        is_call = event.get('stage') == 'confirmed'
        return {
            'dispatch': 'ordered' if is_call else '', 'handed-over': '' if is_call else 'noticed',
            'accepted': 'taken'}.get(name, '')
    if source == 'broker':
        return {'confirmed': 'arrived', 'pending': 'noticed'}.get(event.get('state'), '')
    has_call = event.get('answered') if source == 'ambulance' else event.get('text', '').startswith('HELP NEEDED')
    return 'arrived' if has_call and source in ('ambulance', 'texts') else ''


def page_of(house):
    """Returns the sentences of the room's page; empty where no pages are served, or they do not answer."""
    if not getattr(house, 'cookies', None):
        return ''
    try:
        status, text = house.get('/', Cookie=house.cookies[0])
    except OSError:
        return ''
    main = text.split('<main', 1)[-1].split('>', 1)[-1] if status == 200 else ''
    return ' '.join(html.unescape(re.sub(r'<[^>]*>', ' ', main)).split())


class Sampler:
    """Takes the sentences of one episode at each of the moments, on a thread of its own."""

    def __init__(self, house, since, crossing_ns):
        self.house, self.since, self.crossing_ns = house, since, crossing_ns
        self.moments = FULL if house.pace.window > SHORT.window else QUICK
        self.samples, self.is_over = [], threading.Event()
        self.starts = house.starts
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self):
        for seconds in self.moments:
            due = self.crossing_ns + seconds * 1_000_000_000
            if self.is_over.wait(max(0, (due - boot_ns()) / 1e9)):
                return
            # The page first: a fact that comes in between makes the page no liar.
            page = page_of(self.house)
            at = boot_ns()
            lines = [e['text'].strip() for e in list(self.house.seen[self.since:])
                     if e['source'] == 'console' and e['seen_ns'] <= at]
            known = facts(self.house, self.since, at + SLACK_NS)
            self.samples.append({
                'seconds': seconds, 'voice': lines[-1] if lines else '', 'page': page, 'facts': sorted(known)})

    def last(self):
        """Waits until the last sample is there. The strap goes on: a silent one would lose its link."""
        end = time.monotonic() + self.moments[-1] + 30
        while self.thread.is_alive() and time.monotonic() < end:
            with contextlib.suppress(NotSeen):
                self.house.send(RACING)
            self.thread.join(timeout=1)

    def ahead(self):
        """Stops, and returns the sentences that were ahead of the facts, in words."""
        self.is_over.set()
        self.thread.join(timeout=15)
        found = []
        time.sleep(SLACK_NS / 1e9)
        # An order that was given in the moment of a kill reached no witness: the next gateway gives it again.
        again = facts(self.house, self.since, boot_ns()) & {'ordered'} if self.house.starts > self.starts else set()
        for sample in self.samples:
            at = self.crossing_ns + sample['seconds'] * 1_000_000_000
            # The witnesses may have been slower than the page: they have had their time by now.
            known = again | set(sample['facts']) | facts(self.house, self.since, at + 4 * SLACK_NS)
            found += [f'the {who} at {sample["seconds"]} s: "{sample[who][:120]}"' for who in ('voice', 'page')
                      if claim(sample[who]) and claim(sample[who]) not in known]
        for event in self.house.find(lambda e: e['source'] == 'console', self.since):
            wanted = claim(event['text'])
            known = again | facts(self.house, self.since, event['seen_ns'] + 4 * SLACK_NS)
            if wanted and wanted not in known:
                found.append(f'the voice: "{event["text"].strip()[:120]}"')
        return list(dict.fromkeys(found))


def short(text):
    """Returns the part of a sentence that speaks of help."""
    for words in (
            'Help will be called', 'I am calling for help', 'I called for help', 'I cannot reach help yet',
            'I cannot call anybody', 'Nobody is called', 'has taken the call', 'or help will be called',
            'The alarm is over', 'is over', 'Nobody outside'):
        if words in text:
            return words
    return text[:40] or '-'


def cell(samples):
    """Returns the samples of a fault in one cell of the table."""
    return '<br>'.join(
        f'{s["seconds"]} s: voice "{short(s["voice"])}", page "{short(s["page"])}" '
        f'({", ".join(s["facts"]) or "nothing yet"})'
        for s in samples) or '-'
