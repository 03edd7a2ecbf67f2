"""Witnesses beside the servers: the database, and a person's page at each server."""
import contextlib
import http.client
import threading
import time
from typing import Any

import psycopg2

from workbench.parts.port import HOST


class Witness:
    """Readings and calls in the database, with the instants at which they were first seen."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.connection: Any = None
        self.samples, self.grown = 0, time.monotonic()
        self.calls: dict[str, float] = {}

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

    def look(self) -> float | None:
        """Returns the seconds since the readings before, where there are new ones."""
        found = self.rows('SELECT count(*) FROM sample')
        for (alarm,) in self.rows('SELECT alarm FROM desk_call') or []:
            self.calls.setdefault(str(alarm), time.monotonic())
        if not found or found[0][0] <= self.samples:
            return None
        now = time.monotonic()
        took, self.samples, self.grown = now - self.grown, found[0][0], now
        return took


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
