"""An ambulance service for tests: receives calls over HTTPS and checks each against its standard.

    python3 -m workbench.ambulance_service [--certificate PEM --key PEM] [--client-ca PEM] [--token TOKEN]
                                           [--oldest-tls] [--port N] [--tell-answers]

Prints {"port": N} when it listens, and then one JSON line for each request. Ends with its standard input. With
--tell-answers a line {"answered": ALARM} follows each answer that takes a call. The path of a POST selects the answer:

    /take                200, empty
    /accept, /ack        200 with an acceptance, as JSON or as a CAP Ack
    /poll                202 with a Location that accepts at the third GET
    /elsewhere           202 with a Location at another origin
    /flaky               500 once, then 200
    /status/N            N
    /redirect            307 to /take
    /hang                no answer
    /slow/SECONDS        200, empty, after that time
    /slow-body           200 and a body that never ends, a byte at a time
    /endless, /endless-head   200 and a body, or a head, without end
    /other-alarm, /other-reference, /wrong-status, /error, /garbage, /entities   invalid answers
"""
import argparse
import contextlib
import http.server
import json
import socketserver
import ssl
import sys
import threading
import time

from workbench.cap import NAMESPACE, Alert

OTHER = '01890000-0000-7000-8000-000000000000'


class Calls:
    """The requests so far. Several threads handle requests at the same time."""

    def __init__(self):
        self.lock = threading.Lock()
        self.posts = {}
        self.questions = {}

    def tell(self, event):
        with self.lock:
            print(json.dumps(event), flush=True)

    def count(self, table, key):
        with self.lock:
            table[key] = table.get(key, 0) + 1
            return table[key]


