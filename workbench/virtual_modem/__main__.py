"""A GSM modem without a radio: AT commands of 3GPP TS 27.007 and 27.005, as far as ModemManager uses
them. It decodes the submitted texts (TS 23.040) and prints them as lines of JSON.

    python3 -m workbench.virtual_modem NAME     the socket of ModemManager's port `abstract:NAME`

Lines on standard input change it: `refuse NUMBER`, `accept NUMBER`, `silent` (texts are taken and never
answered), `searching`, `registered`, `gone` (unplugged), `deliver NUMBER TEXT` (a text comes in). Of the call that is
on the line: `ring`, `answer`, `busy`, `hangup` (by the other side), `key 1` (a tone, as modems of SIMCom tell it). A
call is told as `{"dialled": NUMBER}`, its end by the user as `{"hungup": NUMBER}`. `{"done": true}` follows each line
that has changed it. It ends with its standard input."""
import argparse
import contextlib
import json
import os
import re
import socket
import sys
import threading
import time

from workbench.virtual_modem.pdu import decode, deliver

IDENTITY = '123456789012345'

ANSWERS = {
    '+CGMI': 'HomeGateway Rig', '+CGMM': 'Virtual', '+CGMR': '1.0', '+CGSN': IDENTITY, '+CIMI': '222010000000001',
    '+GCAP': '+GCAP: +CGSM', '+CPIN?': '+CPIN: READY', '+CSQ': '+CSQ: 18,99', '+CFUN?': '+CFUN: 1',
    '+COPS?': '+COPS: 0,0,"Rig Mobile"', '+CMGF=?': '+CMGF: (0,1)', '+CMGF?': '+CMGF: 0',
    '+CPMS=?': '+CPMS: ("ME","SM"),("ME","SM"),("ME","SM")',
    '+CNMI=?': '+CNMI: (0-2),(0-3),(0,2),(0-2),(0,1)', '+WS46=?': '+WS46: (12,22,25)', '+WS46?': '+WS46: 25',
    '+CSCS=?': '+CSCS: ("GSM","UCS2")', '+CSCS?': '+CSCS: "GSM"', '+IFC=?': '+IFC: (0-2),(0-2)',
    '+CLCC=?': '+CLCC: (0,1)', '+CSMS?': '+CSMS: 1,1,1,1', '+CSCA?': '+CSCA: "+393200000000",145',
    '+CBC': '+CBC: 0,100',
}
QUIET = re.compile(
    r'^([EVQXZHS&]\S*|\+(CMEE|CREG|CGREG|COPS|CFUN|CMGF|CNMI|CSCS|IFC|CSMS|CLIP|CRC|CLCC)=.*)?$')


class Network:
    """The network of the modem, as set on standard input."""

    def __init__(self):
        self.refused = set()
        self.is_silent = False
        self.is_registered = True
        self.lines = []
        self.inbox = {}
        self.unread = set()
        # A modem sends no news within an answer.
        self.line_is_free = threading.RLock()
        self.called = None
        self.call_state = 2

    def change(self, line):
        word, _, rest = line.strip().partition(' ')
        if word == 'refuse':
            self.refused.add(rest)
        elif word == 'accept':
            self.refused.discard(rest)
        elif word == 'silent':
            self.is_silent = True
        elif word in ('searching', 'registered'):
            self.is_registered = word == 'registered'
            self.announce(f'+CREG: {self.registration}', f'+CGREG: {self.registration}')
        elif word == 'deliver':
            place = max(self.inbox, default=0) + 1
            self.inbox[place] = deliver(*rest.split(' ', 1))
            self.unread.add(place)
            tell(inbox=len(self.inbox))
            threading.Thread(target=self.announce_text, args=(place,), daemon=True).start()
        elif word in ('ring', 'answer', 'busy', 'hangup', 'key'):
            self.progress(word, rest)
        elif word == 'gone':
            tell(done=True)
            os._exit(0)
        tell(done=True)

    def announce(self, *news):
        for line in list(self.lines):
            with self.line_is_free, contextlib.suppress(OSError):   # the line is being closed
                line.say(*news)

    def announce_text(self, place):
        """Announces a text each second until it is read.

        ModemManager 1.20 drops the news of a text while it reads or deletes another one
        (`indication_lock_storages_ready` in its mm-broadband-modem.c).
        """
        while place in self.unread:
            self.announce(f'+CMTI: "ME",{place}')
            time.sleep(1)

    def progress(self, word, key):
        """TS 27.007 section 7.18: 2 is dialling, 3 alerting, 0 active."""
        if self.called is None:
            return
        time.sleep(0.5)   # a network takes its time
        states = {'ring': 3, 'answer': 0}
        if word in states:
            self.call_state = states[word]
            news = self.call
        elif word == 'key':
            news = f'+RXDTMF: {key}'
        else:
            news, self.called = 'BUSY' if word == 'busy' else 'NO CARRIER', None
        self.announce(news)

    @property
    def call(self):
        return f'+CLCC: 1,0,{self.call_state},0,0,"{self.called}",145'

    @property
    def registration(self):
        """TS 27.007 section 7.2: at home in a cell, or searching."""
        return '1,"1234","0000ABCD"' if self.is_registered else '2'


