"""The cloud half on a PostgreSQL server of its own."""
import pathlib
from typing import Any

import psycopg2

from workbench.parts.postgres import Single
from workbench.trackme.server import TrackMe


class TrackMeOnPostgres(TrackMe):
    """A server whose database is PostgreSQL. `stop` ends both."""

    def __init__(self, program: pathlib.Path, directory: pathlib.Path, broker_port: int) -> None:
        super().__init__(program, directory, broker_port)
        self.database = Single()
        self.database.start()
        address = directory / 'database'
        address.write_text(self.database.address, encoding='utf-8')
        address.chmod(0o600)
        with open(self.settings, 'a', encoding='utf-8') as file:
            file.write(f'\n[database]\nurl_file = "{address}"\n')

    def stop(self) -> None:
        super().stop()
        self.database.stop()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        connection = psycopg2.connect(self.database.address)
        try:
            with connection.cursor() as cursor:
                cursor.execute(query)
                return list(cursor.fetchall())
        finally:
            connection.close()
