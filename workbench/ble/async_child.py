"""Child processes of a scenario, each with a log. All end with the scenario."""
import asyncio
import os
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE

STOP_SECONDS = 20   # well above the gateway's own limit for an orderly stop, 4.5 s
LONGEST_LINE = 1 << 20


async def lines(pipe):
    """Yields the lines of a child's output as they come."""
    while line := await pipe.readline():
        yield line.decode(errors='replace').rstrip('\n')


class Child:
    def __init__(self, process):
        self.process = process

    @classmethod
    async def start(cls, *command, log=None, stdout=PIPE, environment=None):
        """Standard error is appended to the file `log`; without one it is a pipe too."""
        with open(log or os.devnull, 'ab') as errors:
            return cls(await asyncio.create_subprocess_exec(
                *map(str, command), stdin=DEVNULL, stdout=stdout, stderr=errors if log else PIPE,
                limit=LONGEST_LINE, env={**os.environ, **(environment or {})}))

    @property
    def running(self):
        return self.process.returncode is None

    async def stop(self):
        """Ends the process with SIGTERM, and with SIGKILL after a time-out."""
        if self.running:
            self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
            except TimeoutError:
                await self.kill()

    async def kill(self):
        if self.running:
            self.process.send_signal(signal.SIGKILL)
            await self.process.wait()

    def processor_seconds(self):
        """Returns the processor time of all threads, from the process clock (clock_getcpuclockid(3))."""
        scheduler_clock = 2
        return time.clock_gettime(~self.process.pid << 3 | scheduler_clock)
