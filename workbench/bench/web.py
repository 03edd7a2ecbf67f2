"""Cost of the pages' server beside nginx with nchan: streams of server-sent events, and pages meanwhile.

    python3 -m workbench.bench.web --bench PROGRAM [--streams 1000] [--seconds 20] [--rounds 2]

Each server runs alone, in turns. One client process reads all streams. Another one asks for pages. Processor time and
PSS are those of the server's processes, from proc(5).

Then a flood of half-open connections, from 8 ports of each of many addresses, tries to take all places of the
gateway's server alone. It opens each again that the server has closed. A paired device meanwhile asks over a new
connection and over an open one, as the cancel of an alarm does, and a stranger over new ones.
"""
import argparse
import collections
import contextlib
import http.client
import multiprocessing
import pathlib
import resource
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from workbench.parts.child import Child
from workbench.parts.interruption import unwind_on_signals
from workbench.parts.port import free_port
from workbench.quantiles import quantile

EVENT_BYTES, PAGE_BYTES = 4096, 8192
PAGE_PAUSE = 0.02
PROCESSOR_GOAL, MEMORY_GOAL, PAGE_GOAL_MS = 1.5, 0.5, 5
NEW_GOAL_MS, OPEN_GOAL_MS = 250, 20
PER_ADDRESS, AGAIN = 8, 0.5

NGINX = """
load_module modules/ngx_nchan_module.so;
worker_processes 1;
daemon off;
pid {directory}/pid;
error_log {directory}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    keepalive_requests 1000000;
    server {{
        listen 127.0.0.1:{port};
        root {directory};
        location = /events {{
            nchan_subscriber eventsource;
            nchan_channel_id house;
            nchan_subscriber_first_message newest;
        }}
        location = /publish {{
            nchan_publisher;
            nchan_channel_id house;
            nchan_message_buffer_length 1;
        }}
    }}
}}
"""