class Line:
    """One connection of a user of the modem."""

    def __init__(self, network, write):
        self.network, self.write = network, write
        self.buffer = b''
        self.echoes = True
        self.awaits_text = False
        self.memory = 'ME'

    @property
    def inbox(self):
        """Texts come into the modem's own memory; that of the card is empty."""
        return self.network.inbox if self.memory == 'ME' else {}

    def take(self, data):
        self.buffer += data
        while True:
            end = b'\x1a' if self.awaits_text else b'\r'
            if end not in self.buffer:
                return
            line, self.buffer = self.buffer.split(end, 1)
            if self.awaits_text:
                self.awaits_text = False
                self.submit(line.decode('latin1').strip())
            else:
                self.command(line.decode('latin1').strip('\x00\x1a\x1b \n'))

    def command(self, line):
        if self.echoes:
            self.write(line.encode() + b'\r')
        if line[:2].upper() != 'AT':
            return
        order = line[2:]
        if order.upper().startswith('+CMGS='):
            self.awaits_text = True
            self.write(b'\r\n> ')
            return
        if order[:2].upper() in ('E0', 'E1'):
            self.echoes = order[1] == '1'
        self.answer(order)

    def answer(self, order):
        if match := re.fullmatch(r'D([+0-9]+);', order):
            self.network.called, self.network.call_state = match[1], 2
            tell(dialled=match[1])
            self.say('', 'OK')
        elif order in ('H', '+CHUP'):
            if self.network.called:
                tell(hungup=self.network.called)
            self.network.called = None
            self.say('', 'OK')
        elif order == '+CLCC':
            self.say(self.network.call if self.network.called else '', 'OK')
        elif order in ('+CREG?', '+CGREG?'):
            self.say(f'{order[:-1]}: 2,{self.network.registration}', 'OK')
        elif order in ANSWERS:
            self.say(ANSWERS[order], 'OK')
        elif order == '+CPMS?':
            self.say('+CPMS: ' + ','.join([f'"{self.memory}",{len(self.inbox)},50'] * 3), 'OK')
        elif match := re.match(r'\+CPMS="(\w+)"', order):
            self.memory = match[1]
            self.say('+CPMS: ' + ','.join([f'{len(self.inbox)},50'] * 3), 'OK')
        elif order == '+CMGL=4':
            for place, (pdu, length) in sorted(self.inbox.items()):
                self.network.unread.discard(place)
                self.say(f'+CMGL: {place},1,,{length}', pdu.hex().upper())
            self.say('', 'OK')
        elif match := re.fullmatch(r'\+CMG([RD])=(\d+)(,0)?', order):
            self.stored(match[1], int(match[2]))
        else:
            # 100: unknown (TS 27.007 section 9.2).
            self.say('', 'OK' if QUIET.match(order.upper()) else '+CME ERROR: 100')

    def stored(self, act, place):
        if place not in self.inbox:
            self.say('', '+CMS ERROR: 321')   # invalid memory index (TS 27.005 section 3.2.5)
        elif act == 'D':
            del self.inbox[place]
            self.network.unread.discard(place)
            tell(inbox=len(self.network.inbox))
            self.say('', 'OK')
        else:
            pdu, length = self.inbox[place]
            self.network.unread.discard(place)
            tell(read=place)
            self.say(f'+CMGR: 1,,{length}', pdu.hex().upper(), 'OK')

    def submit(self, text):
        message = decode(bytes.fromhex(text))
        # 38: network out of order (TS 27.005 section 3.2.5).
        is_refused = message['number'] in self.network.refused
        tell(sms=message, refused=is_refused)
        if self.network.is_silent:
            return
        if is_refused:
            self.say('', '+CMS ERROR: 38')
        else:
            self.say('+CMGS: 7', 'OK')

    def say(self, *lines):
        for line in lines:
            if line:
                self.write(b'\r\n' + line.encode() + b'\r\n')


def tell(**what):
    # One write: threads tell at the same time.
    sys.stdout.write(json.dumps(what, ensure_ascii=False) + '\n')
    sys.stdout.flush()


def serve_socket(name, network):
    listener = socket.socket(socket.AF_UNIX)
    # ModemManager's own tests name the socket like the port, with its prefix.
    listener.bind(f'\0abstract:{name}')
    listener.listen(8)
    tell(ready=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, network), daemon=True).start()


def serve(connection, network):
    line = Line(network, connection.sendall)
    network.lines.append(line)
    try:
        while data := connection.recv(4096):
            with network.line_is_free:
                line.take(data)
    except OSError:
        pass  # The other side has closed it.
    finally:
        network.lines.remove(line)


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.virtual_modem', description=__doc__.splitlines()[0])
    parser.add_argument('name', metavar='NAME')
    options = parser.parse_args()
    network = Network()
    threading.Thread(target=serve_socket, args=(options.name, network), daemon=True).start()
    for line in sys.stdin:
        network.change(line)


if __name__ == '__main__':
    main()
