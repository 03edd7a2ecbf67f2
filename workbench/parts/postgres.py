"""PostgreSQL on the loopback interface: a primary, and a synchronous standby of it. As an account without rights."""
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from typing import Any

from workbench.parts.child import Child
from workbench.parts.port import HOST, free_port

PROGRAMS = pathlib.Path('/usr/lib/postgresql/15/bin')
USER, DATABASE = 'trackme', 'trackme'
START_SECONDS = 30
PROMOTION_SECONDS = 1.0


class Server:
    """One server with its data directory. PostgreSQL refuses to run as root."""

    def __init__(self, directory: pathlib.Path, name: str) -> None:
        self.data, self.log, self.port = directory / name, directory / f'{name}.log', free_port()
        self.account = pwd.getpwnam('nobody') if os.geteuid() == 0 else None
        self.child: Child | None = None

    def program(self, name: str, *words: Any) -> None:
        """Runs a program of PostgreSQL that must succeed."""
        as_user: dict[str, Any] = {}
        if self.account:
            as_user = {'user': self.account.pw_uid, 'group': self.account.pw_gid, 'extra_groups': []}
        with open(self.log, 'ab') as log:
            subprocess.run([PROGRAMS / name, *map(str, words)], check=True, stdout=log, stderr=log, **as_user)

    def start(self, **settings: Any) -> None:
        words = [PROGRAMS / 'postgres', '-D', self.data]
        for key, value in {'port': self.port, 'listen_addresses': HOST, 'unix_socket_directories': '',
                           'max_connections': 100, **settings}.items():
            words += ['-c', f'{key}={value}']
        with open(self.log, 'ab') as log:
            self.child = Child(words, stdout=log, stderr=log, user=self.account)
        end = time.monotonic() + START_SECONDS
        while subprocess.run([PROGRAMS / 'pg_isready', '-q', '-h', HOST, '-p', str(self.port)], check=False).returncode:
            if time.monotonic() > end or not self.child.running:
                raise OSError(f'PostgreSQL does not start: {self.log.read_text()[-2000:]}')
            time.sleep(0.1)

    def sql(self, text: str, database: str = 'postgres') -> None:
        self.program('psql', '-q', '-X', '-v', 'ON_ERROR_STOP=1', '-h', HOST, '-p', self.port, '-U', USER,
                     '-d', database, '-c', text)

    def kill(self) -> None:
        """Kills the server as a power failure does, with all its processes."""
        if self.child:
            self.child.signal(signal.SIGKILL)
            self.child.process.wait()


class Single:
    """One server with the database of the cloud half."""

    def __init__(self) -> None:
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix='postgres-'))
        self.server = Server(self.directory, 'primary')
        if self.server.account:
            os.chown(self.directory, self.server.account.pw_uid, self.server.account.pw_gid)

    def start(self) -> None:
        server = self.server
        server.program('initdb', '-D', server.data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C')
        server.start()
        server.program('createdb', '-h', HOST, '-p', server.port, '-U', USER, DATABASE)

    @property
    def address(self) -> str:
        """Connection string of libpq."""
        return f'host={HOST} port={self.server.port} user={USER} dbname={DATABASE} sslmode=disable'

    def processes(self) -> list[int]:
        """Returns the numbers of all its processes."""
        assert self.server.child
        first = self.server.child.process.pid
        children = subprocess.run(['pgrep', '-P', str(first)], text=True, stdout=subprocess.PIPE, check=False).stdout
        return [first, *map(int, children.split())]

    def stop(self) -> None:
        self.server.kill()
        shutil.rmtree(self.directory, ignore_errors=True)


class Pair:
    """A primary whose commits wait for its standby. `fail_over` kills the one and promotes the other."""

    def __init__(self) -> None:
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix='postgres-'))
        self.primary, self.standby = Server(self.directory, 'primary'), Server(self.directory, 'standby')
        if self.primary.account:
            os.chown(self.directory, self.primary.account.pw_uid, self.primary.account.pw_gid)

    def start(self) -> None:
        first, second = self.primary, self.standby
        first.program('initdb', '-D', first.data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C')
        first.start()
        first.program('createdb', '-h', HOST, '-p', first.port, '-U', USER, DATABASE)
        second.program('pg_basebackup', '-h', HOST, '-p', first.port, '-U', USER, '-D', second.data, '-R', '-c', 'fast')
        second.start()
        # In the file of the primary alone: the standby waits for nobody after its promotion.
        first.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        first.sql('SELECT pg_reload_conf()')

    @property
    def address(self) -> str:
        """Connection string of libpq: whichever of both is the primary."""
        return (f'host={HOST},{HOST} port={self.primary.port},{self.standby.port} user={USER} dbname={DATABASE} '
                'target_session_attrs=read-write connect_timeout=2 sslmode=disable')

    def fail_over(self) -> None:
        """Kills the primary. The standby is promoted a second later, as a program that watches both would do it."""
        self.primary.kill()
        threading.Timer(PROMOTION_SECONDS, self.standby.program, ('pg_ctl', 'promote', '-D', self.standby.data)).start()

    def stop(self) -> None:
        for server in (self.primary, self.standby):
            server.kill()
        shutil.rmtree(self.directory, ignore_errors=True)
