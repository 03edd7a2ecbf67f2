"""The demo: a gateway in a house of virtual and real parts, and a story that tests its promises.

    python3 -m workbench.demo [--seconds N] [--gateway PROGRAM]

N: duration of the run; 0, the default, runs until Ctrl-C. A story that has begun goes on to its end. Ends with 0 when
every promise was kept, or when a run without an end is interrupted.
"""
import argparse
import asyncio
import contextlib
import pathlib
import shlex
import sys
import tempfile

from workbench.demo.actors import Cast, witness_command
from workbench.demo.ambulance import Ambulance
from workbench.demo.count import Count
from workbench.demo.demo_settings import write_settings
from workbench.demo.listeners import Listeners, kind_of
from workbench.demo.observations import Ledger
from workbench.demo.story import Story
from workbench.demo.timeline import ALERT, Timeline
from workbench.demo.verdict import judge, summary
from workbench.demo.wearables import MEASUREMENTS, WEARABLES, Body
from workbench.parts.interruption import Interrupted, unwind_on_signals
from workbench.parts.part import StartError
from workbench.paths import GATEWAY_PROGRAM
from workbench.services import Services
from workbench.witness import READY_TOPIC

START_SECONDS = 30   # for the gateway to find the wearables; far more than it takes on an idle machine
STORY_SECONDS = 55   # more than the story takes
STORY_EVERY_SECONDS = 60
SETTLE_SECONDS = 3   # for the last readings to arrive before they are counted


class Failure(Exception):
    """The demo cannot go on. The text is the reason in one plain sentence."""


class Demo:
    def __init__(self, seconds, services, ambulance, cast, timeline, sounds):
        self.seconds, self.services, self.cast, self.timeline = seconds, services, cast, timeline
        self.ambulance = ambulance
        self.ledger = Ledger()
        self.body = Body(services.bluez)
        self.story = Story(self.ledger, timeline, cast, self.body, sounds)

    async def run(self):
        asyncio.get_running_loop().set_exception_handler(report_unless_interrupted)
        async with asyncio.TaskGroup() as group:
            background = await self.start(group)
            await self.tell_stories()
            background.pop().cancel()   # the body: the values that were sent may arrive now
            await self.ledger.wait(lambda: Count(self.ledger).missing == 0, SETTLE_SECONDS)
            for task in background:
                task.cancel()

    async def start(self, group):
        """Connects gateway and wearables. Returns the tasks that continue, the body last."""
        listeners = Listeners(self.ledger, self.timeline)
        witness = self.cast.witness()
        tasks = [
            group.create_task(listeners.wearables(self.services.bluez.started.stdout)),
            group.create_task(listeners.witness(witness.process.stdout)),
            group.create_task(listeners.ambulance(self.ambulance.output))]
        await self.require(
            lambda: self.ledger.first('broker', kind_of(READY_TOPIC), 0), 'The witness at the broker heard nothing.')
        gateway = self.cast.gateway()
        tasks.append(group.create_task(self.guard(gateway)))
        tasks.append(group.create_task(self.watch(listeners)))
        for device, measurement in MEASUREMENTS.items():
            await self.require(lambda: self.ledger.first(
                'wearables', 'subscribed', 0,
                lambda e: (e.get('id'), e.get('characteristic')) == (device, measurement)),
                f'The gateway did not find the {device}.')
        await self.require(
            lambda: self.ledger.first('gateway', 'position') and not self.lacking(),
            'The gateway lacks its wearables, the broker or a position.')
        for trouble in self.ledger.troubles.values():   # such as no right to real-time priority
            self.timeline.say('gateway', f'trouble: {trouble.get("title")}', ALERT)
        self.ledger.has_begun = True
        tasks.append(group.create_task(self.body.live()))
        return tasks

    def lacking(self):
        return [
            code for code, _ in self.ledger.troubles
            if code in ('wearable-away', 'broker-unreachable', 'position-unavailable')]

    async def require(self, look, sentence):
        if not await self.ledger.wait(look, START_SECONDS):
            raise Failure(f'{sentence} ({START_SECONDS} s)')

    async def guard(self, gateway):
        while gateway.running:
            await asyncio.sleep(0.2)
        raise Failure(f'The gateway ended by itself, with status {gateway.process.returncode}.')

    async def watch(self, listeners):
        """Reads the gateway's feed, with a new watcher when one ends, as it does before the gateway has started."""
        while True:
            watcher = self.cast.watcher()
            await listeners.gateway(watcher.process.stdout)
            self.cast.children.remove(watcher)
            watcher.stop()
            await asyncio.sleep(0.2)

    async def tell_stories(self):
        end = self.timeline.elapsed + self.seconds if self.seconds else float('inf')
        while True:
            began = self.timeline.elapsed
            await self.story.tell()
            following = began + STORY_EVERY_SECONDS
            if following + STORY_SECONDS > end:
                await asyncio.sleep(max(0, end - self.timeline.elapsed))
                return
            await asyncio.sleep(max(0, following - self.timeline.elapsed))


