"""The pages of the cloud half in a real browser: a person registers, links her account, and sees her heart rate live.

    python3 -m workbench.trackme [--gateway PROGRAM] [--trackme PROGRAM] [--pictures FOLDER]

Gateway, broker, server and Chromium are real, the strap is virtual. Each page is held against axe-core on a phone and a
large screen, light and dark, in both languages. Ends with 0 when each rule was kept.
"""
import argparse
import contextlib
import json
import pathlib
import sys
import time
from collections.abc import Iterator

from playwright.sync_api import Browser, BrowserContext, Page

from workbench.demo import run_pages
from workbench.demo.trackme import LINK_SECONDS, LIVE_SECONDS, PASSWORD, TrackMeHouse
from workbench.house import GATEWAY, PERSON
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM, TRACKME_PROGRAM
from workbench.trackme.server import DISPATCHER, DISPATCHER_NAME, NotServed, TrackMe, Visitor
from workbench.web import browser as web

BEAT_MS = 250
USER = 'maria.r'
INSTALLER = 'gino'
# Three intervals of heartbeats and 10 s, and some for the start of a gateway.
AWAY_SECONDS = 60
# Areas of the figures of groups.
AREAS = ('Milano centro', 'Milano nord e comuni della Brianza')


class AreaHouse(TrackMeHouse):
    """A house with a server that publishes figures of groups, at a name: browsers make passkeys for names alone."""

    def make_cloud(self, directory: pathlib.Path) -> TrackMe:
        return TrackMe(self.trackme, directory, self.services.broker.port, AREAS, 'localhost')


class Trial:
    """Rules of each page, with those that it broke."""

    def __init__(self, chromium: Browser, house: TrackMeHouse, pictures: pathlib.Path | None) -> None:
        self.chromium, self.house, self.pictures = chromium, house, pictures
        self.findings: list[str] = []
        self.looks = 0

    def visitor(self, screen: web.Screen = web.PHONE, scheme: str = 'light', language: str = 'en',
                script: bool = True, state: object = None) -> BrowserContext:
        return web.visitor(self.chromium, self.house.cloud.origin, screen, scheme, language, script, state)

    def look(self, path: str, state: object = None, only: str = '') -> None:
        """Opens a page on each screen, in each scheme, and holds it against the rules.

        `only`: language of the account, which counts for more than the browser's.
        """
        for screen, scheme, language in (
                (web.PHONE, 'light', 'en'), (web.PHONE, 'dark', 'it'), (web.KIOSK, 'light', 'it'),
                (web.KIOSK, 'dark', 'en')):
            if only not in ('', language):
                continue
            context = self.visitor(screen, scheme, language, state=state)
            watched = web.Watched(context)
            page = watched.page
            answer = page.goto(path)
            if answer and answer.status == 404:
                watched.errors.clear()   # the browser reports the status itself
            name = f'{path}, {screen.name}, {scheme}, {language}'
            self.findings += [f'{name}: {text}' for text in web.violations(page)]
            self.findings += [f'{name}: the browser reports {text}' for text in watched.errors]
            if '…' in page.inner_text('body'):
                self.findings.append(f'{name}: a text is longer than a page shows')
            page.set_viewport_size({'width': web.NARROWEST, 'height': screen.height})
            if wide := web.overflow(page):
                self.findings.append(f'{name}: scrolls sideways at {web.NARROWEST} px: {wide}')
            page.set_viewport_size({'width': screen.width, 'height': screen.height})
            if self.pictures:
                picture = f'{path.strip("/").replace("/", "-") or "root"}-{screen.name}-{scheme}-{language}.png'
                page.screenshot(path=self.pictures / picture, full_page=True)
            self.looks += 1
            context.close()


def register(page: Page, user: str = USER, name: str = 'Maria Rossi') -> None:
    """Registers by keyboard and mouse, as a person does."""
    page.goto('/register')
    page.fill('#user', user)
    page.fill('#name', name)
    page.fill('#password', PASSWORD)
    page.fill('#again', PASSWORD)
    page.check('input[name=agree]')
    page.click('main button[type=submit]')
    page.wait_for_url('**/data')


def ask_with(page: Page, code: str) -> None:
    """Asks for a link that acts, with a code of the house."""
    page.goto('/links')
    page.fill('#house', GATEWAY)
    page.fill('#person', PERSON)
    page.fill('#code', code)
    page.select_option('#role', 'acts')
    page.click('form[action="/links"] button')
    page.wait_for_selector('[role=status]')


