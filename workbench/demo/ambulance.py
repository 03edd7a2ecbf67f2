"""The second route for calls: an ambulance service over HTTP, which checks each call against CAP 1.2."""
import json
import subprocess

from workbench.parts.child import Child
from workbench.parts.part import StartError
from workbench.paths import program

TAKES_EVERYTHING = '/take'   # a machine has the call; no person has answered yet


class Ambulance:
    """The running service. It has no TLS: the gateway allows that on the same machine only."""

    def __enter__(self):
        self.child = Child(program('ambulance_service'), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self.url = f'http://127.0.0.1:{json.loads(self.child.stdout.readline())["port"]}{TAKES_EVERYTHING}'
        except (ValueError, KeyError) as problem:
            self.child.stop()
            raise StartError('the ambulance service does not start; python3-lxml is needed: make setup') from problem
        return self

    def __exit__(self, *_):
        self.child.stop()

    @property
    def output(self):
        return self.child.stdout
