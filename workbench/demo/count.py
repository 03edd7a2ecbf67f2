"""Each reading counted twice: as a wearable sent it, and as the subscriber at the broker received it."""
from collections import Counter
from dataclasses import dataclass

from workbench.demo.wearables import READINGS


@dataclass(frozen=True)
class Row:
    """One kind of reading of one wearable."""
    device: str
    kind: str
    sent: int
    arrived: int   # messages, those that came twice included
    missing: int   # sent, and no message with that value is there
    doubled: int   # surplus messages: repeated ones, and values that were not sent


class Count:
    """By device, kind and value: a lost reading is not made up for by another that came twice."""

    def __init__(self, ledger):
        self.dropped = len(ledger.all('wearables', 'dropped'))   # measured while nobody listened
        self.sent = Counter(
            (s.details['id'], kind, round(value, 3))
            for s in ledger.all('wearables', 'sent')
            for kind, value in READINGS[s.details['id']](s.details['value']))
        samples = [s.details for s in ledger.all('broker', 'sample')]
        self.arrived = Counter((e.get('device'), e.get('kind'), value_of(e)) for e in samples)
        # Told from a second reading of the same value by the contract's id, which stays the same.
        self.ids = Counter(e.get('id') for e in samples)

    @property
    def rows(self):
        names = dict.fromkeys((device, kind) for device, kind, _ in [*self.sent, *self.arrived])
        return [self.row(*name) for name in names]

    def row(self, device, kind):
        def of_this(counter):
            return sum(n for key, n in counter.items() if key[:2] == (device, kind))
        return Row(
            device, kind, of_this(self.sent), of_this(self.arrived),
            of_this(self.sent - self.arrived), of_this(self.arrived - self.sent))

    @property
    def missing(self):
        return (self.sent - self.arrived).total()

    @property
    def doubled(self):
        """Of the two ways to see it, by value and by id, the one that sees more."""
        return max((self.arrived - self.sent).total(), self.ids.total() - len(self.ids))


def value_of(event):
    value = event.get('value')
    return round(value, 3) if isinstance(value, (int, float)) else value
