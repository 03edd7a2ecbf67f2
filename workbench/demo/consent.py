"""The demo of consent: a study requests Maria's heart rate, and gets it from her yes to her no, and not a byte more.

    python3 -m workbench.demo.consent [--gateway PROGRAM]

Gateway, D-Bus and broker are real, the strap and the Bluetooth service are virtual. The cloud, the study and Maria are
three programs that know nothing of each other. Ends with 0 when each promise was kept.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

from workbench import gateway_settings as settings
from workbench.house import GATEWAY, ORDINARY, PERSON, STRAP, House, NotSeen
from workbench.issuer import Issuer
from workbench.parts.child import Child
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM
from workbench.witness import READY_TOPIC

STUDY, REQUEST = 'uni-milano', 'study-7'
PARTY_TOPIC = f'trackme/v1/{GATEWAY}/parties/{STUDY}/{PERSON}/heart-rate'
CLOUD_TOPIC = f'trackme/v1/{GATEWAY}/samples/{PERSON}/heart-rate'
RECEIPTS = f'trackme/v1/{GATEWAY}/receipts'
BEAT_MS = 250
STREAM_SECONDS = 5


class ConsentHouse(House):
    """A house with one issuer of commands. The demo has made its key."""

    # Without the receipts, which are not JSON and have a subscriber of their own.
    witness_topics = [f'trackme/v1/+/{part}' for part in ('status', 'samples/#', 'parties/#')] + [
        READY_TOPIC]

    def more_settings(self):
        self.issuer = Issuer(self.directory)
        return settings.commands(self.issuer.jwks)

    def homegateway(self, *words, text=''):
        """Runs a command that must succeed, and returns its output."""
        done = subprocess.run(
            [str(self.program), *words], input=text, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            raise NotSeen(f'homegateway {" ".join(words)} to succeed: {done.stdout}{done.stderr}')
        return done.stdout

    def at_home(self, *words):
        return self.homegateway(*words, '--config', str(self.settings))

    def receipt(self, is_it):
        """Returns the claims of the first receipt that `is_it` accepts, after a check of its signature."""
        # The broker keeps no receipt: the subscription comes before the command.
        for line in self.receipts.stdout:
            claims = json.loads(self.homegateway('contract', 'verify', '--key', str(self.public), text=line.decode()))
            if is_it(claims):
                return claims
        raise NotSeen('a receipt')

    def listen_to_receipts(self):
        self.public = self.directory / 'gateway.jwks'
        self.public.write_text(self.at_home('contract', 'keys', '--jwks'), encoding='utf-8')
        self.receipts = Child(
            ['mosquitto_sub', '-p', self.services.broker.port, '-q', '1', '-t', RECEIPTS], stdout=subprocess.PIPE)
        self.cleanup.callback(self.receipts.stop)

    def command(self, **cmd):
        """Signs and publishes a command of the cloud, and returns the claims of its receipt."""
        token = self.homegateway(
            'contract', 'sign', '--key', str(self.issuer.jwk), '--issuer', 'trackme', '--gateway',
            GATEWAY, text=json.dumps(cmd)).strip()
        self.publish_signed(token)
        return self.receipt(lambda claims: claims['event'] == 'command')

    def shared(self):
        return self.find(lambda e: e['source'] == 'broker' and e['topic'] == PARTY_TOPIC)

    def sampled(self):
        return self.find(lambda e: e['source'] == 'broker' and e['topic'] == CLOUD_TOPIC and 'value' in e)


def say(who, text):
    for index, line in enumerate(text.rstrip().splitlines()):
        print(f'{who if index == 0 else "":12}{line}', flush=True)


def tell(house):
    """Plays the demo. Yields each promise, with true where it was kept."""
    house.listen_to_receipts()
    house.services.bluez.perform({
        'op': 'stream', 'id': STRAP, 'values': [{'bpm': bpm, 'contact': True} for bpm in range(66, 76)],
        'every_ms': BEAT_MS})
    house.until('readings at the cloud', lambda e: e.get('topic') == CLOUD_TOPIC)

    answer = house.command(
        type='request', request=REQUEST, party={'id': STUDY, 'name': 'University of Milan'}, person=PERSON,
        purpose='A study of the heart rate in sleep', kinds=['heart-rate'])
    say('cloud', f'asks by a signed command; receipt: {answer["result"]}')
    yield 'the request is taken, and answered by a signed receipt', answer['result'] == 'done'
    time.sleep(2)
    say('Maria', house.at_home('consent', 'show', REQUEST))
    yield 'nothing goes to the study before she has answered', not house.shared()

    say('Maria', house.at_home('consent', 'accept', REQUEST, '--by', 'Maria'))
    house.until('readings at the study', lambda e: e.get('topic') == PARTY_TOPIC)
    decided = house.receipt(lambda claims: claims.get('decision', {}).get('request') == REQUEST)['decision']
    say('cloud', f'is told by a signed receipt: {decided["verdict"]}')
    yield 'the cloud learns what was answered in the house', decided['verdict'] == 'accepted'
    time.sleep(STREAM_SECONDS)
    say('study', f'has {len(house.shared())} readings, the newest of {house.shared()[-1]["time"]}')

    say('Maria', house.at_home('consent', 'withdraw', REQUEST, '--by', 'Maria'))
    ended = house.receipt(lambda claims: claims['event'] == 'grant-ended')['grant']
    last = ended['last'].get('heart-rate')
    say('cloud', f'is told by a signed receipt: {ended["how"]} by {ended["by"]}, {ended["purged"]} unsent deleted, '
                 f'last sent {last}')
    since = len(house.sampled())
    time.sleep(STREAM_SECONDS)
    came = [e['id'] for e in house.shared()]
    say('study', f'has {len(came)} readings now, the last {came[-1]}')
    yield 'the strap went on, and the cloud heard it', len(house.sampled()) > since
    yield 'the last reading at the study is the one that the receipt names', came[-1] in (last, *ended['underway'])
    say('Maria', house.at_home('consent', 'verify'))
    yield 'no reading came twice', len(came) == len(set(came))


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.demo.consent', description=__doc__.splitlines()[0])
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    arguments = parser.parse_args()
    unwind_on_signals()
    broken = 0
    with ConsentHouse(arguments.gateway, ORDINARY) as house:
        for promise, is_kept in tell(house):
            print(f'{"kept" if is_kept else "BROKEN":12}{promise}', flush=True)
            broken += not is_kept
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(main())
