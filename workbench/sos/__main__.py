"""The 5-second promise of the real daemon under every fault of this package, as a table. Needs root.

    python3 -m workbench.sos [--quick] [--gateway PROGRAM] [--only WORD]

Ends with 0 when every rule was kept; else the last lines say which were broken. A fault with times above a limit is
measured again where a bare timer beside it was late as well: then the machine was late, and the table shows by how
much. A fault with another broken rule is played once more, alone, and the table tells of both; a lost or a doubled
call stays broken.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import threading

from workbench.house import ORDINARY, SHORT
from workbench.parts.child import Child
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM, program
from workbench.sos import table
from workbench.sos.channels import FAULTS as CHANNEL_FAULTS
from workbench.sos.channels import TELLING
from workbench.sos.episode import Episode
from workbench.sos.faults import FAULTS, Run
from workbench.sos.result import Result

REPEATS = 2
SIDE_BY_SIDE = 3   # houses at a time: each waits most of the time
LIMIT_SECONDS = 400   # for one fault; far more than any takes
COUNT = {'quick': 4, 'full': 5}


class Control:
    """The bare timer. `worst_ms`: its largest delay between two instants."""

    def __init__(self):
        self.child = Child(program('sos.bare_timer'), stdout=subprocess.PIPE)
        self.late: list[tuple[int, ...]] = []
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        for line in self.child.stdout:
            self.late.append(tuple(map(int, line.split())))

    def worst_ms(self, begin_ns, end_ns):
        return max((late / 1e6 for due, late in self.late if begin_ns <= due <= end_ns), default=0)

    def stop(self):
        self.child.kill()


def play_here(name, quick, gateway):
    """Plays a fault in this process, and prints its result as JSON."""
    unwind_on_signals()
    play = next(play for each, play, _ in FAULTS if each == name)
    run = Run(gateway, SHORT if quick else ORDINARY, COUNT['quick' if quick else 'full'])
    print(json.dumps(dataclasses.asdict(play(run))), flush=True)
    os._exit(0)   # readers of pipes may still wait


def play_apart(name, arguments):
    command = [*program('sos'), '--play', name, '--gateway', str(arguments.gateway)]
    if arguments.quick:
        command.append('--quick')
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return Result(broken=[f'did not end within {LIMIT_SECONDS} s'])
    try:
        found = json.loads(ended.stdout)
    except ValueError:
        return Result(broken=[(ended.stderr.strip().splitlines() or ['it ended without a word'])[-1]])
    found['episodes'] = [Episode(**episode) for episode in found['episodes']]
    return Result(**found)


def measure(name, arguments, control):
    """Measures a fault, and again while the machine, and not the gateway, was late."""
    for repeat in range(REPEATS + 1):
        row = table.Row(name, play_apart(name, arguments), control.worst_ms, repeat)
        if not row.is_machines_fault:
            break
        print(f'{name}: the machine was late (a bare timer: {row.control_ms:.0f} ms), once more', file=sys.stderr)
    print(f'{name}: {row.verdict}', file=sys.stderr, flush=True)
    return row


def measure_all(arguments, control):
    left_out = {name for name, _ in CHANNEL_FAULTS} - TELLING if arguments.quick and not arguments.only else set()
    chosen = [(name, alone) for name, _, alone in FAULTS if arguments.only in name and name not in left_out]
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        rows = list(pool.map(lambda name: measure(name, arguments, control), [n for n, alone in chosen if not alone]))
    rows += [measure(name, arguments, control) for name, alone in chosen if alone]
    return [again(row, arguments, control) if row.may_be_repeated else row for row in rows]


def again(row, arguments, control):
    """Plays a fault once more, alone, and returns its new row with what was broken before."""
    new = measure(row.name, arguments, control)
    new.result.remarks.append(f'the first time: {"; ".join(row.wrong)}')
    return new


def main():
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.sos', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--quick', action='store_true', help='short windows and few episodes: under 4 minutes')
    parser.add_argument('--gateway', type=pathlib.Path, default=GATEWAY_PROGRAM, metavar='PROGRAM')
    parser.add_argument('--only', default='', metavar='WORD', help='the faults with this word in their names')
    parser.add_argument('--play', help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit('It mounts, freezes and kills, and needs root for that: sudo make e2e-sos')
    if not arguments.gateway.is_file():
        sys.exit(f'There is no gateway at {arguments.gateway}. Build it first: make build')
    arguments.gateway = arguments.gateway.resolve()
    if arguments.play:
        return play_here(arguments.play, arguments.quick, arguments.gateway)
    control = Control()
    try:
        rows = measure_all(arguments, control)
    finally:
        control.stop()
    print(table.text(rows))
    for row in rows:
        if not row.is_kept:
            print(f'{row.name}: {row.verdict}')
    return 0 if rows and all(row.is_kept for row in rows) else 1


if __name__ == '__main__':
    sys.exit(main())
