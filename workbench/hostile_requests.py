"""Hostile HTTP requests for the pages of a house and for TrackMe, made out of the pages' own links and forms.

    python3 -m workbench.hostile_requests house|trackme [--inputs 20000] [--seed 1] [--gateway FILE] [--trackme FILE]

A crawl with the session of each role finds the links and the forms. A third of the inputs changes the bytes of a whole
request; the others change a path, a field or a body and keep the rest sound, so that they reach the code behind the
form. A process that ends, an answer with status 500 and a server that does not serve afterwards are findings: their
requests are kept in Tests/Fuzz/crashes. Ends with 0 without a finding.
"""
import argparse
import collections
import contextlib
import hashlib
import html.parser
import json
import pathlib
import random
import re
import socket
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from workbench.demo.trackme import TrackMeHouse, linked
from workbench.hostile_inputs import edged, mutated
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM, ROOT, TRACKME_PROGRAM
from workbench.trackme.api_fuzz import person, token
from workbench.trackme.server import PASSWORD, Visitor
from workbench.web.trial_house import TrialHouse

CLIENTS = 8
PAGES = 80   # of one crawl
# A request without an answer for the first time is taken for one that is cut short.
WHOLE_SECONDS, ANSWER_SECONDS = 0.3, 20.0
# A session lives for this many inputs: one of them may have ended it.
SESSION_INPUTS = 5_000
DOCUMENT = ROOT / 'docs/api/openapi.yaml'
# Members of bodies of the API, where the type alone makes no sound value.
SOUND: Mapping[str, object] = {
    'fiscal_code': 'RSSMRA41A41F205X', 'kinds': ['heart-rate'], 'from': '2026-11-01T00:00:00Z',
    'until': '2027-11-01T00:00:00Z', 'url': 'http://127.0.0.1:9/', 'events': ['shared'], 'format': 'samples',
    'precision': 'coarse', 'user': 'maria', 'bib': 7, 'box': 'e2e-house'}


