"""Processor time and context switches of a process so far, over all its threads."""
import pathlib
import re
import time

SWITCHES = re.compile(r'^(?:non)?voluntary_ctxt_switches:\s*(\d+)', re.MULTILINE)


class Usage:
    def __init__(self, cpu_ns, switches):
        self.cpu_ns, self.switches = cpu_ns, switches

    @classmethod
    def of(cls, process):
        # The clock as clock_getcpuclockid(3) builds it: nanoseconds, where /proc/PID/stat counts ticks of 10 ms.
        cpu_ns = time.clock_gettime_ns(~process.pid << 3 | 2)
        switches = 0
        for status in pathlib.Path(f'/proc/{process.pid}/task').glob('*/status'):
            switches += sum(int(count) for count in SWITCHES.findall(status.read_text()))
        return cls(cpu_ns, switches)

    def __sub__(self, earlier):
        return Usage(self.cpu_ns - earlier.cpu_ns, self.switches - earlier.switches)
