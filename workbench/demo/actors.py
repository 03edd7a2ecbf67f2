"""The processes of the demo besides the parts: the gateway, its watcher, the witness, and commands."""
import asyncio
import subprocess

from workbench import witness
from workbench.demo.demo_settings import GATEWAY, ISSUER, PERSON
from workbench.parts.child import Child
from workbench.paths import console_link

COMMAND_SECONDS = 5   # a command to a process on this machine takes milliseconds


class Cast:
    """The started processes. The end of `with` stops them in the opposite order."""

    def __init__(self, program, settings, broker_port, log):
        self.program, self.settings, self.broker_port, self.log = program, settings, broker_port, log
        self.children = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        while self.children:
            self.children.pop().stop()

    def start(self, command, **pipes):
        with open(self.log, 'ab') as log:
            child = Child(command, stderr=log, **{'stdout': log, **pipes})
        self.children.append(child)
        return child

    def gateway(self):
        return self.start([self.program, 'run', '--config', self.settings])

    def pages(self):
        """Starts the pages of the house. Returns the place at which a screen of the room pairs, with its code."""
        folder = self.settings.parent
        console = console_link(self.program)
        config = folder / 'console.toml'
        config.write_text(
            f'listen = ["127.0.0.1:0"]\ngateway_socket = "{folder / "console.sock"}"\n'
            f'state_directory = "{folder / "pages"}"\n', encoding='utf-8')
        served = self.start([console, 'serve', '--config', config], stdout=subprocess.PIPE)
        place = served.process.stdout.readline().decode().removeprefix('pages at ').strip()
        self.pair_command = [str(console), 'pair', '--config', str(config), '--role', 'room', '--name', 'Kitchen']
        made = subprocess.run(self.pair_command, check=True, capture_output=True, text=True, timeout=COMMAND_SECONDS)
        code = made.stdout.removeprefix('code: ').split(',')[0].replace('-', '')
        return f'{place}pair#{code}'

    def watcher(self):
        return self.start(
            [self.program, 'watch', '--config', self.settings, '--json'], stdout=subprocess.PIPE)

    def witness(self):
        """Starts a client of its own at the broker, which knows nothing of the gateway.

        A retained message is published first. Its arrival shows that the witness is subscribed.
        """
        self.finish(witness.ready_command(self.broker_port))
        return self.start(witness_command(self.broker_port), stdout=subprocess.PIPE)

    def finish(self, command):
        """Runs a command to its end. Returns true when it succeeded."""
        child = self.start(command)
        try:
            return child.process.wait(COMMAND_SECONDS) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            self.children.remove(child)
            child.stop()

    async def run(self, command):
        """Runs a command to its end without blocking the listeners."""
        child = self.start(command)
        try:
            async with asyncio.timeout(COMMAND_SECONDS):
                while child.running:
                    await asyncio.sleep(0.01)
            return child.process.returncode == 0
        except TimeoutError:
            return False
        finally:
            self.children.remove(child)
            child.stop()

    async def accept(self, alarm, by):
        """Accepts a call: a person at the ambulance service takes it, and the service signs the acceptance."""
        try:
            signed = await asyncio.to_thread(subprocess.run, [
                self.program, 'contract', 'accept', '--key', self.settings.parent / 'issuer.jwk', '--issuer', ISSUER,
                '--gateway', GATEWAY, '--person', PERSON, '--alarm', alarm, '--by', by],
                capture_output=True, text=True, timeout=COMMAND_SECONDS, check=True)
        except subprocess.SubprocessError:
            return False
        return await self.run([
            'mosquitto_pub', '-p', str(self.broker_port), '-q', '1', '-m', signed.stdout.strip(),
            '-t', f'trackme/v1/{GATEWAY}/sos/{PERSON}/accepted'])

    async def abort(self, by):
        return await self.run([self.program, 'abort', '--config', self.settings, '--by', by])


def witness_command(port):
    return witness.command(port, form='%U %t %p')
