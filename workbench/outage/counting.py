"""Owed readings, arrived readings, and the difference."""
from collections import Counter

# A killed gateway loses the readings of its last milliseconds, which it has not written; more on a busy machine.
DURABLE_NS = 100_000_000
HEADER = (f'{"outage":38} {"times":>5} {"owed":>7} {"came":>7} {"missing":>7} {"again":>6} {"doubled":>7}   '
          'came of what was too young at a death')


class Count:
    """One row of the table."""

    def __init__(self, name):
        self.name, self.times, self.owed, self.came, self.doubled = name, 0, 0, 0, 0
        self.missing, self.again, self.last_owed, self.last_came = set(), 0, 0, 0
        self.why = []

    def settle(self, house, deaths=(), gapped=0, durable_ns=DURABLE_NS):
        """Computes the row.

        `deaths`: instants at which a gateway was killed. `gapped`: number of readings in gap records. `durable_ns`:
        allowed duration until a reading is safe from this kind of death.
        """
        heard, samples = house.heard(), house.came()
        times = Counter(e['id'] for e in samples)
        last = {e['id'] for e in heard if any(0 <= at - e['boot_ns'] < durable_ns for at in deaths)}
        owed = {e['id'] for e in heard} - last
        self.owed, self.came = len(owed), len(times)
        self.missing = owed - set(times)
        self.again = sum(times.values()) - len(times)
        self.last_owed, self.last_came = len(last), len(last & set(times))
        # One reading under two ids would be two readings for a consumer that keeps one of each id.
        readings = Counter((e['device'], e['kind'], e['received'], e['value']) for e in {
            e['id']: e for e in samples}.values())
        self.doubled = sum(readings.values()) - len(readings)
        if len(self.missing) > gapped:
            self.why.append(f'{len(self.missing)} of {self.owed} missing')
        if self.doubled:
            self.why.append(f'{self.doubled} doubled')
        if not self.owed:
            self.why.append('nothing was owed: the row proves nothing')
        return self

    @property
    def is_kept(self):
        return not self.why

    def __str__(self):
        last = f'{self.last_came} of {self.last_owed}' if self.last_owed else '-'
        return (f'{self.name:38} {self.times:5} {self.owed:7} {self.came:7} {len(self.missing):7} {self.again:6} '
                f'{self.doubled:7}   {last}{"   BROKEN" if self.why else ""}')
