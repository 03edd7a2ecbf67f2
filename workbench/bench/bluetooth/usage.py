"""Processor time and context switches of a process and its descendants so far, over all their threads."""
import pathlib
import re
import time

SWITCHES = re.compile(r'^(?:non)?voluntary_ctxt_switches:\s*(\d+)', re.MULTILINE)


class Usage:
    def __init__(self, cpu_ns, switches):
        self.cpu_ns, self.switches = cpu_ns, switches

    @classmethod
    def of(cls, process):
        cpu_ns = switches = 0
        for pid in family(process.pid):
            # The clock as clock_getcpuclockid(3) builds it: nanoseconds, where /proc/PID/stat counts ticks of 10 ms.
            cpu_ns += time.clock_gettime_ns(~pid << 3 | 2)
            for status in pathlib.Path(f'/proc/{pid}/task').glob('*/status'):
                switches += sum(int(count) for count in SWITCHES.findall(status.read_text()))
        return cls(cpu_ns, switches)

    def __sub__(self, earlier):
        return Usage(self.cpu_ns - earlier.cpu_ns, self.switches - earlier.switches)


def family(pid):
    """Returns the ids of a process and its descendants: the gateway runs its broker session in a process of its own."""
    parents = {}
    for stat in pathlib.Path('/proc').glob('[0-9]*/stat'):
        try:
            # The process name in parentheses may hold any character, also a parenthesis.
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(')')[2].split()[1])
        except OSError:
            continue   # the process has ended
    found = [pid]
    for parent in found:
        found += [child for child, its_parent in parents.items() if its_parent == parent]
    return found
