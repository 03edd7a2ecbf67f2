"""The outage of each row."""
import contextlib
import os
import pathlib
import subprocess
import tempfile
import time

from workbench.house import NotSeen
from workbench.outage.network import Network
from workbench.outage.power import Disk
from workbench.outage.streaming import FAST_BEATS_MS, Stream

# Twice `sync_milliseconds` of the settings: a sync takes long on a busy machine.
SYNCED_NS = 1_000_000_000


def finish(house, count, **more):
    """Waits until all queued readings have arrived after the outage, and settles the count."""
    house.hear(20)
    house.quiet()
    house.drained()
    return count.settle(house, house.deaths, **more)


def killed(program, count, quick):
    """Kills the gateway at random moments, most of them during a write."""
    with Stream(program) as house:
        house.beat(FAST_BEATS_MS)
        house.have_outbox()
        count.times = 15 if quick else 200
        for _ in range(count.times):
            house.waits(0.05, 2.0)
            house.die()
            house.rise()
        return finish(house, count)


def killed_slow_disk(program, count, quick, sync_ms=300):
    """Kills the gateway on a disk with slow syncs: messages that wait for the disk are in a file of their own."""
    source = pathlib.Path(__file__).with_name('slow_sync.c')
    with tempfile.TemporaryDirectory() as directory:
        library = pathlib.Path(directory) / 'slow_sync.so'
        subprocess.run(['cc', '-shared', '-fPIC', '-O2', '-o', library, source], check=True)
        environment = {'LD_PRELOAD': library, 'SYNC_MS': str(sync_ms)}
        with Stream(program, seed=10, environment=environment) as house:
            house.beat(FAST_BEATS_MS)
            house.have_outbox()
            count.times = 8 if quick else 60
            for _ in range(count.times):
                house.waits(0.5, 2.0)
                house.die()
                house.rise()
            return finish(house, count)


def killed_very_slow_disk(program, count, quick):
    """As `killed_slow_disk`, with syncs of 1 s: no run lives long enough to open the outbox."""
    return killed_slow_disk(program, count, quick, sync_ms=1_000)


def killed_without_broker(program, count, quick):
    """Kills the gateway without a broker: the backlog grows over many short runs, and is then owed at once."""
    with Stream(program, seed=2) as house:
        house.beat(FAST_BEATS_MS)
        house.have_outbox()
        house.break_broker()
        count.times = 10 if quick else 60
        for _ in range(count.times):
            house.waits(0.3, 1.5)
            house.die()
            house.rise()
        house.hear(60)
        house.mend_broker()
        return finish(house, count)


def broker_killed(program, count, quick):
    with Stream(program, seed=3) as house:
        house.beat()
        count.times = 5 if quick else 25
        for _ in range(count.times):
            house.hear(10)
            house.caught_up()
            house.waits(0.0, 0.5)
            house.break_broker()
            house.waits(0.2, 2.0)
            house.mend_broker()
        return finish(house, count)


def broker_frozen(program, count, quick):
    """Freezes the broker: it holds the connection without an answer, and continues later."""
    with Stream(program, seed=4) as house:
        house.beat()
        count.times = 2 if quick else 6
        for _ in range(count.times):
            house.hear(10)
            house.services.broker.freeze()
            house.waits(2, 14)
            house.services.broker.thaw()
        return finish(house, count)


def network_cut(program, count, quick):
    """Cuts the network: no answer and no refusal."""
    with Network() as network, Stream(program, seed=5, network=network) as house:
        house.beat()
        count.times = 2 if quick else 8
        for _ in range(count.times):
            house.hear(10)
            network.cut()
            house.waits(1, 15)
            network.mend()
        return finish(house, count)


def network_slow(program, count, quick):
    """Slows the network to 16 kbit/s, less than the strap needs, and then restores it."""
    with Network() as network, Stream(program, seed=6, network=network) as house:
        house.beat()
        house.hear(10)
        network.slow('16kbit')
        count.times = 1
        house.hear(200 if quick else 1_000, seconds=150)
        network.mend()
        return finish(house, count)


