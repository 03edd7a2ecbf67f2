"""The values that arrived at the broker, held against those that were sent, with ends of the gateway between them."""
import re

REPEATED_NS = 2_000_000_000   # readings are sent a second after they came, and acknowledged at once


def is_complete(due, got):
    """Returns true when `got` has the values of `due` in order, once each, without others."""
    symbols = {value: chr(0x4E00 + n) for n, value in enumerate(dict.fromkeys([*(v for v, _ in due), *got]))}
    pattern = ''.join(symbols[value] + ('?' if may_be_lost else '') for value, may_be_lost in due)
    return re.fullmatch(pattern, ''.join(symbols[value] for value in got)) is not None


def without_repeats(house):
    """Returns the messages at the broker without the readings that a new gateway had to repeat.

    The end of the gateway before it came between a message and its acknowledgement. Such a repeat has the same ID and
    content. AssertionError for any other repeat.
    """
    first: dict[str, tuple[int, dict]] = {}
    kept = []
    for at, message in enumerate(house.broker):
        if '/samples/' not in message['topic']:
            kept.append(message)
            continue
        earlier, known = first.setdefault(message['id'], (at, message))
        if earlier == at:
            kept.append(message)
            continue
        assert {**message, 'read_ns': 0} == {**known, 'read_ns': 0}, f'two messages with one ID: {known}, {message}'
        assert any(earlier < end <= at and known['read_ns'] >= began - REPEATED_NS
                   for (began, _), end in house.ends), f'came twice without an end of the gateway: {message}'
    return kept
