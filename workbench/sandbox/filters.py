"""The seccomp filters of the settings of systemd.exec(5), after systemd's seccomp-util.c: one for each setting.

Where several filters refuse a call, the last loaded one gives the error.
"""
import ctypes
import errno
import socket
import stat

import seccomp
from seccomp import EQ, GE, MASKED_EQ, NE, Arg

from workbench.sandbox import calls
from workbench.sandbox.refusal import Refusal

# <linux/sched.h>: CLONE_NEWCGROUP, NEWIPC, NEWNET, NEWNS, NEWPID, NEWUSER, NEWUTS, and NEWTIME.
NAMESPACES = (0x02000000, 0x08000000, 0x40000000, 0x00020000, 0x20000000, 0x10000000, 0x04000000, 0x00000080)
PROT_WRITE, PROT_EXEC, SHM_EXEC = 2, 4, 0o100000
O_CREAT = 0o100
# Above every address family (AF_MAX of <linux/socket.h> is 46).
FAMILY_LIMIT = 64


class Denials:
    """A filter that allows all calls that it does not name."""

    def __init__(self):
        self.filter = seccomp.SyscallFilter(seccomp.ALLOW)

    def add(self, name, *conditions, error=errno.EPERM):
        """All of the conditions together; those that this architecture does not have need no denial."""
        number = calls.number(name)
        if number is not None:
            self.filter.add_rule(seccomp.ERRNO(error), number, *conditions)
        return self


def has(argument, bits):
    return Arg(argument, MASKED_EQ, bits, bits)


def made_of(unit):
    """Returns the filters of the unit in the order of loading: the list of allowed calls comes last."""
    known = calls.sets()
    found = [make() for name, make in SWITCHES.items() if unit.truth(name)]
    found += [of_set(known, each) for name, each in SETS.items() if unit.truth(name)]
    if 'RestrictAddressFamilies' in unit.settings:
        found.append(address_families(unit.words('RestrictAddressFamilies')))
    if 'SystemCallFilter' in unit.settings:
        found.append(allowed(unit.words('SystemCallFilter'), unit.text('SystemCallErrorNumber'), known))
    return found


def allowed(names, error, known):
    for name in names:
        if not name.startswith('@') and not calls.is_known(name):
            raise Refusal(f'SystemCallFilter={name}: there is no such system call')
    filter = seccomp.SyscallFilter(refusal(error))
    # Every list of allowed calls holds @default.
    numbers = {calls.number(name) for name in calls.expand(['@default', *names], known)}
    for number in sorted(numbers - {None}):
        filter.add_rule(seccomp.ALLOW, number)
    return filter


def refusal(error):
    if error in (None, 'kill'):
        return seccomp.KILL_PROCESS
    if not hasattr(errno, error):
        raise Refusal(f'SystemCallErrorNumber={error} is not done here, only names such as EPERM')
    return seccomp.ERRNO(getattr(errno, error))


def of_set(known, name):
    denials = Denials()
    for each in set(calls.expand([name], known)):
        denials.add(each)
    return denials.filter


def address_families(names):
    wanted = {getattr(socket, name, None) for name in names}
    if None in wanted:
        raise Refusal(f'RestrictAddressFamilies={" ".join(names)}: one of them is not known here')
    denials = Denials()
    for family in set(range(FAMILY_LIMIT)) - wanted:
        denials.add('socket', Arg(0, EQ, family), error=errno.EAFNOSUPPORT)
    return denials.add('socket', Arg(0, GE, FAMILY_LIMIT), error=errno.EAFNOSUPPORT).filter


def executable_memory():
    denials = Denials()
    for mapping in ('mmap', 'mmap2'):
        denials.add(mapping, has(2, PROT_WRITE | PROT_EXEC))
    for protection in ('mprotect', 'pkey_mprotect'):
        denials.add(protection, has(2, PROT_EXEC))
    return denials.add('shmat', has(2, SHM_EXEC)).filter


def namespaces():
    denials = Denials().add('setns')
    for flag in NAMESPACES:
        denials.add('unshare', has(0, flag)).add('clone', has(0, flag))
    # Its flags lie in memory, which no filter can read; libc falls back to clone().
    return denials.add('clone3', error=errno.ENOSYS).filter


def personality():
    now = ctypes.CDLL(None).personality(ctypes.c_ulong(0xFFFFFFFF))
    return Denials().add('personality', Arg(0, NE, now)).filter


def set_user_id():
    denials = Denials()
    for bit in (stat.S_ISUID, stat.S_ISGID):
        for name, mode in (('chmod', 1), ('fchmod', 1), ('fchmodat', 2), ('fchmodat2', 2), ('mkdir', 1),
                           ('mkdirat', 2), ('mknod', 1), ('mknodat', 2), ('creat', 1)):
            denials.add(name, has(mode, bit))
        denials.add('open', has(1, O_CREAT), has(2, bit)).add('openat', has(2, O_CREAT), has(3, bit))
    return denials.add('openat2', error=errno.ENOSYS).filter


def host_name():
    return Denials().add('sethostname').add('setdomainname').filter


def kernel_log():
    return Denials().add('syslog').filter


SWITCHES = {
    'LockPersonality': personality, 'MemoryDenyWriteExecute': executable_memory, 'ProtectHostname': host_name,
    'ProtectKernelLogs': kernel_log, 'RestrictNamespaces': namespaces, 'RestrictSUIDSGID': set_user_id}
SETS = {'ProtectClock': '@clock', 'ProtectKernelModules': '@module'}
