"""Parts of messages of the contract that a load needs quickly."""
import os
from datetime import UTC, datetime


def uuid7(now_ms: int) -> str:
    chance = os.urandom(10)
    text = (f'{now_ms:012x}7{chance[:2].hex()[:3]}{0x8000 | int.from_bytes(chance[2:4]) & 0x3FFF:04x}'
            f'{chance[4:].hex()}')
    return f'{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}'


def stamp(now_ms: int) -> str:
    return datetime.fromtimestamp(now_ms / 1_000, UTC).isoformat(timespec='milliseconds').replace('+00:00', 'Z')