def refuse_a_stranger(trial: Trial) -> Iterator[tuple[str, bool]]:
    """Has the holder of another account guess the code of the house, in both languages."""
    house, context = trial.house, trial.visitor()
    page = context.new_page()
    register(page, 'otto', 'Otto Neri')
    ask_with(page, '0000-0000' if house.link_code() != '0000-0000' else '0000-0001')
    end = time.monotonic() + LINK_SECONDS
    while not (refused := page.query_selector('text=The house shows no such code')) and time.monotonic() < end:
        time.sleep(0.5)
        page.goto('/links')
    yield 'with a wrong code the house asks nobody, and the page says it', bool(refused) and (
        'otto' not in house.at_home('consent', 'list'))
    look_in_both(trial, page, '/links?refused')
    web.leave(context)


def sign_in(page: Page) -> None:
    page.goto('/sign-in')
    page.fill('#user', USER)
    page.fill('#password', PASSWORD)
    page.keyboard.press('Enter')
    page.wait_for_url('**/data/1')


def look_after_boxes(trial: Trial) -> Iterator[tuple[str, bool]]:
    """Plays the part of an installer, with the house as the one box."""
    house = trial.house
    house.cloud.command(
        'accounts', 'add-installer', INSTALLER, '--name', 'Gino Bianchi', '--fleet', 'Elettro Rossi',
        text=PASSWORD + '\n')
    context = trial.visitor()
    page = context.new_page()
    page.goto('/sign-in')
    page.fill('#user', INSTALLER)
    page.fill('#password', PASSWORD)
    page.keyboard.press('Enter')
    page.wait_for_url('**/fleet')
    page.click('a[href="/fleet/add"]')
    page.fill('#code', house.at_home('contract', 'claim'))
    page.keyboard.press('Enter')
    page.wait_for_url(f'**/fleet/boxes/{GATEWAY}')
    yield 'an installer adds the box by its code', page.inner_text('h1') == GATEWAY
    page.fill('#seconds', '10')
    page.keyboard.press('Enter')
    page.wait_for_selector('text=signed receipt of the box', timeout=LINK_SECONDS * 1000)
    yield 'the box has done a signed command, and the page shows its receipt by itself', True
    state = context.storage_state()
    for path in ('/fleet', '/fleet/add', f'/fleet/boxes/{GATEWAY}', f'/fleet/boxes/{GATEWAY}/remove'):
        trial.look(path, state, only='en')
    page.goto('/fleet')
    page.wait_for_selector('td >> text=there')
    house.kill_gateway()
    page.wait_for_selector('td >> text=AWAY', timeout=AWAY_SECONDS * 1000)
    yield 'the list shows the box as away after its end, without loading the page', True
    house.start_gateway()
    page.wait_for_selector('td >> text=there', timeout=AWAY_SECONDS * 1000)
    yield 'and as there when it is back', True
    web.leave(context)


def look_at_run(trial: Trial) -> Iterator[tuple[str, bool]]:
    """Looks at a race underway as a spectator and as its organiser."""
    yield from run_pages.tell(trial.house, trial.house.services.broker.port)
    run = f'/runs/{run_pages.RUN}'
    for path in ('/runs', run, f'{run}?text=runner', f'{run}/runners/2'):
        trial.look(path)
    context = trial.visitor()
    page = context.new_page()
    page.goto('/sign-in')
    page.fill('#user', run_pages.ORGANISER)
    page.fill('#password', PASSWORD)
    page.keyboard.press('Enter')
    page.wait_for_url('**/data*')
    state = context.storage_state()
    context.close()
    for path in ('/my-runs', '/my-runs/new', f'/my-runs/{run_pages.RUN}', f'/runs/{run_pages.RUN}/join'):
        trial.look(path, state, only='en')


def speak(page: Page, language: str) -> None:
    """Sets the language of the account."""
    page.goto('/account')
    page.select_option('#language', language)
    page.click('form[action="/account"] button')
    page.wait_for_load_state()


def look_in_both(trial: Trial, page: Page, *paths: str) -> None:
    """Looks at pages of the account of `page` in both languages. English is the last one."""
    for language in ('it', 'en'):
        speak(page, language)
        for path in paths:
            trial.look(path, page.context.storage_state(), only=language)


