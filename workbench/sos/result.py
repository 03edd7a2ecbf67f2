"""The result of one fault."""
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Result:
    episodes: list[Any] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    broken: list[str] = field(default_factory=list)   # broken rules apart from times, in words
    remarks: list[str] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)   # samples of the last episode
