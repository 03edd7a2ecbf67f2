"""What the open pages of a run cost the cloud half: a frame a second of 200 runners, and the part that each page loads.

    python3 -m workbench.bench.trackme_run --trackme PROGRAM [--gateway PROGRAM] [--viewers 5000]

Gateway, broker and server are real, everything on this machine. 200 runners of a run move a step a second. Each viewer
has the stream of the page open; meanwhile the part of the page is loaded as often as that many pages load it: once each
after a change of the standings, at most once in 10 s. The memory of a viewer is the growth of the server's resident
memory. Ends with 0 where every viewer got a frame a second.
"""
import http.client
import json
import subprocess
import sys
import threading
import time
from typing import Any

from workbench.bench.process import processor_seconds, resident_mb
from workbench.bench.trackme_streams import Streams, options_of
from workbench.demo import run_pages
from workbench.demo.trackme import TrackMeHouse
from workbench.house import GATEWAY
from workbench.parts.child import Child
from workbench.parts.port import HOST
from workbench.quantiles import quantile

WARM_VIEWERS = 100
WATCH_SECONDS, SETTLE_SECONDS = 30, 5
# Of the pages' script and the server: all pages load their part within the time that the change names, 500 a second.
LOADS_A_SECOND, REFRESH_SECONDS = 500, 10
LOADERS = 4
STEP_METRES = 3
RATE_GOAL_MS = 1_250


class Race:
    """Positions of all runners, a step a second, by the box of the house."""

    def __init__(self, port: int) -> None:
        self.is_over = False
        self.publisher = Child(
            ['mosquitto_pub', '-h', HOST, '-p', port, '-q', '1', '-l', '-t',
             f'trackme/v1/{GATEWAY}/runs/{run_pages.RUN}/positions'], stdin=subprocess.PIPE)
        threading.Thread(target=self.move, daemon=True).start()

    def move(self) -> None:
        metres = {bib: bib % 40 * 10 for bib in range(1, run_pages.RUNNERS + 1)}
        while not self.is_over:
            began = time.monotonic()
            for bib in metres:
                metres[bib] = min(metres[bib] + STEP_METRES, run_pages.METRES - 1)
                line = json.dumps(run_pages.position(bib, metres[bib], time.time())) + '\n'
                self.publisher.stdin.write(line.encode())
            self.publisher.stdin.flush()
            time.sleep(max(0, began + 1 - time.monotonic()))

    def stop(self) -> None:
        self.is_over = True
        self.publisher.stop()


class Loader:
    """Loads the part of the page, `rate` times a second in all, over kept connections."""

    def __init__(self, port: int, path: str, rate: float) -> None:
        self.port, self.path, self.interval = port, path, LOADERS / rate
        self.times: list[float] = []
        self.size, self.refused, self.is_over = 0, 0, False
        self.threads = [threading.Thread(target=self.load, daemon=True) for _ in range(LOADERS)]
        for thread in self.threads:
            thread.start()

    def load(self) -> None:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=20)
        due = time.monotonic()
        while not self.is_over:
            began = time.monotonic()
            connection.request('GET', self.path, headers={'Accept-Encoding': 'gzip'})
            answer = connection.getresponse()
            self.size = len(answer.read())
            self.refused += answer.status != 200
            self.times.append((time.monotonic() - began) * 1_000)
            due += self.interval
            time.sleep(max(0, due - time.monotonic()))

    def stop(self) -> None:
        self.is_over = True
        for thread in self.threads:
            thread.join()


def measure(house: TrackMeHouse, viewers: int) -> bool:
    cloud: Any = house.cloud
    start = time.time() - 600
    run_pages.organised(house, start)
    passings = [run_pages.passing(bib, 1, start + 5) for bib in range(1, run_pages.RUNNERS + 1)]
    run_pages.publish(house.services.broker.port, 'passings', passings)
    race = Race(house.services.broker.port)
    path = f'/runs/{run_pages.RUN}'
    server = cloud.child.process.pid
    streams = Streams(cloud.port, f'{path}/live', '', event=b'frame')
    try:
        streams.open(WARM_VIEWERS)
        streams.read(SETTLE_SECONDS)
        before = resident_mb(server)
        streams.open(viewers - WARM_VIEWERS)
        streams.read(SETTLE_SECONDS)
        loader = Loader(cloud.port, f'{path}/part', min(LOADS_A_SECOND, viewers / REFRESH_SECONDS))
        streams.arrivals.clear()
        spent, began = processor_seconds(server), time.monotonic()
        streams.read(WATCH_SECONDS)
        took = time.monotonic() - began
        share = (processor_seconds(server) - spent) / took
        each_kb = (resident_mb(server) - before) * 1_024 / (viewers - WARM_VIEWERS)
        loader.stop()
    finally:
        race.stop()
        streams.close()
    frames = list(streams.arrivals.values())[1:-1]
    whole = [times for times in frames if len(times) == viewers]
    late = [(at - min(times)) * 1_000 for times in whole for at in times]
    beginnings = sorted(min(times) for times in frames)
    gaps = [(after - first) * 1_000 for first, after in zip(beginnings, beginnings[1:], strict=False)]
    size = max(map(len, streams.arrivals), default=0)
    print(f'{viewers} viewers of {run_pages.RUNNERS} runners: {len(frames)} frames of {size} bytes in {took:.0f} s, '
          f'{len(whole)} of them on every page; from the first page to a page median {quantile(late, 0.5):.0f} ms, p99 '
          f'{quantile(late, 0.99):.0f} ms; between frames median {quantile(gaps, 0.5):.0f} ms, largest {max(gaps):.0f} '
          f'ms', flush=True)
    print(f'the server took {share * 100:.0f} % of a core and {each_kb:.1f} KB a viewer; meanwhile {len(loader.times)} '
          f'parts of {loader.size} bytes were loaded, {len(loader.times) / took:.0f} a second: median '
          f'{quantile(loader.times, 0.5):.0f} ms, p95 {quantile(loader.times, 0.95):.0f} ms, {loader.refused} refused')
    return len(whole) == len(frames) > 0 and quantile(gaps, 0.5) <= RATE_GOAL_MS and not loader.refused


def main() -> int:
    assert __doc__
    options = options_of('trackme_run', __doc__, viewers=5_000)
    with TrackMeHouse(options.gateway, options.trackme) as house:
        house.register()
        house.cloud.start()
        try:
            return 0 if measure(house, options.viewers) else 1
        finally:
            house.cloud.stop()


if __name__ == '__main__':
    sys.exit(main())