def fill_in(page: Page, user: str) -> None:
    page.goto('/sign-in')
    page.fill('#user', user)
    page.fill('#password', PASSWORD)
    with page.expect_navigation():
        page.keyboard.press('Enter')


def sign_out(page: Page) -> None:
    page.goto('/account')
    page.click('form.out button')
    page.wait_for_url('**/sign-in')


def use_passkey(trial: Trial) -> Iterator[tuple[str, bool]]:
    """Plays the part of a dispatcher with a passkey, in a browser with an authenticator that Chromium simulates."""
    cloud = trial.house.cloud
    link = cloud.command(
        'accounts', 'add-dispatcher', DISPATCHER, '--name', DISPATCHER_NAME, '--by-link').split()[-1]
    context = trial.visitor()
    watched = web.Watched(context)
    page = watched.page
    place = link.removeprefix(cloud.origin)
    trial.look(place)
    page.goto(place)
    page.fill('#password', PASSWORD)
    page.fill('#again', PASSWORD)
    page.check('[name=agree]')
    page.click('form.act button')
    page.wait_for_url('**/desk')
    page.goto(place)
    yield 'a dispatcher chooses her password by a link, which works once', 'does not work' in page.inner_text('main')
    watched.errors.clear()   # the browser reports the status 404 itself
    sign_out(page)
    device = context.new_cdp_session(page)
    device.send('WebAuthn.enable')
    added = device.send('WebAuthn.addVirtualAuthenticator', {'options': {
        'protocol': 'ctap2', 'transport': 'internal', 'hasResidentKey': True, 'hasUserVerification': True,
        'isUserVerified': True, 'automaticPresenceSimulation': True}})
    fill_in(page, DISPATCHER)
    page.wait_for_url('**/desk')
    page.goto('/account/passkeys')
    page.fill('#name', 'key at the desk')
    page.fill('#current', PASSWORD)
    page.click('form[action="/account/passkeys/new"] button')
    page.wait_for_selector('#passkey:not(.hidden)')
    trial.findings += [f'the page that makes a passkey: {text}' for text in web.violations(page)]
    page.click('#passkey button')
    page.wait_for_url('**/account/passkeys?changed=added')
    yield 'a dispatcher adds a passkey with her password', (
        'key at the desk' in page.inner_text('.entries')
        and f'{DISPATCHER}  dispatcher' in cloud.command('accounts') and 'passkeys 1' in cloud.command('accounts'))
    page.fill('#name', 'once more')
    page.fill('#current', PASSWORD)
    page.click('form[action="/account/passkeys/new"] button')
    page.click('#passkey button')
    page.wait_for_selector('#passkey-known:not(.hidden)')
    yield 'the same device makes no second one', len(cloud.rows('SELECT id FROM passkey')) == 1
    look_in_both(trial, page, '/account/passkeys', '/account/passkeys?changed=added')
    sign_out(page)
    context.clear_cookies()

    stranger = Visitor(cloud.origin)
    for _ in range(10):
        stranger.get('/sign-in')
        with contextlib.suppress(NotServed):
            stranger.post('/sign-in', user=DISPATCHER, password='wrong wrong wrong')
    fill_in(page, DISPATCHER)
    yield 'ten wrong passwords lock her name in a browser that is not known', (
        page.url.endswith('/sign-in') and 'too many attempts' in page.inner_text('[role=alert]:visible'))
    page.goto('/sign-in')
    watched.errors.clear()   # the browser reports the status 429 itself
    page.click('#passkey button')
    page.wait_for_url('**/desk')
    yield 'her passkey signs her in there at once', True
    page.goto('/account/passkeys')
    page.click('form[action$="/remove"] button')
    page.wait_for_url('**/account/passkeys?changed=removed')
    sign_out(page)
    page.click('#passkey button')
    page.wait_for_url('**/sign-in?passkey=refused')
    yield 'a removed passkey does not sign in', 'does not sign in here' in page.inner_text('[role=alert]:visible')
    trial.look('/sign-in?passkey=refused')
    credentials = device.send('WebAuthn.getCredentials', {'authenticatorId': added['authenticatorId']})['credentials']
    yield 'though the device has it still, as one for the name of the server', [
        credential['rpId'] for credential in credentials] == ['localhost']
    trial.findings += [f'passkeys: the browser reports {text}' for text in watched.errors]
    web.leave(context)