@contextlib.contextmanager
def small_disk(house, megabytes):
    subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={megabytes}m,mode=0700', 'tmpfs', house.state], check=True)
    try:
        yield
    finally:
        subprocess.run(['umount', '-l', house.state], check=False)


def fill(house):
    """Fills the disk."""
    with contextlib.suppress(OSError), open(house.state / 'filler', 'ab') as filler:
        while True:
            filler.write(b'\0' * 65_536)
            filler.flush()
    with contextlib.suppress(OSError), open(house.state / 'filler', 'ab', buffering=0) as filler:
        while True:
            filler.write(b'\0')


def fill_up(house, seconds=90):
    """Fills the disk and the ballast, which the gateway gives up when its log has to grow.

    The log grows only after 4 MB: it may overwrite as much.
    """
    fill(house)
    ballast, end = house.state / 'outbox.sqlite.ballast', time.monotonic() + seconds
    while ballast.exists():
        if time.monotonic() > end:
            raise NotSeen('a ballast given up')
        time.sleep(0.05)
    fill(house)


def disk_full(program, count, quick):
    """With a broker, without one, and with one that returns while the disk is still full and gets the backlog.

    The disk has room again before the gateway ends.
    """
    def prepare(house):
        house.cleanup.enter_context(small_disk(house, 24))
    with Stream(program, seed=7, prepare=prepare) as house:
        house.beat()
        count.times = 3 if quick else 6
        for turn in range(count.times):
            house.hear(20)
            if turn % 3:
                house.break_broker()
            if turn % 3 == 2:
                house.hear(400)
            fill_up(house)
            house.hear(100)
            if turn % 3 == 2:
                house.mend_broker()
                house.quiet()
                house.drained()
                house.beat()
            (house.state / 'filler').unlink()
            if turn % 3 == 1:
                house.hear(100)
                house.mend_broker()
        return finish(house, count)


def damaged(program, count, quick):
    """Truncates the database while it is not in use: its content is lost, later readings are not."""
    with Stream(program, seed=8) as house:
        house.beat()
        count.times = 3 if quick else 10
        for turn in range(count.times):
            house.hear(20)
            house.quiet()
            house.drained()
            house.die()
            path = house.state / 'outbox.sqlite'
            for suffix in ('-wal', '-shm'):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(f'{path}{suffix}')
            os.truncate(path, [0, 100, 4_096, 5_000][turn % 4])
            house.rise()
            house.beat()
        if not list(house.state.glob('outbox.sqlite.damaged-*')):
            raise NotSeen('a damaged file set aside')
        return finish(house, count)


def power_cut(program, count, quick):
    """With and without a broker, at random moments. Owed are the readings that the settings promise to keep."""
    def prepare(house):
        house.disk = house.cleanup.enter_context(Disk(house.directory, house.state))
    with Stream(program, seed=9, prepare=prepare) as house:
        house.beat()
        count.times = 8 if quick else 60
        for turn in range(count.times):
            house.hear(10)
            if turn % 3 == 1:
                house.break_broker()
            house.waits(0.05, 3.0)
            house.cut_power()
            house.rise()
            if turn % 3 == 1:
                house.waits(0.0, 2.0)
                house.mend_broker()
        return finish(house, count, durable_ns=SYNCED_NS)


OUTAGES = [
    ('gateway killed', killed),
    ('gateway killed, slow disk', killed_slow_disk),
    ('gateway killed, very slow disk', killed_very_slow_disk),
    ('gateway killed while no broker is there', killed_without_broker),
    ('broker killed', broker_killed),
    ('broker frozen', broker_frozen),
    ('network cut', network_cut),
    ('network slow, 16 kbit/s', network_slow),
    ('disk full', disk_full),
    ('power cut', power_cut),
    ('database cut short', damaged),
]