class Gateway:
    name = 'homegateway'

    def __init__(self, program):
        self.child = Child([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self.child.stdout.readline().decode().rsplit(':', 1)[1])

    def publish(self, event):
        self.child.stdin.write(event + b'\n')
        self.child.stdin.flush()

    def processes(self):
        return [self.child.process.pid]

    def stop(self):
        self.child.stop()


class Nginx:
    name = 'nginx + nchan'

    def __init__(self, _):
        self.folder = tempfile.TemporaryDirectory()
        directory = pathlib.Path(self.folder.name)
        directory.chmod(0o755)
        (directory / 'page').write_bytes(b'x' * PAGE_BYTES)
        self.port = free_port()
        settings = directory / 'nginx.conf'
        settings.write_text(NGINX.format(directory=directory, port=self.port))
        self.child = Child(['/usr/sbin/nginx', '-p', '/usr/share/nginx', '-c', settings])
        end = time.monotonic() + 10
        while True:
            try:
                self.publisher = http.client.HTTPConnection('127.0.0.1', self.port)
                self.publisher.connect()
                return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def publish(self, event):
        self.publisher.request('POST', '/publish', event)
        self.publisher.getresponse().read()

    def processes(self):
        parent = self.child.process.pid
        children = pathlib.Path(f'/proc/{parent}/task/{parent}/children').read_text().split()
        return [parent, *map(int, children)]

    def stop(self):
        self.child.stop()
        self.folder.cleanup()


def processor_seconds(server):
    return sum(
        int(task.joinpath('schedstat').read_text().split()[0])
        for process in server.processes() for task in pathlib.Path(f'/proc/{process}/task').iterdir()) / 1e9


def pss_kilobytes(server):
    return sum(
        int(line.split()[1]) for process in server.processes()
        for line in pathlib.Path(f'/proc/{process}/smaps_rollup').read_text().splitlines() if line.startswith('Pss:'))


def read_streams(port, count, pipe):
    """Opens the streams, reads until a word comes, and answers with the number of bytes."""
    poll = select.epoll()
    sockets = {}
    for _ in range(count):
        stream = socket.create_connection(('127.0.0.1', port))
        stream.sendall(b'GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n')
        # The head of the answer: the server has the stream.
        assert b'\r\n\r\n' in stream.recv(1 << 16)
        stream.setblocking(False)
        poll.register(stream, select.EPOLLIN)
        sockets[stream.fileno()] = stream
    pipe.send('open')
    received = 0
    buffer = bytearray(1 << 16)
    while not pipe.poll():
        for number, _ in poll.poll(0.2):
            with contextlib.suppress(BlockingIOError):
                size = sockets[number].recv_into(buffer)
                if not size:
                    poll.unregister(number)
                received += size
    pipe.send(received)


def ask_pages(port, pipe):
    """Asks for pages on one connection until a word comes, and answers with the milliseconds of each."""
    client = connect(port)
    times = []
    while not pipe.poll(PAGE_PAUSE):
        start = time.perf_counter_ns()
        ask_page(client)
        times.append((time.perf_counter_ns() - start) / 1e6)
    pipe.send(times)


def connect(port, source='127.0.0.1'):
    client = socket.create_connection(('127.0.0.1', port), timeout=30, source_address=(source, 0))
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def ask_page(client, more=b''):
    client.sendall(b'GET /page HTTP/1.1\r\nHost: localhost\r\n' + more + b'\r\n')
    page = b''
    while len(page) < PAGE_BYTES or len(page) - page.index(b'\r\n\r\n') - 4 < PAGE_BYTES:
        part = client.recv(1 << 16)
        if not part:
            raise ConnectionError('the server closed the connection before its answer')
        page += part


def flood(port, count, pipe):
    """Holds half-open connections until a word comes, and answers with the number of connections it has opened."""
    poll = select.epoll()
    sockets = {}
    opened, due = 0, collections.deque((0.0, number) for number in range(count))
    said = False
    while not pipe.poll():
        now = time.monotonic()
        for _ in range(200):
            if not due or due[0][0] > now:
                break
            number = due.popleft()[1]
            client = socket.socket()
            client.bind((f'127.1.{number // PER_ADDRESS // 250}.{number // PER_ADDRESS % 250 + 1}', 0))
            client.setblocking(False)
            client.connect_ex(('127.0.0.1', port))
            poll.register(client, select.EPOLLIN | select.EPOLLOUT)
            sockets[client.fileno()] = client, number
            opened += 1
        if opened >= count and not said:
            pipe.send('open')
            said = True
        for found, events in poll.poll(0.005):
            client, number = sockets[found]
            if events == select.EPOLLOUT:
                poll.modify(client, select.EPOLLIN)
                with contextlib.suppress(OSError):
                    client.send(b'GET /page HTTP/1.1\r\nHost: local')
                continue
            poll.unregister(client)
            client.close()
            del sockets[found]
            due.append((now + AGAIN, number))
    pipe.send(opened)


def measure_flood(options):
    """Milliseconds of requests over new connections, an open one and those of a stranger, and the flood's rate."""
    server = Gateway(options.bench)
    paired = b'Cookie: paired\r\n'
    try:
        client = connect(server.port)
        ask_page(client, paired)
        attacker = Helper(flood, server.port, options.half_open)
        attacker.pipe.recv()
        times: dict[str, list[float]] = {'new': [], 'open': [], 'stranger': []}
        begun = time.monotonic()
        while time.monotonic() - begun < options.seconds:
            for kind in times:
                start = time.perf_counter_ns()
                if kind == 'open':
                    ask_page(client, paired)
                else:
                    with connect(server.port, '127.0.0.1' if kind == 'new' else '127.0.0.2') as new:
                        ask_page(new)
                times[kind].append((time.perf_counter_ns() - start) / 1e6)
                time.sleep(PAGE_PAUSE)
        return times, attacker.result() / (time.monotonic() - begun)
    finally:
        server.stop()


class Helper:
    """A client in a process of its own."""

    def __init__(self, body, *arguments):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=body, args=(*arguments, other), daemon=True)
        self.process.start()

    def result(self):
        self.pipe.send('end')
        found = self.pipe.recv()
        self.process.join()
        return found


