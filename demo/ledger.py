"""What was seen, by whom, and when: the one memory of the run, and where the story waits on it."""
import asyncio
from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Seen:
    source: str   # strap, gateway, or broker
    kind: str   # the event's name; for the broker: sample, sos, accepted, status
    boot_ns: int   # when it happened, on CLOCK_BOOTTIME
    details: dict


@dataclass
class Ledger:
    seen: list[Seen] = field(default_factory=list)
    sent: int = 0   # readings that the strap notified
    samples: Counter = field(default_factory=Counter)   # heart rates by id, as the broker had them
    others: Counter = field(default_factory=Counter)   # what else a notification brings: RR intervals
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, seen):
        self.seen.append(seen)
        if seen.source == 'strap' and seen.kind == 'sent':
            self.sent += 1
        if seen.source == 'broker' and seen.kind == 'sample':
            counter = self.samples if seen.details.get('kind') == 'heart-rate' else self.others
            counter[seen.details.get('id')] += 1
        self.changed.set()

    def first(self, source, kind, after_ns=0, matches=lambda details: True):
        return next((
            s for s in self.seen
            if s.source == source and s.kind == kind and s.boot_ns >= after_ns and matches(s.details)), None)

    async def wait(self, look, seconds):
        """What `look` finds, as soon as it finds something; None when the time is over."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := look()):
                    self.changed.clear()
                    await self.changed.wait()
                return found
        except TimeoutError:
            return None

    @property
    def missing(self):
        return max(0, self.sent - len(self.samples))

    @property
    def doubled(self):
        return sum(c.total() - len(c) for c in (self.samples, self.others))
