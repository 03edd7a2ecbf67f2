"""A consent ledger in the gateway's format: each line carries the hash of the line before.

docs/adr/0011-consent-ledger.md describes the format.
"""
import hashlib
import json


def canonical(value):
    return json.dumps(value, ensure_ascii=False, separators=(',', ':'), sort_keys=True)


def write(state, gateway, acts):
    """Writes a ledger of these entries to the place where the gateway reads it at its start."""
    lines, before = [], '0' * 64
    for number, act in enumerate([{'act': 'genesis', 'gateway': gateway, 'at': 0}, *acts]):
        lines.append(canonical({**act, 'seq': number, 'prev': before}))
        before = hashlib.sha256(lines[-1].encode()).hexdigest()
    state.mkdir(parents=True, exist_ok=True)
    (state / 'ledger.jsonl').write_text(''.join(f'{line}\n' for line in lines), encoding='utf-8')
    # All entries have the same time.
    (state / 'ledger.head').write_text(
        canonical({'seq': -1, 'hash': '0' * 64, 'size': 0, 'next': lines}), encoding='utf-8')


def by(person):
    return {'person': person, 'by': 'Maria', 'means': 'command-line', 'at': 0}


def granted(person, party, request, kinds):
    """Returns the entries of a person who accepted the policy and granted a party access."""
    return [
        {**by(person), 'act': 'accepted', 'subject': 'data-policy'},
        {**by(person), 'act': 'accepted', 'subject': 'automated-sos'},
        *grant(person, {'id': party, 'name': 'The clinic'}, request, kinds),
    ]


def grant(person, party, request, kinds, **form):
    """Returns the entries of a further grant: `party` with its keys, and the form of its readings."""
    return [
        {**by(person), 'act': 'requested', 'request': request, 'asks': {
            'party': party, 'purpose': 'Care', 'kinds': kinds, **form}},
        {**by(person), 'act': 'granted', 'request': request},
    ]
