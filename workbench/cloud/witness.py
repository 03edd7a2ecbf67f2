"""Witnesses beside the servers: the database, and a person's page at each server."""
import contextlib
import http.client
import threading
import time
from typing import Any

import psycopg2

from workbench.parts.port import HOST

LOOK_EVERY = 0.05


class Connection:
    """Connection to the database, made anew after each loss."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.connection: Any = None

    def rows(self, query: str) -> list[tuple[Any, ...]] | None:
        """Nil while there is no database."""
        try:
            if self.connection is None:
                self.connection = psycopg2.connect(self.address)
                self.connection.autocommit = True
            with self.connection.cursor() as cursor:
                cursor.execute(query)
                return list(cursor.fetchall())
        except psycopg2.Error:
            self.connection = None
            return None


class Witness:
    """Readings and calls in the database, with the instants at which they were first seen.

    It looks by a thread of its own: the trial waits for the parts that it kills and starts.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.calls: dict[str, float] = {}
        self.samples, self.grown = 0, time.monotonic()
        # Times without a new reading, in seconds, by the instant of their end.
        self.gaps: list[tuple[float, float]] = []
        threading.Thread(target=self.look_on, daemon=True).start()

    def look_on(self) -> None:
        connection = Connection(self.address)
        while True:
            for (alarm,) in connection.rows('SELECT alarm FROM desk_call') or []:
                self.calls.setdefault(str(alarm), time.monotonic())
            found = connection.rows('SELECT count(*) FROM sample')
            if found and found[0][0] > self.samples:
                now = time.monotonic()
                self.gaps.append((now, now - self.grown))
                self.samples, self.grown = found[0][0], now
            time.sleep(LOOK_EVERY)

    def longest_gap(self, since: float) -> float:
        """Returns the longest time without a new reading that had not ended at an instant."""
        ended = [length for end, length in list(self.gaps) if end >= since]
        return max([*ended, time.monotonic() - self.grown])


class OpenPage:
    """A live page at one server, which connects again a second after each end, as a browser does."""

    def __init__(self, port: int, path: str, event: str, host: str, cookie: str) -> None:
        self.path, self.event = path, f'event: {event}'.encode()
        self.port, self.headers = port, {'Host': host, 'Cookie': cookie, 'Accept': 'text/event-stream'}
        self.events = 0
        self.is_over = False
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self) -> None:
        while not self.is_over:
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection(HOST, self.port, timeout=20)
                connection.request('GET', self.path, headers=self.headers)
                answer = connection.getresponse()
                while not self.is_over and (line := answer.readline()):
                    self.events += line.startswith(self.event)
            time.sleep(1)