def count_in(trial: Trial, page: Page) -> Iterator[tuple[str, bool]]:
    """Has the person be counted in figures of groups, and no more."""
    look_in_both(trial, page, '/groups')
    page.goto('/groups')
    page.fill('#birth_year', '1948')
    page.select_option('#gender', 'female')
    page.select_option('#area', AREAS[1])
    page.click('form[action="/groups"] button')
    yield 'without a tick nobody is counted', 'You are not counted' in page.inner_text('[role=status]')
    page.check('input[name=agree]')
    page.click('form[action="/groups"] button')
    page.wait_for_selector('form[action="/groups/off"]')
    yield 'a person is counted in figures of groups by her own consent', (
        'You are counted' in page.inner_text('[role=status]') and page.input_value('#area') == AREAS[1])
    look_in_both(trial, page, '/groups?counted')
    page.goto('/groups')
    page.click('form[action="/groups/off"] button')
    page.wait_for_selector('form[action="/groups/off"]', state='detached')
    yield 'and no more after one press, with nothing kept', trial.house.cloud.rows(
        'SELECT count(*) FROM group_member') == [(0,)]


def join_run(trial: Trial, page: Page) -> Iterator[tuple[str, bool]]:
    """Has the linked person run, and show her heart rate to spectators. Her strap streams meanwhile."""
    house, run = trial.house, f'/runs/{run_pages.RUN}'
    house.beat(BEAT_MS)
    look_in_both(trial, page, f'{run}/join')
    page.goto(f'{run}/join')
    page.fill('#bib', str(run_pages.OWN_BIB))
    page.fill('#tag', 'C0:FF:EE:00:0F:FF')
    page.click(f'form[action="{run}/join"] button')
    page.wait_for_selector(f'form[action="{run}/leave"]')
    yield 'a person participates in a run', True
    look_in_both(trial, page, f'{run}/join?enrolled')
    page.goto(f'{run}/join')
    page.click(f'form[action="{run}/share"] button')
    page.wait_for_selector(f'form[action="{run}/unshare"]')
    request = house.question('run-')
    look_in_both(trial, page, f'{run}/join?asked')
    house.at_home('consent', 'accept', request, '--by', 'Maria')
    yield 'spectators see her heart rate after her yes at home', run_pages.heart_rate(house.cloud, is_shown=True)
    look_in_both(trial, page, f'{run}/join?shared', f'{run}/runners/{run_pages.OWN_BIB}')
    page.goto(f'{run}/join')
    page.click(f'form[action="{run}/unshare"] button')
    page.wait_for_selector(f'form[action="{run}/share"]')
    yield 'and no more after she has ended it on the page', run_pages.heart_rate(house.cloud, is_shown=False)
    look_in_both(trial, page, f'{run}/join?ended')
    with page.expect_download() as download:
        page.goto('/account')
        page.click('a[href="/account/export/json"]')
    export = json.loads(pathlib.Path(download.value.path()).read_text(encoding='utf-8'))
    sharings = export['people'][0]['run_sharings']
    yield 'her export has the run, and the sharing with its times', (
        [enrolment['run'] for enrolment in export['enrolments']] == [run_pages.RUN]
        and [(s['run'], s['state']) for s in sharings] == [(run_pages.RUN, 'ended')]
        and all(sharings[0][key] for key in ('asked', 'decided', 'ended')))


