"""System calls by name: the sets of systemd, and the calls of this architecture."""
import subprocess

import seccomp

from workbench.sandbox.refusal import Refusal


def sets():
    """Returns the members of each set of this machine's systemd, such as @clock: calls and other sets."""
    command = ['systemd-analyze', '--no-pager', 'syscall-filter']
    try:
        answer = subprocess.run(command, capture_output=True, text=True)
    except OSError as problem:
        raise Refusal(f'the sets of system calls cannot be had: {problem}') from problem
    if answer.returncode != 0:
        raise Refusal(f'the sets of system calls cannot be had: {answer.stderr.strip()}')
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in answer.stdout.splitlines():
        word = line.strip()
        if word.startswith('#'):
            continue
        if line.startswith('@'):
            current = found[word] = []
        elif word:
            current.append(word)
    return found


def expand(names, known):
    for name in names:
        if not name.startswith('@'):
            yield name
        elif name in known:
            yield from expand(known[name], known)
        else:
            raise Refusal(f'this systemd has no set of system calls {name}')


def number(name):
    """Returns the number of a call, or None where this architecture lacks it, such as clock_adjtime64 on 64 bits."""
    found = seccomp.resolve_syscall(seccomp.Arch(), name)
    return found if found >= 0 else None


def is_known(name):
    """Returns true for a call of any architecture; libseccomp gives -1 for an unknown one."""
    return seccomp.resolve_syscall(seccomp.Arch(), name) != -1
