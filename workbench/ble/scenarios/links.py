"""Values on many links: shared by the scenarios that count the lost ones."""
import contextlib
import difflib
import os

# Of one scenario. Each is a real reconnection; `LINKS=20 Tests/BLERig/run cuff_links` takes fewer.
LINKS = int(os.environ.get('LINKS') or 200)
# Virtual seconds. A value arrives within milliseconds; a lost one never.
LOST_AFTER_SECONDS = 20


async def arrives(house, look):
    """Waits until `look` becomes true, or the value is lost."""
    with contextlib.suppress(TimeoutError):
        await house.until(look, 'the value', seconds=LOST_AFTER_SECONDS)


def compare(sent, got):
    """Checks that each value that was sent arrived, once and in order."""
    steps = difflib.SequenceMatcher(None, sent, got, autojunk=False).get_opcodes()
    lost = [value for kind, i, j, _, _ in steps if kind in ('delete', 'replace') for value in sent[i:j]]
    more = [value for kind, _, _, i, j in steps if kind in ('insert', 'replace') for value in got[i:j]]
    assert not lost and not more, f'of {len(sent)}, {len(lost)} lost: {lost[:20]}; not sent or twice: {more[:20]}'
