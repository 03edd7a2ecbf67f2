"""The witness: a client of its own at the broker, which knows nothing of the gateway.

A retained message is published before the witness starts. Its arrival shows that the witness is subscribed.
"""
import json
from collections.abc import Iterator, Sequence
from typing import Any

from workbench.gathered import readings
from workbench.parts.port import HOST

READY_TOPIC = 'trackme/v1/e2e-witness/ready'
ALL_TOPICS = ('trackme/v1/#',)


def ready_command(port: int) -> list[str]:
    """Returns the command that publishes the retained message."""
    return ['mosquitto_pub', '-h', HOST, '-p', str(port), '-q', '1', '-t', READY_TOPIC, '-r', '-m', '{}']


def command(
        port: int, topics: Sequence[str] = ALL_TOPICS, form: str = '%t %p', options: Sequence[str] = ()) -> list[str]:
    """Returns the command of a witness that prints each message in the `form` of mosquitto_sub(1)."""
    filters = [word for topic in topics for word in ('-t', topic)]
    return ['mosquitto_sub', '-h', HOST, '-p', str(port), *filters, '-q', '1', '-F', form, *options]


def messages(line: str) -> Iterator[dict[str, Any]]:
    """Yields the members of a JSON payload and its topic, from a line of the form "topic payload".

    A message of several readings is yielded as its readings. A signed message, a compact JWS, is its member `jws`.
    """
    topic, _, payload = line.rstrip('\n').partition(' ')
    if not payload.startswith(('{', '[')):
        yield {'jws': payload, 'topic': topic}
        return
    for name, body in readings(topic, json.loads(payload)):
        yield {**body, 'topic': name}
