"""The sounds of the house: a WAV file for each tone and sentence. The files stay after the demo."""
import wave
from dataclasses import dataclass
from pathlib import Path

# Sentences about an open alarm and about its course: both name the person.
SENTENCES = ('-speech.wav', '-announcement.wav')


@dataclass(frozen=True)
class Spoken:
    path: Path
    seconds: float


def spoken(directory):
    """Returns the sentences so far, oldest first. A file appears only when it is complete."""
    found = [measured(path) for path in sorted(directory.glob('*.wav')) if path.name.endswith(SENTENCES)]
    return [one for one in found if one.seconds]


def measured(path):
    with wave.open(str(path)) as sound:
        return Spoken(path, sound.getnframes() / sound.getframerate())
