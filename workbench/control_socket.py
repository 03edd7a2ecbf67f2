"""Requests to a running gateway through its control socket."""
import asyncio
import json
import pathlib
import socket
from collections.abc import Iterator
from typing import Any

# The person does not exist: the gateway refuses the request, and its feed reports the refusal. By that event a new
# reader of the feed knows that it is connected.
PROBE = {'verb': 'exercise', 'person': 'nobody'}


def encoded(request: dict[str, Any]) -> bytes:
    return json.dumps(request).encode() + b'\n'


def ask(path: pathlib.Path, seconds: float, **request: Any) -> dict[str, Any]:
    """Sends one request and returns its answer."""
    with socket.socket(socket.AF_UNIX) as stream:
        stream.settimeout(seconds)
        stream.connect(str(path))
        stream.sendall(encoded(request))
        return dict(json.loads(stream.makefile('rb').readline()))


async def ask_async(path: pathlib.Path, **request: Any) -> dict[str, Any]:
    """Sends one request and returns its answer, without blocking the event loop."""
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        writer.write(encoded(request))
        return dict(json.loads(await reader.readline()))
    finally:
        writer.close()


def feed(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """Yields the events of the gateway's feed until the gateway ends. OSError when no gateway listens."""
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(str(path))
        stream.sendall(encoded({'verb': 'watch'}))
        for line in stream.makefile('rb'):
            event = json.loads(line)
            if 'event' in event:
                yield event


def is_listening(path: pathlib.Path) -> bool:
    """Returns true when a Unix socket of that name listens, by its flag __SO_ACCEPTCON (/proc/net/unix, proc(5))."""
    rows = [line.split() for line in pathlib.Path('/proc/net/unix').read_text().splitlines()[1:]]
    return any(row[3] == '00010000' for row in rows if len(row) > 7 and row[7] == str(path))
