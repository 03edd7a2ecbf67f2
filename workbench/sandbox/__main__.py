"""Runs a command under the sandbox of the gateway's systemd unit, as far as a process can apply it to itself.

    as-unit [--unit FILE] -- COMMAND [WORD ...]

Applied: the filters of system calls and of address families, the capabilities (as root; other users have none to
drop), no new privileges and the umask. Not applied: settings that need a mount namespace, a control group, the account
or a right to raise limits: ProtectSystem, ProtectHome, DeviceAllow, MemoryMax, User, LimitRTPRIO. A setting of the
sandbox in neither list below is an error, so that none is forgotten.

Its own failures end with 125.
"""
import argparse
import os
import pathlib
import re
import sys

from workbench.paths import ROOT
from workbench.sandbox.refusal import Refusal
from workbench.sandbox.unit import Unit

UNIT = ROOT / 'systemd/homegateway.service'
SANDBOX = re.compile('Ambient|Capability|Keyring|Lock|MemoryDeny|NoNew|Private|Protect|Restrict|Secure|SystemCall')
DONE = {
    'AmbientCapabilities', 'CapabilityBoundingSet', 'LockPersonality', 'MemoryDenyWriteExecute', 'NoNewPrivileges',
    'ProtectClock', 'ProtectHostname', 'ProtectKernelLogs', 'ProtectKernelModules',
    'RestrictAddressFamilies', 'RestrictNamespaces', 'RestrictSUIDSGID', 'SystemCallErrorNumber', 'SystemCallFilter'}
# Not applied: programs of this machine make calls of its own architecture only.
LEFT = {
    'PrivateDevices', 'PrivateMounts', 'PrivateTmp', 'ProtectControlGroups', 'ProtectHome', 'ProtectKernelTunables',
    'ProtectProc', 'ProtectSystem', 'SystemCallArchitectures'}


def main():
    parser = argparse.ArgumentParser(usage='as-unit [--unit FILE] -- COMMAND [WORD ...]')
    parser.add_argument('--unit', type=pathlib.Path, default=UNIT)
    parser.add_argument('command', nargs='+')
    choice = parser.parse_args()
    try:
        run(Unit(choice.unit), choice.command)
    except Refusal as problem:
        print(f'as-unit: {problem}', file=sys.stderr)
        sys.exit(125)


def run(unit, command):
    strange = sorted(name for name in unit.settings if SANDBOX.match(name) and name not in DONE | LEFT)
    if strange:
        raise Refusal(f'{unit.path} has what is not done here yet: {", ".join(strange)}')
    try:
        from workbench.sandbox.filters import made_of
    except ImportError as problem:
        raise Refusal(f'{problem}; python3-seccomp is needed: make setup') from problem
    filters = made_of(unit)
    os.umask(int(unit.text('UMask') or '0022', 8))
    words = command
    if os.geteuid() == 0:
        words = ['setpriv', *capabilities(unit), '--', *command]
    # Loading a filter sets no_new_privs, so a lesser user may load it too.
    for each in filters:
        each.load()
    try:
        os.execvp(words[0], words)
    except OSError as problem:
        raise Refusal(f'{words[0]}: {problem.strerror}') from problem


def capabilities(unit):
    """Returns the options of setpriv(1) for the capabilities of the unit."""
    def kept(name):
        return ','.join(['-all'] + ['+' + word.lower().removeprefix('cap_') for word in unit.words(name)])
    ambient = kept('AmbientCapabilities')
    bounding = [f'--bounding-set={kept("CapabilityBoundingSet")}'] if 'CapabilityBoundingSet' in unit.settings else []
    return [f'--inh-caps={ambient}', f'--ambient-caps={ambient}', *bounding]


if __name__ == '__main__':
    main()
