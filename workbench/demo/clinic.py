"""A clinic that asks two patients of two houses for their heart rates.

Its programs are those that docs/trackme/parties.md shows to companies.
"""
import http.server
import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workbench.demo.consent import say
from workbench.house import GATEWAY, PERSON, NotSeen
from workbench.parts.port import HOST, free_port
from workbench.paths import ROOT
from workbench.trackme.server import TrackMe, Visitor

CLINIC, KEY, NAME = 'clinic', '2026-1', 'Clinica Verdi'
FISCAL_CODE, OTHER_CODE, UNKNOWN_CODE = 'RSSMRA41E42F205F', 'NREMRA41E42F205N', 'MRTMTT25D09F205Z'
SECONDS = 20       # for a question to reach the house, an answer the clinic, and a copy the log
END_SECONDS = 1.0  # from the receipt of the end of a grant to the last byte for the clinic


@dataclass(frozen=True)
class Patient:
    """A person with an account. `at_home` runs a command in her house; `question` waits there for a request.

    `link`: number of the account's link to her.
    """

    visitor: Visitor
    at_home: Any
    question: Any
    link: int

    def give_code(self, code: str) -> None:
        """Lets companies find her: the code is written at home, the account asks for it, and she says yes at home."""
        self.at_home('profile', 'set', '--fiscal-code', code, '--person', PERSON, '--by', PERSON)
        self.visitor.get('/sharing')
        self.visitor.post(f'/sharing/{self.link}/code')
        self.at_home('consent', 'accept', self.question('code-'), '--by', 'Maria')
        if not until(lambda: 'Given by the house since' in self.visitor.get('/sharing')):
            raise NotSeen('the fiscal code of the house')


def programs() -> dict[str, Any]:
    """Returns the functions and the key of docs/trackme/parties.md, word for word."""
    text = (ROOT / 'docs/trackme/parties.md').read_text(encoding='utf-8')
    names: dict[str, Any] = {'print': lambda jwk: names.update(jwk=jwk)}
    for program in re.findall(r'```python\n(.*?)```', text.replace('\n   ', '\n'), re.S):
        exec(compile(program, 'docs/trackme/parties.md', 'exec'), names)
    return names