@dataclass(frozen=True)
class Request:
    """A request of which one part may be changed."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, str], ...] | None = None
    body: bytes = b''

    def encoded(self) -> bytes:
        body, kind = self.body, 'application/json'
        if self.fields is not None:
            # Surrogates stand for bytes that are no UTF-8.
            body, kind = urllib.parse.urlencode(
                [(name.encode(errors='surrogateescape'), value.encode(errors='surrogateescape'))
                 for name, value in self.fields]).encode(), 'application/x-www-form-urlencoded'
        path = self.path
        if self.method == 'GET' and body:
            path, body = f'{path.partition("?")[0]}?{body.decode()}', b''
        head = [f'{self.method} {path} HTTP/1.1', *(f'{name}: {value}' for name, value in self.headers)]
        if self.method == 'POST':
            head += [f'Content-Type: {kind}', f'Content-Length: {len(body)}']
        return '\r\n'.join([*head, 'Connection: close', '', '']).encode(errors='surrogateescape') + body

    def changed(self, chance: random.Random) -> bytes:
        """Returns its bytes with a change."""
        kind = chance.randrange(3)
        if kind == 0:
            return mutated(chance, [self.encoded()], 20_000)
        if kind == 1 or (not self.fields and not self.body):
            path = mutated(chance, [self.path[1:].encode()], 4_000)
            return replace(self, path='/' + urllib.parse.quote(path, safe='/?&=%+')).encoded()
        if self.body:
            body = chance.choice([mutated(chance, [self.body], 20_000), edged(chance, [self.body])])
            return replace(self, body=body).encoded()
        fields = list(self.fields or ())
        place = chance.randrange(len(fields))
        name, value = fields[place]
        change = chance.randrange(6)
        if change == 0:
            del fields[place]
        elif change == 1:
            fields.append((name, 'x'))
        elif change == 2:
            fields[place] = (mutated(chance, [name.encode()], 200).decode(errors='surrogateescape'), value)
        elif change == 3:
            fields[place] = (name, str(chance.choice([0, 1, -1, 2**63 - 1, 2**63, -2**63, 2**64, '1e999', 'nan', ''])))
        else:
            fields[place] = (name, mutated(chance, [value.encode() or b'x'], 4_000).decode(errors='surrogateescape'))
        return replace(self, fields=tuple(fields)).encoded()


class Page(html.parser.HTMLParser):
    """The links and the forms of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[tuple[str, str, list[tuple[str, str]]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or '' for name, value in attributes}
        if tag == 'a' and found.get('href', '').startswith('/'):
            self.links.append(found['href'].split('#')[0])
        elif tag == 'form':
            self.forms.append((found.get('method', 'get').upper(), found.get('action', ''), []))
        elif tag in ('input', 'select', 'textarea', 'button') and self.forms and found.get('name'):
            self.forms[-1][2].append((found['name'], found.get('value', '')))


class Server:
    """A server at an address. `send` is for the bytes of any request."""

    def __init__(self, address: str, is_running: Callable[[], bool]) -> None:
        place = urllib.parse.urlsplit(address)
        assert place.hostname and place.port
        self.address, self.host, self.is_running = address, place.netloc, is_running
        self.place = (place.hostname, place.port)

    def send(self, data: bytes) -> bytes:
        """Returns the beginning of the answer; empty where the server has closed without one."""
        with socket.create_connection(self.place, WHOLE_SECONDS) as client:
            with contextlib.suppress(OSError):
                client.sendall(data)
            answer = b''
            while len(answer) < 200_000:
                try:
                    piece = client.recv(65_536)
                except TimeoutError:
                    if client.gettimeout() == ANSWER_SECONDS:
                        break
                    # The server waits for the rest of a request that has none.
                    client.settimeout(ANSWER_SECONDS)
                    with contextlib.suppress(OSError):
                        client.shutdown(socket.SHUT_WR)
                    continue
                except OSError:
                    break
                # A stream of events has no end.
                if not piece or b'text/event-stream' in answer:
                    break
                answer += piece
            return answer

    def crawled(self, headers: Mapping[str, str], starts: Iterable[str]) -> list[Request]:
        """Returns the links and forms that the session of `headers` finds, each path once."""
        common = (('Host', self.host), *headers.items())
        waiting, seen = collections.deque(starts), set(starts)
        found: dict[tuple[str, str], Request] = {}
        while waiting and len(seen) < PAGES * 4 and len(found) < PAGES * 4:
            path = waiting.popleft()
            request = Request('GET', path, common)
            found.setdefault(('GET', re.sub(r'\d+', '0', path)), request)
            head, _, text = self.send(request.encoded()).partition(b'\r\n\r\n')
            place = re.search(rb'\r\nlocation: (/[^\r]*)', head, re.I)
            page = Page(text.decode(errors='replace'))
            for link in page.links + ([place[1].decode()] if place else []):
                if link not in seen and len(seen) < PAGES:
                    seen.add(link)
                    waiting.append(link)
            for method, action, fields in page.forms:
                where = urllib.parse.urljoin(path, action or path)
                if where.startswith('/'):
                    origin = (('Origin', self.address),)
                    found[method, re.sub(r'\d+', '0', where)] = Request(
                        method, where, common + origin, tuple(fields))
        return list(found.values())


def api(headers: Mapping[str, str], server: Server) -> list[Request]:
    """Returns a request for each operation of the API's document."""
    common = (('Host', server.host), *headers.items())
    requests, path = [], ''
    for block in re.split(r'\n(?=  /|    (?:get|post|delete|put):)', DOCUMENT.read_text(encoding='utf-8')):
        if place := re.match(r'  (/\S*):', block):
            path = re.sub(r'\{\w+\}', '1', place[1])
        elif (method := re.match(r'    (get|post|delete|put):', block)) and method[1] in ('get', 'post'):
            members = dict(re.findall(r'(\w+): ?\{type: (\w+)', block.split('requestBody:')[-1].split('responses:')[0]))
            body: dict[str, object] = {
                name: 1 if kind in ('integer', 'number') else 'a' for name, kind in members.items()}
            body |= {name: value for name, value in SOUND.items() if f' {name}:' in block}
            more = (('Idempotency-Key', '1'),)
            query = '?' + '&'.join(f'{name}=1' for name in re.findall(r'- name: (\w+)\n\s+in: query', block))
            requests.append(
                Request('POST', path, common + more, body=json.dumps(body).encode()) if method[1] == 'post'
                else Request('GET', path + (query if len(query) > 1 else ''), common))
    return requests


class Campaign:
    """Sends changed requests by several clients at a time, and keeps findings."""

    def __init__(self, entry: str, server: Server, chance: random.Random) -> None:
        self.entry, self.server, self.chance = entry, server, chance
        self.statuses: collections.Counter[str] = collections.Counter()
        self.findings = 0
        self.slowest = 0.0
        self.lock = threading.Lock()

    def run(self, requests: list[Request], count: int) -> None:
        inputs = iter([self.chance.choice(requests).changed(self.chance) for _ in range(count)])

        def client() -> None:
            while self.server.is_running():
                with self.lock:
                    data = next(inputs, None)
                if data is None:
                    return
                began = time.monotonic()
                try:
                    answer = self.server.send(data)
                except OSError as error:
                    answer = type(error).__name__.encode()
                with self.lock:
                    self.slowest = max(self.slowest, time.monotonic() - began)
                    status = answer[9:12] if answer.startswith(b'HTTP/1.1 ') else answer[:20] or b'closed'
                    self.statuses[status.decode(errors='replace')] += 1
                    if status == b'500' or not self.server.is_running():
                        self.keep(data)

        clients = [threading.Thread(target=client) for _ in range(CLIENTS)]
        for each in clients:
            each.start()
        for each in clients:
            each.join()

    def keep(self, data: bytes) -> None:
        self.findings += 1
        folder = ROOT / 'Tests/Fuzz/crashes' / f'requests-{self.entry}'
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

    def report(self, is_served: bool) -> int:
        """Prints the counts. Returns the number of findings."""
        count = sum(self.statuses.values())
        print(f'{self.entry}: {count} inputs, {self.findings} findings, slowest answer {self.slowest:.2f} s, '
              f'{"serves" if is_served else "does NOT serve"} afterwards; answers: '
              + ', '.join(f'{status} {number}' for status, number in sorted(self.statuses.items())), flush=True)
        return self.findings + (not is_served)


def paired(house: TrialHouse, role: str, name: str) -> str:
    """Pairs a device. The wrong codes of the inputs before it let no code through for a minute."""
    for _ in range(20):
        with contextlib.suppress(AssertionError):
            return house.pair(role, name)
        time.sleep(5)
    return house.pair(role, name)


def attack_house(options: argparse.Namespace) -> int:
    chance = random.Random(options.seed)
    with TrialHouse(options.gateway) as house:
        house.be_calm()
        server = Server(house.address, lambda: house.children['console'].running and house.gateway.running)
        campaign = Campaign('house', server, chance)
        left, number = options.inputs, 0
        while left > 0 and server.is_running():
            requests = server.crawled({}, ['/', '/pair'])
            for role in ('room', 'person', 'family', 'carer', 'installer', 'organiser'):
                number += 1
                cookie = paired(house, role, f'{role} {number}')
                requests += server.crawled({'Cookie': cookie}, ['/', '/races'])
            campaign.run(requests, min(left, SESSION_INPUTS))
            left -= SESSION_INPUTS
        is_served = server.is_running() and house.get('/pair')[0] == 200 and bool(house.at_home('status', '--json'))
        return campaign.report(is_served)


def session(visitor: Visitor) -> dict[str, str]:
    return {'Cookie': '; '.join(f'{cookie.name}={cookie.value}' for cookie in visitor.cookies)}


def attack_trackme(options: argparse.Namespace) -> int:
    chance = random.Random(options.seed)
    with TrackMeHouse(options.gateway, options.trackme) as house:
        house.register()
        house.cloud.start()
        try:
            cloud = house.cloud
            server = Server(cloud.origin, lambda: bool(cloud.child and cloud.child.running) and house.gateway.running)
            maria, bearer = person(house), {'Authorization': f'Bearer {token(house)}'}
            cloud.dispatcher()
            cloud.command('accounts', 'add-installer', 'gino', '--name', 'Gino', '--fleet', 'Elettro', text=PASSWORD)
            campaign = Campaign('trackme', server, chance)
            left, number = options.inputs, 0
            while left > 0 and server.is_running():
                number += 1
                visitor = Visitor(cloud.origin)
                visitor.get('/register')
                visitor.post('/register', user=f'guest{number}', name='A guest', password=PASSWORD, again=PASSWORD,
                             agree='yes')
                sessions = [session(visitor), {}]
                for user in ('anna', 'gino'):
                    role = Visitor(cloud.origin)
                    role.get('/sign-in')
                    role.post('/sign-in', user=user, password=PASSWORD)
                    sessions.append(session(role))
                requests = api(bearer, server) + api(session(visitor), server)
                for headers in sessions:
                    requests += server.crawled(headers, ['/', '/account', '/links', '/runs', '/desk', '/fleet'])
                # Her pages are read: a form of hers may delete the account that the last check needs.
                requests += [each for each in server.crawled(session(maria), ['/', '/account']) if each.method == 'GET']
                campaign.run(requests, min(left, SESSION_INPUTS))
                left -= SESSION_INPUTS
            is_served = server.is_running() and cloud.is_healthy() and linked(maria)
            return campaign.report(is_served)
        finally:
            house.cloud.stop()


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.hostile_requests', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('server', choices=('house', 'trackme'))
    parser.add_argument('--inputs', type=int, default=20_000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--trackme', default=TRACKME_PROGRAM, type=pathlib.Path)
    options = parser.parse_args()
    unwind_on_signals()
    findings = attack_house(options) if options.server == 'house' else attack_trackme(options)
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
