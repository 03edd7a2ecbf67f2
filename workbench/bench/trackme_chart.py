"""Time of the pages of a person's data out of 90 days of readings.

    python3 -m workbench.bench.trackme_chart --trackme PROGRAM [--pages 200]

The server on a database with 7 days of readings, 90 days of minutes and 400 days of hours of five kinds, and one reader
after another on this machine. No broker: nothing arrives meanwhile. Ends with 0 when the page of 90 days keeps the
goal.
"""
import argparse
import pathlib
import sqlite3
import sys
import tempfile
import time

from workbench.parts.interruption import unwind_on_signals
from workbench.parts.port import free_port
from workbench.quantiles import quantile
from workbench.trackme.server import TrackMe, Visitor

USER, PASSWORD = 'anna', 'a lamp, two rivers, no moon'
KINDS = ('heart-rate', 'rr-interval', 'oxygen-saturation', 'respiration-rate', 'body-temperature')
# One in 10 s, as docs/integrator/scale.md counts a house.
READINGS_A_MINUTE = 6
RAW_DAYS, MINUTE_DAYS, HOUR_DAYS = 7, 90, 400
PAGES = ('?span=day', '?span=week', '?span=month', '?span=quarter', '/house')
GOAL_MS = 150


def fill(database: sqlite3.Connection, now_ms: int) -> None:
    """Writes the rows that the intake would have written."""
    database.execute("INSERT INTO link (account, gateway, person, request, state, asked) VALUES "
                     "(1, 'house-12', 'maria', 'link-bench', 'linked', ?)", (now_ms,))
    for number, kind in enumerate(KINDS, 1):
        database.execute('INSERT INTO series (id, gateway, person, kind, device) '
                         "VALUES (?, 'house-12', 'maria', ?, 'strap')", (number, kind))
        database.execute('INSERT INTO latest (series, time, value) VALUES (?, ?, 70)', (number, now_ms))
        minute, hour = now_ms // 60_000, now_ms // 3_600_000
        database.executemany(
            'INSERT INTO minute (series, minute, count, sum, min, max) VALUES (?, ?, ?, ?, ?, ?)',
            ((number, minute - ago, READINGS_A_MINUTE, 420.0 + ago % 60, 60.0, 80.0 + ago % 7)
             for ago in range(MINUTE_DAYS * 1_440)))
        database.executemany(
            'INSERT INTO hour (series, hour, count, sum, min, max) VALUES (?, ?, ?, ?, ?, ?)',
            ((number, hour - ago, 60 * READINGS_A_MINUTE, 25_200.0, 60.0, 80.0) for ago in range(HOUR_DAYS * 24)))
        seconds = 60 // READINGS_A_MINUTE
        database.executemany(
            'INSERT INTO sample (series, id, time, value, flags) VALUES (?, ?, ?, 70, 0)',
            ((number, (at := now_ms - ago * seconds * 1_000).to_bytes(6, 'big') + b'\x70' + bytes(9), at)
             for ago in range(RAW_DAYS * 1_440 * READINGS_A_MINUTE)))
    database.commit()


def measure(visitor: Visitor, path: str, pages: int) -> list[float]:
    """Returns the milliseconds of each page."""
    times = []
    for _ in range(pages):
        begin = time.perf_counter()
        visitor.get(path)
        times.append((time.perf_counter() - begin) * 1_000)
    return times


def peak_mb(process: int) -> float:
    """Returns the largest resident memory of a process so far."""
    lines = pathlib.Path(f'/proc/{process}/status').read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith('VmHWM:')) / 1024


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.bench.trackme_chart', description=__doc__.splitlines()[0])
    parser.add_argument('--trackme', required=True, type=pathlib.Path)
    parser.add_argument('--pages', default=200, type=int)
    arguments = parser.parse_args()
    unwind_on_signals()
    with tempfile.TemporaryDirectory() as directory:
        cloud = TrackMe(arguments.trackme, pathlib.Path(directory) / 'cloud', free_port())
        cloud.start()
        try:
            visitor = Visitor(cloud.origin)
            visitor.get('/register')
            visitor.post('/register', user=USER, name='Anna', password=PASSWORD, again=PASSWORD, agree='yes')
            database = sqlite3.connect(cloud.directory / 'trackme.sqlite', timeout=60)
            fill(database, time.time_ns() // 1_000_000)
            database.close()
            is_kept = False
            for page in PAGES:
                visitor.get(f'/data/1{page}')
                times = measure(visitor, f'/data/1{page}', arguments.pages)
                slow = quantile(times, 0.95)
                print(f'{page:16} median {quantile(times, 0.5):7.1f} ms   p95 {slow:7.1f} ms', flush=True)
                is_kept = is_kept or page == '?span=quarter' and slow <= GOAL_MS
            assert cloud.child
            before, begin = peak_mb(cloud.child.process.pid), time.perf_counter()
            size = len(visitor.get('/account/export/json'))
            seconds, after = time.perf_counter() - begin, peak_mb(cloud.child.process.pid)
            print(f'export as JSON   {size / 1e6:.1f} MB in {seconds:.1f} s; '
                  f'peak memory {before:.0f} MB before, {after:.0f} MB after')
        finally:
            cloud.stop()
    print(f'{"kept" if is_kept else "BROKEN":8}90 days at p95 in {GOAL_MS} ms')
    return 0 if is_kept else 1


if __name__ == '__main__':
    sys.exit(main())
