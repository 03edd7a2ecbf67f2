"""Nothing lost, nothing doubled: the real daemon under outages, counted by a consumer. Needs root.

    python3 -m workbench.outage [--quick] [--gateway PROGRAM] [--only WORD]

Each row is a house of its own. Owed are the readings that the gateway's own feed reported early enough for its disk
(see `counting`); these must arrive at a consumer of the broker. Ends with 0 when no row misses or doubles a reading.
"""
import argparse
import os
import pathlib
import sys

from workbench.outage.counting import HEADER, Count
from workbench.outage.outages import OUTAGES
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.outage', description=__doc__.splitlines()[0])
    parser.add_argument('--quick', action='store_true', help='a tenth of the kills')
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--only', default='', help='the rows with this in their name')
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        parser.error('it mounts disks and makes networks: run it as root')
    unwind_on_signals()
    print(HEADER, flush=True)
    rows = []
    for name, play in OUTAGES:
        if arguments.only in name:
            rows.append(play(arguments.gateway, Count(name), arguments.quick))
            print(rows[-1], flush=True)
    if not rows:
        parser.error(f'no row has {arguments.only!r} in its name')
    broken = [row for row in rows if not row.is_kept]
    print(f'\n{len(rows)} outages, {sum(row.owed for row in rows)} readings owed, '
          f'{sum(len(row.missing) for row in rows)} missing, {sum(row.doubled for row in rows)} doubled')
    for row in broken:
        print(f'BROKEN {row.name}: {"; ".join(row.why)}')
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(main())
