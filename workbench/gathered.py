"""Gathered messages: the readings that a message of several holds."""
from collections.abc import Iterator
from typing import Any


def is_gathered(body: Any) -> bool:
    """Returns whether a payload holds several readings."""
    return isinstance(body, dict) and ('samples' in body or body.get('resourceType') == 'Bundle')


def readings(topic: str, body: Any) -> Iterator[tuple[str, Any]]:
    """Yields topic and body of each reading, as in a message of its own. Any other message is yielded as it is."""
    if not is_gathered(body):
        yield topic, body
    elif 'samples' in body:
        shared = {key: value for key, value in body.items() if key != 'samples'}
        for own in body['samples']:
            reading = {'received': own['time'], **shared, **own}
            # The topic of a third party names the kind already.
            yield topic if '/parties/' in topic else f'{topic}/{reading["kind"]}', reading
    else:
        for entry in body['entry']:
            yield topic, entry['resource']
