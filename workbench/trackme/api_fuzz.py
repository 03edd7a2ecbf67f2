"""Requests that schemathesis makes out of docs/api/openapi.yaml, to a server with a linked account and a company.

    python3 -m workbench.trackme.api_fuzz --schemathesis PROGRAM [--seconds 60] [--gateway FILE] [--trackme FILE]

Gateway, broker and server are real, the strap is virtual. Requests have the session of a person and the access token
of an approved company. An answer that the document does not describe, or with a status of the server's faults (5xx), is
a finding, as is a server that does not serve afterwards. Ends with 0 without a finding.
"""
import argparse
import pathlib
import subprocess
import sys

from workbench.demo.clinic import CLINIC, KEY, NAME, programs, until
from workbench.demo.trackme import PASSWORD, USER, TrackMeHouse, linked
from workbench.house import GATEWAY, PERSON
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM, ROOT, TRACKME_PROGRAM
from workbench.trackme.server import Visitor

DOCUMENT = ROOT / 'docs/api/openapi.yaml'
BEAT_MS = 250
# `negative_data_rejection` wants 4xx for each value that the document does not allow: members that a request has on top
# are ignored here, as the contract says. `positive_data_acceptance` cannot know which house or company there is.
UNFIT_CHECKS = 'negative_data_rejection,positive_data_acceptance'


def person(house: TrackMeHouse) -> Visitor:
    """Returns a person whose account is linked."""
    visitor = Visitor(house.cloud.origin)
    visitor.get('/register')
    visitor.post('/register', user=USER, name='Maria Rossi', password=PASSWORD, again=PASSWORD, agree='yes')
    visitor.get('/links')
    visitor.post('/links', house=GATEWAY, person=PERSON, role='acts', code=house.link_code())
    house.at_home('consent', 'accept', house.question(), '--by', 'Maria')
    assert until(lambda: linked(visitor)), 'the account is not linked'
    return visitor


def token(house: TrackMeHouse) -> str:
    """Returns an access token of an approved company."""
    shown = programs()
    company = Visitor(house.cloud.origin)
    company.get('/parties/register')
    company.post(
        '/parties/register', name=NAME, vat='IT00743110157', id=CLINIC, contact='it@clinic.example', key=shown['jwk'])
    house.cloud.command('parties', 'approve', CLINIC)
    return str(shown['token'](house.cloud.origin, CLINIC, shown['private_key'], KEY))


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.trackme.api_fuzz', description=__doc__.splitlines()[0])
    parser.add_argument('--schemathesis', required=True, type=pathlib.Path)
    parser.add_argument('--seconds', type=int, default=60, help='duration of the requests at random')
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--trackme', default=TRACKME_PROGRAM, type=pathlib.Path)
    options = parser.parse_args()
    unwind_on_signals()
    with TrackMeHouse(options.gateway, options.trackme) as house:
        house.register()
        house.cloud.start()
        house.beat(BEAT_MS)
        try:
            visitor = person(house)
            session = '; '.join(f'{cookie.name}={cookie.value}' for cookie in visitor.cookies)
            done = subprocess.run(
                [options.schemathesis.resolve(), 'run', DOCUMENT, '--url', house.cloud.origin, '--checks', 'all',
                 '--exclude-checks', UNFIT_CHECKS, '--header', f'Cookie: {session}',
                 '--header', f'Authorization: Bearer {token(house)}', '--max-time', str(options.seconds),
                 '--continue-on-failure', '--request-timeout', '10', '--no-color', '--generation-database', 'none'],
                cwd=house.directory, check=False)
            is_served = house.cloud.is_healthy() and linked(visitor)
            print(f'the server {"still serves" if is_served else "does NOT serve"} the person')
            return done.returncode if is_served else 1
        finally:
            house.cloud.stop()


if __name__ == '__main__':
    sys.exit(main())
