"""Two servers of the cloud half behind HAProxy, on one database with a standby."""
import pathlib
import time

from workbench import gateway_settings as settings
from workbench.parts.child import Child
from workbench.parts.port import HOST, free_port
from workbench.parts.postgres import Pair
from workbench.trackme.server import TrackMe

RESTART_SECONDS = 1.0     # RestartSec= of the unit
START_SECONDS, STOP_SECONDS = 30, 5
ON_DUTY, OFF_DUTY = 'this server does the duties', 'the claim of the database is lost'


class Node:
    """One server. `start` and `kill` may alternate."""

    def __init__(self, number: int, directory: pathlib.Path, text: str, origin: str) -> None:
        self.port = free_port()
        self.settings, self.log = directory / f'trackme-{number}.toml', directory / f'trackme-{number}.log'
        lines = text.splitlines()
        lines[:2] = [f'listen = "{HOST}:{self.port}"', f'origin = "{origin}"']
        self.settings.write_text('\n'.join(lines) + '\n', encoding='utf-8')
        self.child: Child | None = None
        self.ended, self.begin = 0.0, 0

    def start(self, program: pathlib.Path) -> None:
        self.begin = self.log.stat().st_size if self.log.exists() else 0
        with open(self.log, 'ab') as log:
            self.child = Child([program, 'serve', '--config', self.settings], stdout=log, stderr=log)

    @property
    def is_on_duty(self) -> bool:
        """Whether it does what one server at a time does, by its log."""
        if not (self.child and self.child.running):
            return False
        with open(self.log, 'rb') as log:
            log.seek(self.begin)
            text = log.read().decode(errors='replace')
        return text.rfind(ON_DUTY) > text.rfind(OFF_DUTY)


class Servers(TrackMe):
    """Two servers with one database, one set of keys and one address."""

    def __init__(
            self, program: pathlib.Path, directory: pathlib.Path, brokers: list[int], user: str, password: str) -> None:
        super().__init__(program, directory, brokers[0])
        self.database = Pair()
        self.database.start()
        address, secret = directory / 'database', directory / 'broker-password'
        for file, text in ((address, self.database.address), (secret, password)):
            file.write_text(text, encoding='utf-8')
            file.chmod(0o600)
        one = settings.section('[broker]', host=HOST, port=brokers[0], tls=False)
        text = self.settings.read_text(encoding='utf-8')
        assert text.count(one) == 1
        text = text.replace(one, settings.section(
            '[broker]', hosts=[f'{HOST}:{port}' for port in brokers], tls=False, username=user,
            password_file=str(secret))) + f'\n[database]\nurl_file = "{address}"\n'
        self.proxy_port = free_port()
        self.origin = f'http://{HOST}:{self.proxy_port}'
        self.nodes = [Node(number, directory, text, self.origin) for number in (1, 2)]
        self.settings = self.nodes[0].settings
        self.proxy: Child | None = None

    def start(self) -> None:
        configuration = self.directory / 'haproxy.cfg'
        configuration.write_text(
            'defaults\n  mode http\n  timeout connect 1s\n  timeout client 60s\n  timeout server 60s\n'
            '  option redispatch\n  retries 3\n  option forwardfor\n'
            f'frontend pages\n  bind {HOST}:{self.proxy_port}\n  default_backend servers\n'
            'backend servers\n  option httpchk GET /health\n'
            f'  http-check send hdr Host {HOST}:{self.proxy_port}\n'
            + ''.join(f'  server s{number} {HOST}:{node.port} check inter 200ms fall 2 rise 1\n'
                      for number, node in enumerate(self.nodes)), encoding='utf-8')
        with open(self.directory / 'haproxy.log', 'ab') as log:
            self.proxy = Child(['haproxy', '-f', configuration], stdout=log, stderr=log)
        for node in self.nodes:
            node.start(self.program)
        end = time.monotonic() + START_SECONDS
        while not (self.is_healthy() and any(node.is_on_duty for node in self.nodes)):
            self.look_after()
            assert time.monotonic() < end, [node.log.read_text(encoding='utf-8')[-2_000:] for node in self.nodes]
            time.sleep(0.1)

    def look_after(self) -> None:
        """Starts a server that has ended, a second later."""
        for node in self.nodes:
            if node.child and not node.child.running:
                node.child, node.ended = None, time.monotonic()
            elif not node.child and time.monotonic() - node.ended >= RESTART_SECONDS:
                node.start(self.program)

    def kill(self) -> None:
        """Kills the server that has the duties."""
        self.one(is_on_duty=True).kill()
        self.kills += 1

    def kill_other(self) -> None:
        """Kills a server that serves pages alone."""
        self.one(is_on_duty=False).kill()
        self.kills += 1

    def end(self) -> None:
        """Tells the server that has the duties to end, as systemd does it. It must do so soon, without an error."""
        process = self.one(is_on_duty=True).process
        process.terminate()
        status = process.wait(timeout=STOP_SECONDS)
        assert status == 0, f'the server ended with {status}'

    def one(self, is_on_duty: bool) -> Child:
        """Returns a running server of a kind."""
        end = time.monotonic() + START_SECONDS
        while True:
            for node in self.nodes:
                if node.child and node.child.running and node.is_on_duty == is_on_duty:
                    return node.child
            assert time.monotonic() < end, 'no server of this kind'
            self.look_after()
            time.sleep(0.05)

    def stop(self) -> None:
        for child in (*(node.child for node in self.nodes), self.proxy):
            if child:
                child.stop()
        self.database.stop()