def tell(trial: Trial) -> Iterator[tuple[str, bool]]:
    """Plays the trial. Yields each promise, with true where it was kept."""
    house = trial.house
    house.register()
    house.cloud.start()
    house.beat(BEAT_MS)
    context = trial.visitor()
    page = context.new_page()
    register(page)
    yield 'a person registers in the browser', True
    # As it is said on the telephone.
    ask_with(page, house.link_code().replace('-', ' '))
    house.at_home('consent', 'accept', house.question(), '--by', 'Maria')
    end = time.monotonic() + LINK_SECONDS
    while time.monotonic() < end:
        page.goto('/data')
        if page.url.endswith('/data/1') and page.query_selector('#value-heart-rate'):
            break
        time.sleep(0.5)
    yield 'after her yes the page shows her data', page.url.endswith('/data/1')
    texts: set[str] = set()
    end = time.monotonic() + LIVE_SECONDS
    while len(texts) < 3 and time.monotonic() < end:
        texts.add(page.inner_text('#value-heart-rate'))
        time.sleep(0.2)
    yield f'the value changes without loading the page ({len(texts)} values)', len(texts) >= 3
    page.goto('/data/1')
    yield 'the chart is drawn, with a table of the same', bool(
        page.query_selector('svg.chart path.mean') and page.query_selector('table tbody tr'))
    page.goto('/data/1/house')
    yield 'the house shows its sign of life and her strap', bool(
        page.query_selector('text=It is connected.') and page.query_selector('.entries >> text=strap'))
    page.select_option('#kind', 'heart-rate')
    page.fill('#seconds', '1')
    page.click('form[action="/data/1/interval"] button')
    page.wait_for_selector('[role=status]')
    end = time.monotonic() + LINK_SECONDS
    while not page.query_selector('text=done by the house') and time.monotonic() < end:
        time.sleep(0.5)
        page.goto('/data/1/house')
    yield 'the interval that she set has the receipt of the house', bool(
        page.query_selector('text=done by the house'))
    page.goto('/account')
    page.select_option('#zone', 'Europe/Rome')
    page.click('form[action="/account"] button')
    page.wait_for_load_state()
    yield 'her time zone is kept', page.input_value('#zone') == 'Europe/Rome'
    for kind in ('json', 'csv', 'fhir'):
        with page.expect_download() as download:
            page.click(f'a[href="/account/export/{kind}"]')
        text = pathlib.Path(download.value.path()).read_text(encoding='utf-8')
        yield f'she takes her readings with her as {kind}', (
            len(text) > 1000 and (kind == 'csv' or bool(json.loads(text))))
    state = context.storage_state()
    own = (
        '/data', '/data/1', '/data/1?span=week', '/data/1?span=quarter', '/data/1/house', '/links', '/sharing',
        '/sessions', '/account', '/account/delete')
    for language in ('en', 'it'):
        speak(page, language)
        for path in own:
            trial.look(path, state, only=language)
    for path in ('/sign-in', '/register', '/parties/register', '/agreement', '/nothing'):
        trial.look(path)

    yield from use_passkey(trial)
    yield from refuse_a_stranger(trial)
    yield from count_in(trial, page)
    yield from look_after_boxes(trial)
    yield from look_at_run(trial)
    yield from join_run(trial, page)
    plain = trial.visitor(script=False)
    page = plain.new_page()
    page.goto('/sign-in')
    yield 'without script the page to sign in has no button for a passkey', not page.is_visible('#passkey')
    sign_in(page)
    page.goto('/data/1')
    yield 'without script a person signs in and sees value, chart and table', bool(
        page.query_selector('#value-heart-rate') and page.query_selector('svg.chart'))
    page.goto('/account/delete')
    yield 'the page tells the consequences of a deletion first', bool(page.query_selector('main li'))
    page.fill('#password', PASSWORD)
    before = int(time.time() * 1000) - 2000
    page.click('form[action="/account/delete"] button')
    page.wait_for_url('**/sign-in')
    yield 'she deletes her account', house.cloud.rows(
        f"SELECT count(*) FROM account WHERE user = '{USER}'") == [(0,)]
    yield 'her readings until then went with it', house.cloud.rows(
        f'SELECT count(*) FROM sample WHERE time < {before}') == [(0,)]
    for finding in trial.findings[:20]:
        print(f'{"":12}{finding}', flush=True)
    yield f'no page breaks a rule: {trial.looks} looks, {len(trial.findings)} findings', not trial.findings


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(prog='python3 -m workbench.trackme', description=__doc__.splitlines()[0])
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--trackme', default=TRACKME_PROGRAM, type=pathlib.Path)
    parser.add_argument('--pictures', type=pathlib.Path, metavar='FOLDER')
    arguments = parser.parse_args()
    unwind_on_signals()
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    broken = 0
    with AreaHouse(arguments.gateway, arguments.trackme) as house, web.chromium() as chromium:
        try:
            for promise, is_kept in tell(Trial(chromium, house, arguments.pictures)):
                print(f'{"kept" if is_kept else "BROKEN":12}{promise}', flush=True)
                broken += not is_kept
        finally:
            house.cloud.stop()
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(main())