def ack(call, references=None, status=None, kind='Ack'):
    """A CAP message that answers `call`."""
    triple = references or ','.join((call['sender'], call['identifier'], call['sent']))
    return f'''<?xml version="1.0" encoding="UTF-8"?>
<cap:alert xmlns:cap="{NAMESPACE}"><cap:identifier>ack.1</cap:identifier>
<cap:sender>centre@ambulance.example</cap:sender><cap:sent>2026-03-01T08:30:05+01:00</cap:sent>
<cap:status>{status or call['status']}</cap:status><cap:msgType>{kind}</cap:msgType>
<cap:source>Operator &amp; 7</cap:source><cap:scope>Private</cap:scope>
<cap:addresses>{call['sender']}</cap:addresses><cap:references>{triple}</cap:references></cap:alert>'''


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    server: 'Server'

    def log_message(self, *_):
        pass

    def do_OPTIONS(self):
        self.heard({})
        self.answer(204)

    def do_GET(self):
        self.heard({})
        if not self.is_known():
            return
        asked = self.server.calls.count(self.server.calls.questions, self.path)
        accepted = {'by': 'Operator 7', 'alarm': self.path.rsplit('/', 1)[1]} if asked >= 3 else None
        self.answer(200, json.dumps({'accepted': accepted}))

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        call = self.parse(body)
        self.heard({**call, 'body': body.decode()})
        if self.is_known():
            self.server.calls.count(self.server.calls.posts, self.path)
            self.reply(call)
            if self.server.tells_answers and self.has_taken:
                self.server.calls.tell({'answered': call['incidents']})

    def parse(self, body):
        if self.headers['Content-Type'].startswith('application/cap+xml'):
            alert = Alert(body)
            fields = ('identifier', 'sender', 'sent', 'status', 'msgType', 'incidents', 'references')
            return {'problem': alert.problem, **{field: alert.text(field) for field in fields}}
        call = json.loads(body)
        return {'problem': None, 'identifier': call['id'], 'sender': call['sender'], 'sent': call['sent'],
                'status': call['status'], 'msgType': call['state'], 'incidents': call.get('alarm'),
                'references': None}

    def heard(self, call):
        certificate = self.connection.getpeercert() if self.server.is_encrypted else None
        names = [value for part in (certificate or {}).get('subject', ()) for _, value in part]
        self.server.calls.tell({
            'method': self.command, 'path': self.path, 'key': self.headers['Idempotency-Key'],
            'type': self.headers['Content-Type'], 'client': names[0] if names else None,
            'authorization': self.headers['Authorization'], **call})

    def is_known(self):
        token = self.server.token
        if token and self.headers['Authorization'] != f'Bearer {token}':
            self.answer(401)
            return False
        return True

    def answer(self, status, body='', kind='application/json', **headers):
        self.has_taken = status in (200, 202)
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body.encode())))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def reply(self, call):
        word, _, rest = self.path.lstrip('/').partition('/')
        answers = {
            'take': lambda: self.answer(200),
            'accept': lambda: self.answer(200, '{"accepted": {"by": "Operator 7"}}'),
            'ack': lambda: self.answer(200, ack(call), 'application/cap+xml'),
            'poll': lambda: self.answer(202, Location=f'/calls/{call["incidents"]}'),
            'elsewhere': lambda: self.answer(202, Location='https://localhost:1/calls/1'),
            'flaky': lambda: self.answer(500 if self.server.calls.posts[self.path] == 1 else 200),
            'status': lambda: self.answer(int(rest)),
            'redirect': lambda: self.answer(307, Location='/take'),
            'hang': lambda: time.sleep(3600),
            'slow': self.slow,
            'slow-body': self.slow_body,
            'endless': self.endless,
            'endless-head': self.endless_head,
            'other-alarm': lambda: self.answer(
                200, json.dumps({'accepted': {'by': 'Operator 7', 'alarm': OTHER}})),
            'other-reference': lambda: self.answer(200, ack(call, f'{call["sender"]},{OTHER},{call["sent"]}')),
            'wrong-status': lambda: self.answer(200, ack(call, status='Test')),
            'error': lambda: self.answer(200, ack(call, kind='Error')),
            'garbage': lambda: self.answer(200, '{"accepted": {"by":'),
            'entities': lambda: self.answer(
                200, '<!DOCTYPE a [<!ENTITY b "bb">]>' + ack(call), 'application/cap+xml'),
        }
        answers[word]()

    def slow(self):
        time.sleep(float(self.path.rpartition('/')[2]))
        self.answer(200)

    def slow_body(self):
        self.send_response(200)
        self.send_header('Content-Length', '1000')
        self.end_headers()
        while True:
            self.wfile.write(b' ')
            time.sleep(0.05)

    def endless(self):
        self.send_response(200)
        self.send_header('Connection', 'close')
        self.end_headers()
        while True:
            self.wfile.write(b'{"accepted": {"by": "' + b'a' * 16_384)

    def endless_head(self):
        self.wfile.write(b'HTTP/1.1 200 OK\r\n')
        while True:
            self.wfile.write(b'X-Filler: ' + b'a' * 1_000 + b'\r\n')


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, options):
        super().__init__(('127.0.0.1', options.port), Handler)
        self.calls, self.token, self.tells_answers = Calls(), options.token, options.tell_answers
        self.is_encrypted = bool(options.certificate)

    def handle_error(self, request, client_address):
        # Several tests have a client that hangs up during a request.
        self.calls.tell({'broken': str(sys.exc_info()[1])})


class TLSServer(Server):
    """Makes the TLS handshake in the thread of the request: a handshake that hangs delays no other request."""

    def __init__(self, options):
        super().__init__(options)
        self.context = context(options)

    def finish_request(self, request, client_address):
        with self.context.wrap_socket(request, server_side=True) as connection:
            Handler(connection, client_address, self)

    def shutdown_request(self, request):
        with contextlib.suppress(OSError):
            super().shutdown_request(request)


def context(options):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(options.certificate, options.key)
    if options.client_ca:
        made.load_verify_locations(options.client_ca)
        made.verify_mode = ssl.CERT_REQUIRED
    if options.oldest_tls:
        made.set_ciphers('ALL:@SECLEVEL=0')
        made.minimum_version = ssl.TLSVersion.TLSv1
        made.maximum_version = ssl.TLSVersion.TLSv1_1
    return made


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.ambulance_service')
    parser.add_argument('--certificate')
    parser.add_argument('--key')
    parser.add_argument('--client-ca')
    parser.add_argument('--token')
    parser.add_argument('--oldest-tls', action='store_true')
    parser.add_argument('--port', type=int, default=0, help='0 for a free one')
    parser.add_argument('--tell-answers', action='store_true')
    options = parser.parse_args()
    server = (TLSServer if options.certificate else Server)(options)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.calls.tell({'port': server.server_address[1]})
    sys.stdin.read()


if __name__ == '__main__':
    main()
