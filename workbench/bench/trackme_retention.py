"""Room of a house's readings in the cloud half, and the time of their packing beside their arrival.

    python3 -m workbench.bench.trackme_retention --bench PROGRAM [--days 100] [--raw-days 7] [--postgres]
        [--random-ids] [--series 20000]

The program writes readings of five series at 1 Hz through the real store, an hour after the other, with the packing
and removal of the server after each. The room is that of the whole database; PostgreSQL gets a plain VACUUM each
hour, as autovacuum does it, and never VACUUM FULL. Then 20,000 series live through 26 hours. Ends with 0 when an ID
takes 10 bytes at the most, the database of 100 days 200 MB, and each series had its turn. Of fewer days the room of
100 is computed, marked as such, and not judged.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from workbench.parts.interruption import unwind_on_signals
from workbench.parts.postgres import Single

GOAL_ID_BYTES, GOAL_MB, GOAL_DAYS = 10.0, 200.0, 100


def run(words: list[str]) -> str:
    """Returns the lines of the program, which are also printed."""
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, text=True)
    print(done.stdout, flush=True)
    if done.returncode:
        raise SystemExit(f'{words[0]} ended with {done.returncode}')
    return done.stdout


def measure(bench: pathlib.Path, postgres: bool, words: list[str]) -> str:
    """Runs the program on an empty database of its own."""
    if not postgres:
        with tempfile.TemporaryDirectory() as directory:
            return run([str(bench), '--sqlite', f'{directory}/trackme.sqlite', *words])
    database = Single()
    database.start()
    try:
        return run([str(bench), '--postgres', database.address, *words])
    finally:
        database.stop()


def judge(text: str, days: int) -> bool:
    """Prints each goal beside its figure; whether all are met."""
    is_kept = True
    found = re.search(r'an ID without its reading: ([\d.]+) bytes', text)
    if found:
        is_met = float(found[1]) <= GOAL_ID_BYTES
        is_kept = is_met
        print(f'{"kept" if is_met else "BROKEN":8}an ID in {GOAL_ID_BYTES:.0f} bytes: {found[1]}')
    found = re.search(r'in all: ([\d.]+) MB', text)
    if found and days == GOAL_DAYS:
        is_met = float(found[1]) <= GOAL_MB
        is_kept = is_kept and is_met
        print(f'{"kept" if is_met else "BROKEN":8}{GOAL_DAYS} days in {GOAL_MB:.0f} MB: {found[1]}')
    return is_kept


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.bench.trackme_retention', description=__doc__.splitlines()[0])
    parser.add_argument('--bench', required=True, type=pathlib.Path)
    parser.add_argument('--days', default=GOAL_DAYS, type=int)
    parser.add_argument(
        '--raw-days', default=7, type=int, help='days for which readings are kept, fewer for a short run')
    parser.add_argument('--series', default=20_000, type=int, help='series with retention on; 0 for none')
    parser.add_argument('--postgres', action='store_true')
    parser.add_argument('--random-ids', action='store_true')
    arguments = parser.parse_args()
    unwind_on_signals()
    words = ['--days', str(arguments.days), '--raw-days', str(arguments.raw_days)]
    if arguments.random_ids:
        words.append('--random-ids')
    is_kept = judge(measure(arguments.bench, arguments.postgres, words), arguments.days)
    if arguments.series:
        measure(arguments.bench, arguments.postgres, ['--series', str(arguments.series)])
    return 0 if is_kept else 1


if __name__ == '__main__':
    sys.exit(main())