def report_unless_interrupted(loop, context):
    """The exception handler of the event loop: an interruption ends some task and is not reported."""
    if not isinstance(context.get('exception'), Interrupted):
        loop.default_exception_handler(context)


def introduce(timeline, cast, seconds, place):
    settings = shlex.quote(str(cast.settings))
    timeline.plain(
        '\nMaria lives alone. She wears a heart rate strap and an oximeter, has a blood pressure cuff and a\n'
        'thermometer, and a button to call for help. Her gateway listens to them over Bluetooth, judges each\n'
        'reading in the house, and calls for help within 5 seconds: through a broker, and an ambulance service\n'
        'over HTTP. A witness at the broker, who knows nothing of the gateway, sees whether that is true.\n'
        'The house sounds and speaks, here into files.\n\n'
        'Gateway, D-Bus, broker, gpsd and voice are real; the wearables, the Bluetooth service (org.bluez), the GPS\n'
        'receiver and the ambulance service are played.')
    timeline.plain(
        f'\nIt runs {f"for about {seconds} s" if seconds else "until Ctrl-C"}. '
        'To try meanwhile, in another terminal:\n')
    for command in ('watch', 'status', 'abort'):
        timeline.plain(f'  {shlex.quote(str(cast.program))} {command} --config {settings}')
    timeline.plain(f'  {shlex.join(witness_command(cast.broker_port)[:-2])} -v')
    timeline.plain(
        '\nThe screen of the room, for a browser on this machine (the code is for one device, for 5 minutes):\n\n'
        f'  {place}\n\nAnother code:\n\n  {shlex.join(cast.pair_command)}\n\n'
        'The cloud half has a demo of its own: make demo-trackme\n')


def failure_in(problem):
    """Returns the reason inside a TaskGroup's exception, or None."""
    if isinstance(problem, Failure):
        return problem
    if isinstance(problem, BaseExceptionGroup):
        return next(filter(None, map(failure_in, problem.exceptions)), None)
    return None


def show_log(timeline, log):
    tail = log.read_text(errors='replace').splitlines()[-20:] if log.exists() else []
    if tail:
        timeline.plain('\nThe gateway said last:')
        for line in tail:
            timeline.plain(f'  {line}')


def perform(demo, log):
    """Runs the demo. Returns the exit status."""
    interruption = None
    try:
        asyncio.run(demo.run())
    except Interrupted as signalled:
        interruption = signalled
        demo.timeline.end_countdown()
        demo.timeline.say('demo', 'interrupted; stopping everything')
    except BaseExceptionGroup as problem:
        if not (failure := failure_in(problem)):
            raise
        demo.timeline.end_countdown()
        show_log(demo.timeline, log)
        demo.timeline.plain(f'\n{failure}')
        return 1
    summary(demo.timeline, demo.ledger, demo.story, is_over=not interruption)
    if interruption:
        return interruption.code if demo.seconds else 0
    return 0 if judge(demo.timeline, demo.ledger, demo.story) else 1


def arguments():
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.demo', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=int, default=0, metavar='N', help='0: until Ctrl-C')
    parser.add_argument(
        '--gateway', type=pathlib.Path, default=GATEWAY_PROGRAM, metavar='PROGRAM')
    found = parser.parse_args()
    if found.seconds < 0:
        parser.error('--seconds is 0 or more')
    if not found.gateway.is_file():
        sys.exit(f'There is no gateway at {found.gateway}. Build it first: make build')
    return found


def main():
    chosen = arguments()
    unwind_on_signals()
    timeline = Timeline()
    with contextlib.ExitStack() as stack:
        timeline.plain('Starting a D-Bus, a virtual bluetoothd, gpsd and a broker of our own ...')
        services = stack.enter_context(Services({'peripherals': WEARABLES}))
        ambulance = stack.enter_context(Ambulance())
        log = services.directory / 'gateway.log'
        sounds = pathlib.Path(tempfile.mkdtemp(prefix='homegateway-sound-'))   # the directory stays, for listening
        settings = write_settings(services.directory, services.addresses(), ambulance.url, sounds)
        cast = stack.enter_context(
            Cast(chosen.gateway.resolve(), settings, services.broker.port, log))
        introduce(timeline, cast, chosen.seconds, cast.pages())
        demo = Demo(chosen.seconds, services, ambulance, cast, timeline, sounds)
        return perform(demo, log)


if __name__ == '__main__':
    try:
        sys.exit(main())
    except StartError as problem:
        sys.exit(f'The demo cannot start: {problem}')
    except Interrupted as signalled:   # while starting
        sys.exit(signalled.code)
