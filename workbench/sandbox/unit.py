"""The [Service] section of a unit file (systemd.syntax(7))."""
import re
from typing import Any

from workbench.sandbox.refusal import Refusal

TRUTH = {'1': True, 'yes': True, 'true': True, 'on': True, '0': False, 'no': False, 'false': False, 'off': False}


class Unit:
    def __init__(self, path):
        """Reads the file at `path`, without drop-ins."""
        self.path = path
        try:
            text = path.read_text()
        except (OSError, UnicodeDecodeError) as problem:
            raise Refusal(f'the unit cannot be read: {problem}') from problem
        self.settings: dict[str, Any] = {}
        section = None
        for line in re.sub(r'\\\n', ' ', text).splitlines():
            line = line.strip()
            if line.startswith('['):
                section = line
            elif section == '[Service]' and line and line[0] not in '#;':
                self.take(line)
        if not self.settings:
            raise Refusal(f'{path} has no section [Service]: is it the unit of a service?')

    def take(self, line):
        name, equals, value = line.partition('=')
        if not equals:
            raise Refusal(f'{self.path}: expected NAME=VALUE, saw: {line}')
        # A line without a value cancels the lines before it.
        self.settings[name.strip()] = self.settings.get(name.strip(), []) + [value.strip()] if value.strip() else []

    def words(self, name):
        """Returns the words of all lines of the name."""
        words = ' '.join(self.settings.get(name, [])).split()
        if any(word.startswith('~') for word in words):
            raise Refusal(f'{name}=~ is not done here, only lists of what is allowed')
        return words

    def text(self, name):
        """Returns the value of the last line of the name, or None."""
        lines = self.settings.get(name)
        return lines[-1] if lines else None

    def truth(self, name):
        value = self.text(name) or 'no'
        if value.lower() not in TRUTH:
            raise Refusal(f'{name}={value} is not done here, only yes and no')
        return TRUTH[value.lower()]
