"""What the house said: WAV files, one a tone or a sentence, which stay when the demo has ended."""
import wave
from dataclasses import dataclass
from pathlib import Path

# About an open alarm, and about how it goes on: both name whom it is about.
SENTENCES = ('-speech.wav', '-announcement.wav')


@dataclass(frozen=True)
class Spoken:
    path: Path
    seconds: float


def spoken(directory):
    """The sentences so far, oldest first; each file is whole when it is there."""
    found = [measured(path) for path in sorted(directory.glob('*.wav')) if path.name.endswith(SENTENCES)]
    return [one for one in found if one.seconds]


def measured(path):
    with wave.open(str(path)) as sound:
        return Spoken(path, sound.getnframes() / sound.getframerate())
