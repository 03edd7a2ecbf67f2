"""Builds the Swift tests and runs them: several suites at a time, because most of them wait for the daemons they start.

    scripts/test [--trackme] [--build DIRECTORY] [--no-build] [--once] [--workers N] [PATTERN ...]

With --trackme the tests are those of the cloud half. Each PATTERN is a regular expression; a test runs when one of
them is found in its name. Suites that measure time run alone at the end. A failed suite is run once more, alone, which
tells a fault from a race condition: a suite that passes only then is named at the end. Ends with 0 when every test
passed; with --once, only when each did so at its first run.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys
import time

from workbench.paths import ROOT

LIMIT_SECONDS = 900   # for one suite; the slowest takes about 110 s
# Suites that compare durations, count wake-ups or hash passwords on all processors: other work beside them changes the
# result.
ALONE = re.compile(r'RealTime|Latency|Kills|thread|Worker|DeadlineTimer|SignIn|flood of sign-ins', re.IGNORECASE)
COUNT = re.compile(r'Test run with (\d+) tests?')
FAILED = re.compile(r'^\S*✘\S* Test (.+?) failed after', re.MULTILINE)
SUITE_ORDER = 60.0   # assumed seconds of an integration suite that has not been timed on this machine


def suites(names):
    """The tests by suite: `Target.Suite`, one level deeper below `Integration`."""
    groups: collections.OrderedDict[str, list[str]] = collections.OrderedDict()
    for name in names:
        parts = name.split('/')
        depth = 2 if parts[0].endswith('.Integration') and len(parts) > 2 else 1
        groups.setdefault('/'.join(parts[:depth]) if len(parts) > 1 else name, []).append(name)
    return groups


def run(bundle, suite, chosen):
    """One process for one suite. `chosen`: its tests where not all of them run, else None."""
    names = chosen or [suite]
    filters = [word for name in names for word in ('--filter', '^' + re.escape(name) + ('' if chosen else '(/|$|\\()'))]
    start = time.monotonic()
    process = subprocess.Popen(
        [str(bundle), '--testing-library', 'swift-testing', '--no-parallel', *filters], cwd=ROOT, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors='replace')
    try:
        output, _ = process.communicate(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
        output += f'\nerror: {suite} was ended after {LIMIT_SECONDS} s'
    count = sum(int(number) for number in COUNT.findall(output))
    return suite, process.returncode, count, time.monotonic() - start, output


def excerpt(output):
    """The lines that say what failed: each failure with its own lines, until the next line of the runner."""
    lines = output.splitlines()
    shown: list[str] = []
    for index, line in enumerate(lines):
        if re.search(r'recorded an issue|error: |unexpected signal|Fatal error|✘', line):
            own = itertools.takewhile(lambda each: not re.match(r'\S*[◇✔✘]', each), lines[index + 1:index + 40])
            shown += [each for each in (line, *own) if each not in shown]
    return '\n'.join(shown[:90] or lines[-20:])


def main():
    parser = argparse.ArgumentParser(
        prog='scripts/test', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--trackme', action='store_true', help='the tests of the cloud half')
    parser.add_argument('--build', default='.build', metavar='DIRECTORY', help='of the build; .build unless given')
    parser.add_argument('--no-build', action='store_true', help='run what is built')
    parser.add_argument('--once', action='store_true', help='fail where a suite passes only when it is run again')
    parser.add_argument('--workers', type=int, default=2 * (os.cpu_count() or 1), help='suites at a time')
    parser.add_argument('patterns', nargs='*', metavar='PATTERN')
    arguments = parser.parse_args()
    build = ROOT / arguments.build
    # A plan of the build in the cache may be that of the other package.
    package = ['--disable-build-manifest-caching', '--package-path', 'TrackMe'] if arguments.trackme else []
    bundle = build / f'debug/{"TrackMe" if arguments.trackme else "HomeGateway"}PackageTests.xctest'
    durations_file = build / f'test-durations{"-trackme" if arguments.trackme else ""}.json'
    if not arguments.no_build and subprocess.run(
            ['swift', 'build', *package, '--scratch-path', str(build), '--build-tests'], cwd=ROOT).returncode:
        return 1
    began = time.monotonic()
    listed = subprocess.run(
        [str(bundle), '--testing-library', 'swift-testing', '--list-tests'], cwd=ROOT, capture_output=True, text=True,
        check=True).stdout.splitlines()
    patterns = [re.compile(pattern) for pattern in arguments.patterns]
    groups = suites(listed)
    work = {}
    for suite, names in groups.items():
        chosen = [name for name in names if not patterns or any(pattern.search(name) for pattern in patterns)]
        if chosen:
            work[suite] = None if len(chosen) == len(names) else chosen
    if not work:
        print('no test matches', *arguments.patterns, file=sys.stderr)
        return 1
    try:
        durations = json.loads(durations_file.read_text())
    except (OSError, ValueError):
        durations = {}
    # The longest first, so that no long one is left over at the end.
    order = sorted(work, key=lambda suite: -durations.get(suite, SUITE_ORDER if 'Integration' in suite else 1))
    beside = [suite for suite in order if not ALONE.search(suite)]
    alone = [suite for suite in order if ALONE.search(suite)]
    passed, failed, again, unsteady = 0, [], [], []

    def note(result):
        suite, status, count, seconds, output = result
        if status == 0:
            durations[suite] = round(seconds, 2)
            if seconds >= 1 or count == 0:
                print(f'{suite}: {count} passed in {seconds:.1f} s', flush=True)
            return count
        print(f'{suite}: FAILED after {seconds:.1f} s', flush=True)
        return None

    with concurrent.futures.ThreadPoolExecutor(arguments.workers) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run, bundle, suite, work[suite]) for suite in beside]):
            count = note(done.result())
            if count is None:
                again.append(done.result())
            else:
                passed += count
    for suite in alone:
        result = run(bundle, suite, work[suite])
        count = note(result)
        if count is None:
            again.append(result)
        else:
            passed += count
    for first in again:
        print(f'\n== {first[0]} failed, run again alone\n{excerpt(first[4])}', flush=True)
        second = run(bundle, first[0], work[first[0]])
        count = note(second)
        if count is None:
            failed.append(second)
            passed += second[2] - len(set(FAILED.findall(second[4])))
        else:
            passed += count
            unsteady.append(first[0])
    if not patterns:
        durations_file.write_text(json.dumps(durations, indent=0, sort_keys=True))
    for suite, _, _, _, output in failed:
        print(f'\n== failed: {suite}\n{excerpt(output)}')
    for suite in unsteady:
        print(f'\n== passed only when run again: {suite}')
    names = sum(max(1, len(set(FAILED.findall(each[4])))) for each in failed)
    print(f'\nran {len(work)} suites, {len(unsteady)} of them twice, in {time.monotonic() - began:.0f} s')
    print(f'{passed} passed, {names} failed')
    return 1 if failed or arguments.once and unsteady else 0


if __name__ == '__main__':
    sys.exit(main())