class Endpoint:
    """Endpoint of the clinic's webhook: keeps what arrives, and acknowledges it."""

    def __init__(self) -> None:
        self.received: list[tuple[dict[str, str], bytes]] = []
        received = self.received

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers['content-length']))
                received.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.port = free_port()
        self.server = http.server.ThreadingHTTPServer((HOST, self.port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def until(condition: Any, seconds: float = SECONDS) -> Any:
    """Asks until the answer is true, and returns it; the last one after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        if (found := condition()) or time.monotonic() > end:
            return found
        time.sleep(0.05)


def told_apart(
        copies: list[tuple[str, str, bytes]], answers: list[dict[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Two persons of one short name have accepted with one number of the grant: `request` tells whose a copy is."""
    say('clinic', 'has asked ' + ' and '.join(
        f'{a["id"]} ({a.get("person")} of {a.get("house")}, grant {a.get("grant")})' for a in answers))
    named = [(a.get('person'), a.get('grant')) for a in answers]
    yield 'both patients have the same short name and number of the grant', (
        named[0] == named[1] and named[0][0] == PERSON and named[0][1] is not None)
    houses = {a['id']: a.get('house') for a in answers}
    yield 'the accepted requests name the two houses', len(set(houses.values())) == 2 and GATEWAY in houses.values()
    yield 'each copy names the request of its own patient, outside and inside', (
        {request for request, _, _ in copies} == set(houses) and all(
            f'/{houses[request]}/' in topic and json.loads(payload).get('request') == request
            for request, topic, payload in copies))


def tell(cloud: TrackMe, patient: Patient, other: Patient) -> Iterator[tuple[str, bool]]:
    """Plays the clinic's part. The second patient lives in another house."""
    visitor, at_home, question = patient.visitor, patient.at_home, patient.question
    shown = programs()
    company = Visitor(cloud.origin)
    company.get('/parties/register')
    company.post(
        '/parties/register', name=NAME, vat='IT00743110157', id=CLINIC, contact='it@clinic.example', key=shown['jwk'])
    say('operator', cloud.command('parties', 'list').strip())
    cloud.command('parties', 'approve', CLINIC)
    access = shown['token'](cloud.origin, CLINIC, shown['private_key'], KEY)
    early = shown['ask'](cloud.origin, access, FISCAL_CODE, 'Too early', ['heart-rate'], 'study-0')
    patient.give_code(FISCAL_CODE)
    other.give_code(OTHER_CODE)
    say('house', f'gives the fiscal code after her yes; TrackMe shows {visitor.origin}/sharing')
    yield 'a company finds nobody before her house gave the code', (
        early['state'] == 'sent' and 'Too early' not in visitor.get('/sharing'))

    asked = shown['ask'](cloud.origin, access, FISCAL_CODE, 'Study of the heart', ['heart-rate'], 'study-1')
    nobody = shown['ask'](cloud.origin, access, UNKNOWN_CODE, 'Study of the heart', ['heart-rate'], 'study-2')
    varying = {'id', 'asked', 'expires'}
    yield 'an unknown fiscal code gets the answer of a known one', (
        {k: v for k, v in asked.items() if k not in varying} == {k: v for k, v in nobody.items() if k not in varying})
    endpoint = Endpoint()
    try:
        subscription = shown['call'](
            cloud.origin, '/api/v1/party/subscriptions', access, {'url': f'http://{HOST}:{endpoint.port}/hook'})
        request = question('ask-')
        say('house', at_home('consent', 'show', request))
        yield 'the clinic has nothing before her yes', shown['poll'](cloud.origin, access, 0) == ([], 0)
        at_home('consent', 'accept', request, '--by', 'Maria')
        copies, _ = until(lambda: (page := shown['poll'](cloud.origin, access, 0))[0] and page) or ([], 0)
        say('clinic', f'reads {copies[0][1]}: {copies[0][2].decode()}' if copies else 'reads nothing')
        yield 'the clinic reads what her house addressed to it', (
            bool(copies) and f'/parties/{CLINIC}/{PERSON}/heart-rate' in copies[0][1])
        second = shown['ask'](cloud.origin, access, OTHER_CODE, 'Study of the heart', ['heart-rate'], 'study-3')
        other.at_home('consent', 'accept', other.question('ask-'), '--by', 'Maria Neri')

        def of_both() -> list[tuple[str, str, bytes]]:
            page: list[tuple[str, str, bytes]] = shown['poll'](cloud.origin, access, 0)[0]
            return page if len({request for request, _, _ in page}) == 2 else []

        read = until(of_both)
        yield from told_apart(read, [
            shown['call'](cloud.origin, f'/api/v1/party/requests/{a["id"]}', access) for a in (asked, second)])
        until(lambda: endpoint.received)
        message = shown['verified'](*endpoint.received[0], subscription['key']) if endpoint.received else {}
        say('webhook', f'{len(message.get("data", {}).get("messages", []))} messages, signature good')
        yield 'the webhook brings them with a good signature', message.get('type') == 'shared.messages'

        begin = time.monotonic()
        at_home('consent', 'withdraw', request, '--by', 'Maria')
        state = f'/api/v1/party/requests/{asked["id"]}'
        is_told = until(lambda: shown['call'](cloud.origin, state, access)['state'] == 'withdrawn')
        say('clinic', f'is told {time.monotonic() - begin:.2f} s after the beginning of the command at home')
        yield 'the clinic is told of her withdrawal', bool(is_told)
        yield 'and reads nothing of her from then on, of before either; the other patient stays', (
            {copy[0] for copy in shown['poll'](cloud.origin, access, 0)[0]} == {second['id']})
        other.at_home('consent', 'withdraw', second['id'], '--by', 'Maria Neri')
        state = f'/api/v1/party/requests/{second["id"]}'
        until(lambda: shown['call'](cloud.origin, state, access)['state'] == 'withdrawn')
        time.sleep(END_SECONDS)
        sent = len(endpoint.received)
        time.sleep(2 * END_SECONDS)
        yield 'a second later the webhook is silent', len(endpoint.received) == sent
    finally:
        endpoint.stop()
    yield 'she sees the clinic, its request and the reads', all(
        word in visitor.get('/sharing') for word in (NAME, 'Study of the heart', 'has read'))
    try:
        cloud.command('parties', 'suspend', CLINIC)
        shown['poll'](cloud.origin, access, 0)
        yield 'a suspended clinic is refused', False
    except OSError as refusal:
        yield 'a suspended clinic is refused', '401' in str(refusal)
