"""The Common Alerting Protocol 1.2: the schema, and the further rules of the standard."""
import pathlib
import re
from typing import Any

from lxml import etree

NAMESPACE = 'urn:oasis:names:tc:emergency:cap:1.2'
SCHEMA = etree.XMLSchema(etree.parse(str(pathlib.Path(__file__).with_name('CAP-v1.2.xsd'))))
# Section 3.2.1: no spaces, commas or restricted characters (< and &).
NAME = re.compile(r'[^\s,<&]+')
TIME = r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d'
REFERENCE = re.compile(r'[^\s,<&]+,[^\s,<&]+,' + TIME)
# Section 3.2.4: "latitude,longitude radius"; degrees, kilometres.
CIRCLE = re.compile(r'(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?) (\d+(?:\.\d+)?)')


class Alert:
    """A received message. `problem`: the first violation of the standard, or None."""

    def __init__(self, body):
        self.root: Any = None
        try:
            # As a careful receiver: no entities, no network.
            self.root = etree.fromstring(body, etree.XMLParser(resolve_entities=False, no_network=True))
            self.problem = self._problem()
        except etree.XMLSyntaxError as error:
            self.problem = str(error)

    def texts(self, name):
        if self.root is None:
            return []
        return [element.text or '' for element in self.root.iter(f'{{{NAMESPACE}}}{name}')]

    def text(self, name):
        return next(iter(self.texts(name)), None)

    def parameters(self):
        names = [pair.findtext(f'{{{NAMESPACE}}}valueName') for pair in self._pairs()]
        values = [pair.findtext(f'{{{NAMESPACE}}}value') for pair in self._pairs()]
        return list(zip(names, values, strict=True))

    def _pairs(self):
        return self.root.iter(f'{{{NAMESPACE}}}parameter')

    def _problem(self):
        if not SCHEMA.validate(self.root):
            return str(SCHEMA.error_log.last_error)
        for name in ('identifier', 'sender'):
            if not NAME.fullmatch(self.text(name)):
                return f'{name} has a forbidden character'
        if self.text('scope') == 'Private' and not self.text('addresses'):
            return 'Private without addresses'
        if self.text('msgType') != 'Alert' and not self.text('references'):
            return 'no references'
        for reference in (self.text('references') or '').split():
            if not REFERENCE.fullmatch(reference):
                return f'reference {reference}'
        for circle in self.texts('circle'):
            match = CIRCLE.fullmatch(circle)
            if not match or abs(float(match[1])) > 90 or abs(float(match[2])) > 180:
                return f'circle {circle}'
        return None
