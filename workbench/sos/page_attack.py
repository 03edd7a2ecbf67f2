"""Attack on the console: streams, clients that never read, and half requests.

    python3 -m workbench.sos.page_attack PORT COOKIE...

The cookies are those of paired devices. The visitors come from many addresses of the loopback, so that the limit of one
address lets them in. A visitor that the console turns out comes back within a second. Prints JSON each second, before
they come back: connected visitors of each kind, and the number of visitors turned out until now.
"""
import contextlib
import itertools
import json
import resource
import select
import socket
import sys
import time

# Kinds of visitors, as the report names them.
CROWD = {'streams': 1_000, 'deaf': 100, 'halves': 300}
PER_ADDRESS = 8   # WebServer.Limits.perAddress
PERIOD_SECONDS = 1.0


class Visitor:
    def __init__(self, number, kind, port, cookie):
        place = number // PER_ADDRESS
        self.kind, self.address = kind, f'127.1.{place // 250}.{place % 250 + 1}'
        self.port = port
        self.socket: socket.socket | None = None
        head = f'GET /stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n'
        self.request = head.encode() + (b'' if kind == 'halves' else b'\r\n')

    def come(self, poll):
        self.socket = socket.socket()
        if self.kind == 'deaf':
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(1)
        try:
            self.socket.bind((self.address, 0))
            self.socket.connect(('127.0.0.1', self.port))
            self.socket.sendall(self.request)
        except OSError:
            self.leave()
            return
        self.socket.setblocking(False)
        poll.register(self.socket, select.EPOLLRDHUP if self.kind == 'deaf' else select.EPOLLIN | select.EPOLLRDHUP)

    def leave(self):
        if self.socket:
            self.socket.close()
            self.socket = None

    def read(self):
        """Returns false once the server has turned the visitor out."""
        if self.kind == 'deaf' or not self.socket:
            return False
        with contextlib.suppress(BlockingIOError):
            try:
                return bool(self.socket.recv(1 << 16))
            except ConnectionError:
                return False
        return True


def hold(port, cookies):
    poll = select.epoll()
    kinds = [kind for kind, count in CROWD.items() for _ in range(count)]
    visitors = [
        Visitor(number, kind, port, cookie)
        for number, (kind, cookie) in enumerate(zip(kinds, itertools.cycle(cookies)))]
    inside: dict[int, Visitor] = {}
    turned_out = 0
    while True:
        due = time.monotonic() + PERIOD_SECONDS
        for visitor in visitors:
            if visitor.socket is None:
                visitor.come(poll)
                if visitor.socket:
                    inside[visitor.socket.fileno()] = visitor
        while (left := due - time.monotonic()) > 0:
            for number, _ in poll.poll(left):
                if not inside[number].read():
                    turned_out += 1
                    inside.pop(number).leave()
        held = {kind: sum(visitor.kind == kind for visitor in inside.values()) for kind in CROWD}
        print(json.dumps({'event': 'held', **held, 'turned_out': turned_out}), flush=True)


def main():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    hold(int(sys.argv[1]), sys.argv[2:])


if __name__ == '__main__':
    main()
