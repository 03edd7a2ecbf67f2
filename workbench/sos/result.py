"""What came of one fault."""
from dataclasses import dataclass, field


@dataclass
class Result:
    episodes: list = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    broken: list = field(default_factory=list)   # rules that are not about time, in words
    remarks: list = field(default_factory=list)
