"""Reads CAP files and prints one JSON line each, with the fields that a receiver of the standard finds.

    python3 -m workbench.cap FILE...
"""
import json
import pathlib
import sys

from workbench.cap import Alert

FIELDS = ('identifier', 'sender', 'sent', 'status', 'msgType', 'scope', 'addresses', 'note', 'references',
          'incidents', 'language', 'category', 'event', 'responseType', 'urgency', 'severity', 'certainty',
          'onset', 'headline', 'description', 'instruction', 'contact', 'areaDesc', 'circle')

for path in sys.argv[1:]:
    alert = Alert(pathlib.Path(path).read_bytes())
    fields = {field: alert.text(field) for field in FIELDS if alert.text(field) is not None}
    pairs = [] if alert.problem else alert.parameters()
    print(json.dumps({'problem': alert.problem, 'fields': fields, 'parameters': pairs}))