@dataclass
class Figures:
    processor: float   # percent of one core
    idle: int   # kilobytes
    growth: int
    pages: list[float]
    received: float   # share of the bytes of all events


def measure(kind, options):
    server = kind(options.bench)
    try:
        # Whatever the server makes once is not growth.
        warm = Helper(read_streams, server.port, 5)
        warm.pipe.recv()
        event = b'x' * (EVENT_BYTES - 8)
        for _ in range(3):
            server.publish(event)
        warm.result()
        idle = pss_kilobytes(server)
        streams = Helper(read_streams, server.port, options.streams)
        streams.pipe.recv()
        for _ in range(2):
            server.publish(event)
            time.sleep(1)
        # All pages of a round come from one process, which costs the machine the same for both servers.
        asked = Helper(ask_pages, server.port)
        before, due = processor_seconds(server), time.monotonic()
        for _ in range(options.seconds):
            server.publish(event)
            due += 1
            time.sleep(max(0, due - time.monotonic()))
        processor = (processor_seconds(server) - before) / options.seconds * 100
        growth = pss_kilobytes(server) - idle
        pages = asked.result()
        expected = (options.seconds + 2) * options.streams * EVENT_BYTES
        return Figures(processor, idle, growth, pages, streams.result() / expected)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.bench.web', description=__doc__.splitlines()[0])
    parser.add_argument('--bench', required=True, type=pathlib.Path)
    parser.add_argument('--streams', type=int, default=1_000)
    parser.add_argument('--seconds', type=int, default=20)
    parser.add_argument('--rounds', type=int, default=2)
    parser.add_argument('--half-open', type=int, default=4_000)
    parser.add_argument('--flood-only', action='store_true', help='measure the half-open connections alone')
    options = parser.parse_args()
    unwind_on_signals()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if not options.flood_only:
        compare(options)
    times, rate = measure_flood(options)
    print(f'{options.half_open} half-open connections of {options.half_open // PER_ADDRESS} addresses, each opened '
          f'again {AGAIN} s after its end: {rate:.0f} a second')
    for kind, name, goal in (('new', 'paired device, new connection', NEW_GOAL_MS),
                             ('open', 'paired device, open connection', OPEN_GOAL_MS),
                             ('stranger', 'stranger, new connection', None)):
        found = times[kind]
        print(f'{name:32} p50 {quantile(found, 0.5):6.2f} ms, p99 {quantile(found, 0.99):6.2f} ms, '
              f'longest of {len(found)} {max(found):6.2f} ms' + (f', goal {goal} ms' if goal else ''))


def compare(options):
    if not pathlib.Path('/usr/lib/nginx/modules/ngx_nchan_module.so').exists():
        sys.exit('There is no nginx with nchan: apt-get install nginx-light libnginx-mod-nchan')
    rounds = [[measure(kind, options) for kind in (Gateway, Nginx)] for _ in range(options.rounds)]
    print(f'{options.streams} streams, an event of {EVENT_BYTES} bytes each second for {options.seconds} s, and 50 '
          f'pages of {PAGE_BYTES} bytes a second; medians of {options.rounds} rounds')
    medians = []
    for number, name in enumerate((Gateway.name, Nginx.name)):
        found = [figures[number] for figures in rounds]
        processor, growth, idle = (
            statistics.median(getattr(each, key) for each in found) for key in ('processor', 'growth', 'idle'))
        pages = [page for each in found for page in each.pages]
        medians.append((processor, growth))
        print(f'{name:14} processor {processor:5.2f} %   PSS {idle / 1024:5.1f} MB + {growth / 1024:5.1f} MB   '
              f'page p50 {quantile(pages, 0.5):5.2f} ms, p99 {quantile(pages, 0.99):5.2f} ms   '
              f'received {min(each.received for each in found):.0%}')
    (processor, growth), (their_processor, their_growth) = medians
    print(f'homegateway / nginx: processor {processor / their_processor:.2f} (goal {PROCESSOR_GOAL}), '
          f'growth {growth / their_growth:.2f} (goal {MEMORY_GOAL}); page p99 goal {PAGE_GOAL_MS} ms')


if __name__ == '__main__':
    main()
