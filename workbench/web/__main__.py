"""The pages of the house in a real browser: each page on each screen, and each act by keyboard alone.

    python3 -m workbench.web [--quick] [--gateway PROGRAM] [--pictures FOLDER]

Gateway, console, D-Bus, broker and Chromium are real, the strap is virtual. Ends with 0 when each rule was kept.
"""
import argparse
import contextlib
import faulthandler
import itertools
import json
import pathlib
import socket
import statistics
import sys
import time
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from workbench.clock import boot_ns
from workbench.house import CALM, GATEWAY, PERSON, STRAP, NotSeen
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM
from workbench.web import browser as web
from workbench.web.race_day import LATE_BIB, QUIET_RUN, RUN, SILENT_BIB, WATCHED_BIB
from workbench.web.trial_house import (
    BAND,
    BAND_ADDRESS,
    BUTTON,
    BUTTON_ADDRESS,
    DECIDER,
    PASSKEY,
    PIN,
    PRESS,
    SEALED,
    SEALED_ADDRESS,
    SEALED_PRESS,
    TrialHouse,
)

ALARM_LIMIT_MS = 250   # from the alarm to the visible page, in the 99th percentile
LOST_WITHIN_SECONDS = 3
# From the kill of the gateway to the page that says so, and from its return to the page as it should be.
AWAY_WITHIN_SECONDS, BACK_WITHIN_SECONDS = 4, 2
# Far above the longest step. A trial that stands still ends, and says where it stood.
STEP_LIMIT_SECONDS = 300
# On a processor that is slower by a factor: first paint, and the script.
SLOWER, TRIES = 6, 5
PAINT_LIMIT_MS, SCRIPT_LIMIT_MS, SCRIPT_BYTES = 1_000, 10, 8_000
# A short run is for machines that do other work meanwhile: it allows longer times.
QUICK_SLACK = 4
GUARD_SECONDS = 0.6    # a button that has just appeared takes no press for 500 ms
# Least size of a target in CSS pixels: WCAG 2.5.5 (AAA), and what a shaking hand hits.
TARGETS = {'kiosk': 96, 'family': 44}


class Trial:
    """The rules, with the pages that broke them."""

    def __init__(self, chromium: Browser, house: TrialHouse, pictures: pathlib.Path | None, quick: bool) -> None:
        self.chromium, self.house, self.pictures, self.quick = chromium, house, pictures, quick
        self.slack = QUICK_SLACK if quick else 1
        self.sessions: dict[str, object] = {}
        self.findings: list[str] = []
        self.looks = 0

    # ---- devices ---------------------------------------------------------------------------

    def visitor(self, role: str | None, screen: web.Screen = web.PHONE, scheme: str = 'light',
                script: bool = True) -> BrowserContext:
        """Opens the browser of a device that is paired for a role; None for one that is not."""
        return web.visitor(
            self.chromium, self.house.address, screen, scheme, self.house.language, script,
            self.sessions.get(role) if role else None)

    def pair(self, role: str) -> None:
        """Pairs a device by its keyboard: the page takes the code, typed as it is read."""
        name = DECIDER if role == 'family' else f'{role} device'
        context = self.visitor(None)
        page = context.new_page()
        page.goto('/')
        web.await_focus(page, 'input')
        page.keyboard.type(self.house.code(role, name).lower())
        page.keyboard.press('Enter')
        # An organiser's first page is the list of races.
        page.wait_for_url(self.house.address + ('/races' if role == 'organiser' else '/'))
        self.sessions[role] = context.storage_state()
        web.leave(context)

    # ---- rules of each page ----------------------------------------------------------------

    def look(self, name: str, role: str | None, path: str, wait: str = 'main', status: int = 200) -> None:
        """Opens a page on each screen in each scheme, and holds it against the rules."""
        looks = (zip((web.PHONE, web.KIOSK), web.SCHEMES, strict=True) if self.quick
                 else itertools.product(web.SCREENS, web.SCHEMES))
        for screen, scheme in looks:
            self.look_once(f'{name}, {screen.name}, {scheme}, {self.house.language}', role, path, wait, status,
                           screen, scheme)

    def look_once(self, name: str, role: str | None, path: str, wait: str, status: int, screen: web.Screen,
                  scheme: str) -> None:
        context = self.visitor(role, screen, scheme)
        try:
            watched = web.Watched(context)
            page = watched.page
            answer = page.goto(path)
            page.wait_for_selector(wait)
            assert answer is not None
            self.rule(name, answer.status == status, f'status {answer.status}')
            self.looks += 1
            for place in web.violations(page):
                self.rule(name, False, place)
            self.fits(name, page)
            kind = page.evaluate("document.body.className")
            for place in web.small_targets(page, TARGETS.get(kind, 44)):
                self.rule(name, False, f'a target is small: {place}')
            weight = len(answer.body())
            self.rule(name, weight <= web.LARGEST_PAGE, f'{weight} bytes')
            if self.pictures and self.house.language == 'en':
                page.screenshot(path=self.pictures / f'{name.replace(", ", "-").replace(" ", "_")}.png')
            if screen is web.PHONE:
                page.set_viewport_size({'width': web.NARROWEST, 'height': 640})
                self.fits(f'{name} at {web.NARROWEST} px', page)
                page.set_viewport_size({'width': 2 * web.NARROWEST, 'height': 960})
                page.evaluate("""document.body.style.fontSize =
                    2 * parseFloat(getComputedStyle(document.body).fontSize) + 'px'""")
                self.fits(f'{name} at twice the text', page)
            if status == 200:
                watched.check(name)
        except web.Finding as finding:
            self.findings.append(str(finding))
        finally:
            web.leave(context)

    def fits(self, name: str, page: Page) -> None:
        wide = web.overflow(page)
        self.rule(name, wide is None, f'scrolls sideways for {wide}')

    def rule(self, name: str, is_kept: bool, why: str) -> None:
        if not is_kept:
            self.findings.append(f'{name}: {why}')

    # ---- acts by keyboard ------------------------------------------------------------------

    def at(self, role: str | None, path: str, wait: str, screen: web.Screen = web.PHONE, script: bool = True) -> Page:
        context = self.visitor(role, screen, script=script)
        page = context.new_page()
        page.goto(path)
        try:
            page.wait_for_selector(wait)
        except PlaywrightError as error:
            raise web.Finding(f'{path} for {role}: no {wait} within 10 s, but {page.inner_text("body")!r}') from error
        return page

    def press(self, page: Page, selector: str, typed: str = '') -> None:
        """Goes to an element by the Tab key alone, types, and presses Enter."""
        time.sleep(GUARD_SECONDS)
        for _ in range(60):
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                break
            page.keyboard.press('Tab')
        else:
            raise web.Finding(f'{page.url}: the Tab key does not reach {selector} on: {page.inner_text("main")}')
        if typed:
            page.keyboard.type(typed)
        page.keyboard.press('Enter')


# ---- the pages, by state -------------------------------------------------------------------

def look_at_rest(trial: Trial) -> None:
    trial.look('a code is asked for', None, '/')
    trial.look('no such page', 'family', '/nothing', status=404)
    trial.look('the room', 'room', '/', '[data-page=room]')
    trial.look('the call for help', 'room', '/help', '[data-page=help]')
    trial.look('a question in the room', 'room', '/question', '[data-page=question]')
    trial.look('a question to the person', 'person', '/question', '[data-page=question]')
    trial.look('today', 'family', '/today', '[data-page=today]')
    trial.look('who may see', 'person', '/sharing')
    trial.look('charts', 'person', '/charts')
    trial.look('the report', 'person', '/report')
    trial.look('the profile', 'person', '/profile')
    trial.look('set up', 'installer', '/', '[data-page=install]')
    trial.look('health', 'installer', '/health')
    trial.look('screens', 'installer', '/screens')
    trial.look('wearables', 'installer', '/wearables', '[data-page=devices] article')
    trial.look('to pair', 'installer', '/wearables/pair', '[data-page=pair] button')
    trial.look('the doctor', 'installer', '/doctor', '[data-page=doctor] button')
    trial.look('the log', 'installer', '/log')
    trial.look('the settings', 'installer', '/settings', 'main li')
    trial.look('the walk', 'installer', '/walk', '[data-page=walk] button')


def look_at_an_alarm(trial: Trial) -> None:
    alarm, _ = trial.house.raise_alarm()
    trial.look('an alarm in the room', 'room', '/', '[data-page=alarm] form')
    trial.look('an alarm at the family', 'family', '/today', 'main [role=alert]')
    page = trial.at('room', '/', '[data-page=alarm]', web.KIOSK)
    trial.press(page, 'button.help')
    page.wait_for_selector('[data-page=alarm] ol')
    web.leave(page.context)
    trial.look('an alarm after the call', 'room', '/', '[data-page=alarm] ol')
    page = trial.at('carer', '/today', 'main [role=alert]')
    trial.press(page, 'form[action="/act/accept-alarm"] button')
    trial.house.ended(alarm, 'accepted')
    web.leave(page.context)
    trial.look('a call that was taken', 'room', '/', '.taken')
    trial.look('the alarms', 'family', '/alarms', 'tbody tr')
    trial.look('charts with alarms', 'person', '/charts?span=day', 'tbody tr')
    page = trial.at('room', '/', '[data-page=taken]', web.KIOSK)
    trial.press(page, 'a[href^="/mistake"]')
    trial.press(page, '[data-page=mistake] button')
    page.wait_for_selector('[data-page=cancelled]')
    web.leave(page.context)


# ---- acts ----------------------------------------------------------------------------------

def cancels(trial: Trial, script: bool = True) -> None:
    """I AM FINE has the focus: Enter cancels. After it, help can be called all the same."""
    page = trial.at('room', '/', '[data-page]', web.KIOSK, script)
    alarm, _ = trial.house.raise_alarm()
    if not script:
        page.goto('/')
    page.wait_for_selector('[data-page=alarm]')
    time.sleep(GUARD_SECONDS)
    page.keyboard.press('Enter')
    event = trial.house.ended(alarm, 'aborted')
    trial.rule('the cancel', event['by'] == 'room device', f'is recorded by {event["by"]}')
    page.wait_for_selector('[data-page=cancelled]')
    if script:
        trial.look('after a cancel', 'room', '/', '[data-page=cancelled]')
        since = trial.house.mark()
        trial.press(page, '.help')
        event = trial.house.until(
            'help after all', lambda e: e['source'] == 'feed' and e['event'] == 'alarm', since, seconds=5)
        # It was asked for, so it is called at once: the way back is small, and takes two steps.
        page.wait_for_selector('[data-page=alarm] ol')
        trial.rule('a call', page.query_selector('main .fine') is None, 'offers a large way back')
        trial.press(page, 'a[href^="/mistake"]')
        trial.press(page, '[data-page=mistake] button')
        trial.house.ended(str(event['alarm']), 'aborted')
    web.leave(page.context)


def calls_help(trial: Trial) -> None:
    """CALL HELP asks once more, and then calls at once."""
    since = trial.house.mark()
    page = trial.at('room', '/help', '[data-page=help]', web.KIOSK)
    trial.press(page, 'button.help')
    event = trial.house.until('an alarm', lambda e: e['source'] == 'feed' and e['event'] == 'alarm', since)
    page.wait_for_selector('[data-page=alarm]')
    web.leave(page.context)
    family = trial.at('family', '/today', 'main [role=alert]')
    trial.press(family, 'input[name=reason]', 'I am with her')
    trial.house.ended(str(event['alarm']), 'resolved')
    web.leave(family.context)


def answers(trial: Trial) -> None:
    """The room answers with the PIN alone, the person without; a question that is put off is gone from the screen."""
    page = trial.at('room', '/question', '[data-page=question]', web.KIOSK)
    allow = 'form[action="/act/allow"] input[name=pin]'
    trial.press(page, allow, '0000')
    page.wait_for_selector('label .warn')
    trial.rule('a wrong PIN', 'waits for an answer' in trial.house.at_home('consent', 'show', 'study-1'), 'answers')
    trial.press(page, allow, PIN)
    page.wait_for_selector('[data-page=room]')
    trial.rule('the PIN', 'waits' not in trial.house.at_home('consent', 'show', 'study-1'), 'does not answer')
    trial.house.request('study-2')
    page.wait_for_selector('a[href="/question"]')
    trial.press(page, 'a[href="/question"]')
    trial.press(page, 'form[action="/act/later"] button')
    page.wait_for_selector('[data-page=room]')
    trial.rule('a question that was put off', page.query_selector('a[href="/question"]') is None, 'is still shown')
    web.leave(page.context)
    # It waits for the person all the same: the wait ends with an error.
    web.leave(trial.at('person', '/question', '[data-page=question]').context)
    own = trial.at('person', '/sharing', 'main article')
    trial.look('a withdrawal', 'person', '/sharing/withdraw?request=study-1')
    trial.press(own, 'a[href^="/sharing/withdraw"]')
    trial.press(own, 'form[action="/act/withdraw"] button')
    own.wait_for_url('**/sharing')
    trial.rule('a withdrawal', 'withdrawn' in trial.house.at_home('consent', 'show', 'study-1'), 'does not withdraw')
    web.leave(own.context)


def makes_a_code(trial: Trial) -> None:
    """The room has a code made for an account of TrackMe. A wrong code asks nobody, and the right one asks at home."""
    page = trial.at('room', '/', '[data-page=room]', web.KIOSK)
    trial.press(page, 'form[action="/act/link-code"] button')
    page.wait_for_selector('.figure')
    house, person, code = page.locator('.figure').all_inner_texts()
    trial.rule('the three lines', (house, person) == (GATEWAY, PERSON), f'name {house} and {person}')
    trial.look('a code in the room', 'room', '/link-code', '.figure')
    trial.look('a code for the person', 'person', '/link-code', '.figure')
    for role in ('family', 'carer', 'installer', 'organiser'):
        other = trial.visitor(role).new_page()
        other.goto('/link-code')
        trial.rule(f'the code for the role {role}', code not in other.content(), 'is shown')
        web.leave(other.context)
    digits = code.replace('-', '')
    wrong = trial.house.link('link-1', '00000000' if digits != '00000000' else '00000001')
    trial.rule('a wrong code', wrong.get('reason') == 'link-code-wrong', f'has the receipt {wrong}')
    trial.rule('a wrong code', 'link-1' not in trial.house.at_home('consent', 'list'), 'asks somebody at home')
    right = trial.house.link('link-2', digits)
    trial.rule('the right code', right['result'] == 'done', f'has the receipt {right}')
    trial.rule('the right code', 'link-2' in trial.house.at_home('consent', 'list'), 'asks nobody at home')
    page.wait_for_selector('.figure', state='detached')
    trial.look('a used code in the room', 'room', '/link-code', '[data-page=link-code] p:not(.figure)')
    trial.house.at_home('consent', 'refuse', 'link-2', '--by', 'Maria')
    web.leave(page.context)


def changes_the_profile(trial: Trial) -> None:
    """A refused value stays in its field, with the reason beside it. A changed one goes back to the settings."""
    page = trial.at('person', '/profile', 'main form')
    trial.press(page, 'input#height', '9999')
    page.wait_for_selector('[aria-invalid=true]')
    kept = page.input_value('[aria-invalid=true]')
    trial.rule('a refused value', kept == '9999', f'comes back as {kept!r}')
    back = 'form:has(input[value=reset]) button'
    page.goto('/profile')
    trial.rule('a value of the settings', page.query_selector(back) is None, 'goes back to itself')
    trial.press(page, 'input#height', '158')
    page.wait_for_selector(back)
    trial.press(page, back)
    page.wait_for_selector(back, state='detached')
    web.leave(page.context)


def installs(trial: Trial) -> None:
    """The installer tries the ways to help, pairs a screen by its link, and ends its session."""
    page = trial.at('installer', '/', '[data-page=install]')
    since = trial.house.mark()
    trial.press(page, 'form[action="/act/drill"] button')
    drill = trial.house.until('a drill', lambda e: e['source'] == 'feed' and e['event'] == 'alarm', since)
    page.wait_for_selector('main > div > .warn')
    page.goto('/screens')
    trial.press(page, 'form[action="/act/new-code"] input[name=name]', 'Kitchen')
    code = page.wait_for_selector('.code').inner_text()
    # No other device reaches these pages.
    trial.rule('a new code', page.query_selector('svg.qr') is None, 'has a QR code that leads to the visitor itself')
    kitchen = trial.visitor(None, web.KIOSK).new_page()
    kitchen.goto('/pair#' + code.replace('-', ''))
    web.await_focus(kitchen, 'input')
    kitchen.keyboard.press('Enter')
    kitchen.wait_for_selector('[data-page=alarm]')
    page.goto('/screens')
    trial.press(page, 'article:last-child form[action="/act/revoke"] button')
    page.wait_for_selector('h2:text-is("Kitchen")', state='detached')
    kitchen.goto('/')
    trial.rule('a session that was ended', kitchen.url.endswith('/pair'), f'still opens {kitchen.url}')
    web.leave(kitchen.context)
    web.leave(page.context)
    room = trial.at('room', '/', '[data-page=alarm]', web.KIOSK)
    time.sleep(GUARD_SECONDS)
    room.keyboard.press('Enter')
    trial.house.ended(str(drill['alarm']), 'aborted')
    web.leave(room.context)


def pairs_a_wearable(trial: Trial, script: bool = True) -> None:
    """A wearable is found, chosen, paired with its passkey, seen, switched and forgotten; its name stays text."""
    house = trial.house
    page = trial.at('installer', '/wearables/pair', '[data-page=pair]', script=script)
    trial.press(page, 'form[action="/act/scan"] button')
    chosen = f'a[href$="{BAND_ADDRESS.replace(":", "%3A")}"]'
    patience = 20_000
    page.wait_for_selector(chosen, timeout=patience)
    trial.rule('a hostile name', page.query_selector('main img') is None, 'becomes an element')
    if script:
        trial.look('a scan', 'installer', '/wearables/pair', chosen)
    trial.press(page, chosen)
    page.wait_for_selector('form[action="/act/add-wearable"]')
    if script:
        trial.look('a new wearable', 'installer', page.url, 'form[action="/act/add-wearable"]')
    trial.press(page, 'input[name=device]', BAND)
    page.wait_for_selector('input[name=answer]', timeout=patience)
    if script:
        trial.look('a passkey', 'installer', '/wearables/pair', 'input[name=answer]')
    trial.press(page, 'input[name=answer]', PASSKEY)
    page.wait_for_selector('h2.well', timeout=patience)
    trial.rule('a pairing', 'bonded' in house.at_home('devices', 'show', BAND), 'makes no wearable')
    house.stream_from(BAND, CALM)
    page.wait_for_selector('p.well', timeout=patience)
    if script:
        trial.look('a paired wearable', 'installer', '/wearables/pair', 'h2.well')
    page.goto('/wearables')
    if script:
        trial.look('two wearables', 'installer', '/wearables', 'form[action="/act/track"] button')
    since = house.mark()
    trial.press(page, f'form[action="/act/buzz"]:has(input[value={BAND}]) button')
    house.until('the end of a buzz', lambda e: (
        e['source'] == 'wearable' and e['event'] == 'written' and e['id'] == BAND and e['hex'] == '00'), since)
    since = house.mark()
    own = f'form[action="/act/buzz"]:has(input[value={BAND}]) button'
    carer = trial.at('carer', '/today', own, script=script)
    trial.press(carer, own)
    house.until('the end of a carer\'s buzz', lambda e: (
        e['source'] == 'wearable' and e['event'] == 'written' and e['id'] == BAND and e['hex'] == '00'), since)
    carer.wait_for_url('**/today')
    web.leave(carer.context)
    trial.press(page, f'form[action="/act/buzz"]:not(:has(input[value={BAND}])) button')
    page.wait_for_selector('a[href="/wearables"]')
    trial.rule('a wearable without a buzzer', page.query_selector('form[action="/act/buzz"]') is None, 'is not refused')
    page.goto('/wearables')
    trial.press(page, 'form[action="/act/track"]:has(input[value=heart-rate]) button')
    page.wait_for_selector('form[action="/act/track"] input[name=on][value=yes]', state='attached')
    trial.rule('a kind that was switched', ' off' in house.at_home('devices', 'show', BAND), 'stays on')
    trial.press(page, 'a[href^="/wearables/forget"]')
    if script:
        trial.look('a removal', 'installer', f'/wearables/forget?device={BAND}', 'form[action="/act/forget"]')
    trial.press(page, 'form[action="/act/forget"] button')
    page.wait_for_selector('h2.well', timeout=patience)
    trial.rule('a removal', BAND_ADDRESS not in house.at_home('devices', 'list'), 'leaves the wearable')
    web.leave(page.context)


def pairs_without_script(trial: Trial) -> None:
    pairs_a_wearable(trial, script=False)


def adds_a_button(trial: Trial) -> None:
    """A button that only advertises is found by its press and added with a meaning; a wrong key is refused."""
    house = trial.house
    page = trial.at('installer', '/wearables/pair', '[data-page=pair]')
    trial.press(page, 'form[action="/act/scan"] button')

    def choose(address: str, id: str, frame: str) -> None:
        chosen = f'a[href$="{address.replace(":", "%3A")}"]'
        for _ in range(40):
            house.press_button(id, frame)
            with contextlib.suppress(PlaywrightTimeout):
                page.wait_for_selector(chosen, timeout=500)
                break
        trial.rule('a hostile name', page.query_selector('main img') is None, 'becomes an element')
        page.goto('/wearables/pair')
        page.wait_for_selector(chosen)
        trial.press(page, chosen)
        page.wait_for_selector('form[action="/act/add-broadcaster"]')

    choose(SEALED_ADDRESS, SEALED, SEALED_PRESS)
    trial.look('a button that encrypts', 'installer', page.url, 'input[name=key]')
    page.fill('input[name=device]', SEALED)
    page.select_option('select[name=button]', 'sos-button')
    trial.press(page, 'input[name=key]', 'ab' * 16)
    page.wait_for_selector('text=does not open')
    trial.rule('a wrong key', 'abab' not in page.content(), 'is shown')
    page.goto('/wearables/pair')
    choose(BUTTON_ADDRESS, BUTTON, PRESS)
    trial.look('a button in the clear', 'installer', page.url, 'form[action="/act/add-broadcaster"]')
    trial.press(page, 'input[name=device]', BUTTON)
    page.wait_for_selector('text=Choose what an event')
    page.goto('/wearables/pair')
    choose(BUTTON_ADDRESS, BUTTON, PRESS)
    page.select_option('select[name=button]', 'sos-button')
    page.select_option('select[name=double_press]', 'cancel')
    trial.press(page, 'input[name=device]', BUTTON)
    page.wait_for_selector('h2.well', timeout=20_000)
    shown = house.at_home('devices', 'show', BUTTON)
    trial.rule('a button', 'means sos-button' in shown and 'means cancel' in shown, f'has other meanings: {shown}')
    trial.look('a new button', 'installer', '/wearables/pair', 'h2.well')
    page.goto(f'/wearables/forget?device={BUTTON}')
    trial.press(page, 'form[action="/act/forget"] button')
    page.wait_for_selector('h2.well', timeout=20_000)
    trial.rule('a removal', BUTTON_ADDRESS not in house.at_home('devices', 'list'), 'leaves the button')
    web.leave(page.context)


def checks(trial: Trial) -> None:
    """The doctor runs the check beside the alarms, and its result is in the list of the installer."""
    page = trial.at('installer', '/doctor', '[data-page=doctor]')
    trial.press(page, 'form[action="/act/check"] button')
    page.wait_for_selector('.steps h3:text-is("bluetooth")', timeout=60_000)
    page.wait_for_selector('form[action="/act/check"] button', timeout=120_000)
    trial.look('a report', 'installer', '/doctor', '.steps h3')
    text = page.inner_text('main')
    trial.rule('a report', 'broker' in text, f'does not tell of the broker: {text}')
    page.goto('/')
    page.wait_for_selector('a[href="/doctor"]')
    web.leave(page.context)


def walks(trial: Trial) -> None:
    """Rooms are tapped by keyboard, named by hand, and judged."""
    page = trial.at('installer', '/walk', '[data-page=walk]')
    trial.press(page, f'form[action="/act/start-walk"]:has(input[value={STRAP}]) button')
    page.wait_for_selector('form[action="/act/walk-room"]')
    trial.press(page, 'form[action="/act/walk-room"] button')
    page.wait_for_selector('button.fine')
    page.wait_for_selector('td.well', timeout=40_000)
    trial.look('a walk', 'installer', '/walk', 'td.well')
    trial.press(page, 'input[name=room]', 'Attic')
    page.wait_for_selector('th:text-is("Attic")')
    trial.press(page, 'form[action="/act/stop-walk"] button')
    page.wait_for_selector('form[action="/act/start-walk"]')
    trial.look('a walk that is over', 'installer', '/walk', 'td.well')
    web.leave(page.context)


def refuses_strangers(trial: Trial) -> None:
    """Without a pairing, from another site, or without the form's token nothing is told and nothing is done."""
    house = trial.house
    cookie = house.pair('room')
    origin = house.address
    for name, expected, path, fields, headers in (
            ('a name of another site', 421, '/pair', None, {'Host': 'evil.example'}),
            ('a stream without a pairing', 401, '/stream?page=room', None, {}),
            ('an act without an origin', 403, '/act/help', {'person': PERSON}, {'Cookie': cookie}),
            ('an act from another site', 403, '/act/help', {'person': PERSON},
             {'Cookie': cookie, 'Origin': 'http://evil.example'}),
            ('an act without its token', 403, '/act/help', {'person': PERSON}, {'Cookie': cookie, 'Origin': origin}),
            ('an act of another role', 403, '/act/drill', {'person': PERSON, 'token': 'x'},
             {'Cookie': cookie, 'Origin': origin}),
            ('a page of another role', 404, '/screens', None, {'Cookie': cookie}),
            ('a method that changes things', 405, '/', {}, {'X-Method': 'DELETE'})):
        status, fields_of_reply, text = house.ask_page(path, fields, headers)
        trial.rule(name, status == expected, f'gets the status {status}')
        trial.rule(name, 'Maria' not in text or status == 200, 'learns a name')
        for header in ('Content-Security-Policy', 'X-Frame-Options'):
            trial.rule(name, header in fields_of_reply, f'gets an answer without {header}')
    trial.rule('an act of a stranger', not json.loads(house.at_home('status', '--json'))['alarms'], 'is done')


def gateway_returns(trial: Trial) -> float:
    """Starts the gateway. Returns the instant at which it answers the console's socket."""
    since = trial.house.mark()
    trial.house.spawn_gateway()
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(trial.house.directory / 'console.sock'))
            break
        time.sleep(0.01)
    answered = time.monotonic()
    trial.house.returned = since
    return answered


def is_back(trial: Trial, page: Page, selector: str, answered: float, name: str) -> str:
    page.wait_for_selector(selector, timeout=20_000)
    took = time.monotonic() - answered
    trial.rule(name, took <= BACK_WITHIN_SECONDS * trial.slack, f'is back after {took:.1f} s')
    return f'{name} {took:.1f} s'


def says_that_nobody_watches(trial: Trial) -> str:
    """The gateway is killed: pages say so, open or opened meanwhile, and all of them heal themselves."""
    house = trial.house
    room = trial.at('room', '/', '[data-page]', web.KIOSK)
    # The end of the last alarm stands there for a minute.
    room.wait_for_selector('[data-page=room]', timeout=70_000)
    family = trial.at('family', '/today', '[data-page=today]')
    began = time.monotonic()
    house.kill_gateway()
    for name, page in (('the room', room), ('the family', family)):
        page.wait_for_selector('[data-page=away]', timeout=10_000)
        took = time.monotonic() - began
        trial.rule(
            f'{name} without a gateway', took <= AWAY_WITHIN_SECONDS * trial.slack, f'says so after {took:.1f} s')
        text = page.inner_text('main')
        trial.rule(f'{name} without a gateway', '112' in text, 'shows no 112')
        trial.rule(f'{name} without a gateway', page.query_selector('main .tile') is None, 'shows an old reading')
        trial.rule(f'{name} without a gateway', page.query_selector('#lost.hidden') is not None, 'is out of touch too')
    trial.rule('the words', 'Nobody is watching' in room.inner_text('main'), f'are {room.inner_text("main")!r}')
    trial.look('nobody watches in the room', 'room', '/', '[data-page=away]', status=503)
    trial.look('nobody watches for the family', 'family', '/today', '[data-page=away]', status=503)
    # An address has eight connections.
    web.leave(family.context)
    kiosk = trial.at('room', '/', '[data-page=away]', web.KIOSK)
    charts = trial.at('person', '/charts', '[data-page=away]')
    bare = trial.at('room', '/', '[data-page=away]', web.KIOSK, script=False)
    if trial.pictures:
        kiosk.screenshot(path=trial.pictures / 'away.png')
    answered = gateway_returns(trial)
    said = [is_back(trial, kiosk, '[data-page=room]', answered, 'a kiosk that started first'),
            is_back(trial, room, '[data-page=room]', answered, 'the room')]
    charts.wait_for_selector('[data-page=away]', state='detached')
    bare.wait_for_selector('[data-page=room]', timeout=15_000)
    for page in (room, kiosk, charts, bare):
        web.leave(page.context)
    house.wait_until_followed(house.returned)
    house.be_calm()
    return '; '.join(said)


def shows_an_alarm_after_the_return(trial: Trial) -> str:
    """The gateway dies in the window of an alarm. A kiosk that starts before it shows the alarm, and cancels it."""
    house = trial.house
    alarm, _ = house.raise_alarm()
    house.kill_gateway()
    time.sleep(3)
    kiosk = trial.at('room', '/', '[data-page=away]', web.KIOSK)
    answered = gateway_returns(trial)
    said = is_back(trial, kiosk, '[data-page=alarm]', answered, 'the alarm')
    house.wait_until_followed(house.returned)
    time.sleep(GUARD_SECONDS)
    kiosk.keyboard.press('Enter')
    house.ended(alarm, 'aborted')
    web.leave(kiosk.context)
    house.be_calm()
    return said


def says_that_the_box_is_lost(trial: Trial) -> None:
    """The console is killed: the page gives its advice by itself, and shows no old reading."""
    page = trial.at('room', '/', '[data-page]', web.KIOSK)
    time.sleep(1)
    trial.house.children['console'].kill()
    began = time.monotonic()
    page.wait_for_selector('#lost:not(.hidden)', timeout=10_000)
    took = time.monotonic() - began
    trial.rule('the band of a lost box', took <= LOST_WITHIN_SECONDS * trial.slack, f'comes after {took:.1f} s')
    trial.rule('the words of a lost console', '112' in page.inner_text('#lost'), 'have no 112')
    trial.rule('a lost console', not page.is_visible('main'), 'leaves the old page visible')
    if trial.pictures:
        page.screenshot(path=trial.pictures / 'lost.png')
    trial.house.start_console()
    page.wait_for_selector('#lost.hidden', state='attached', timeout=15_000)
    web.leave(page.context)


def is_in_time(trial: Trial) -> str:
    """Measures the time from the alarm to the page. Both clocks are of this machine."""
    times = []
    page = trial.at('room', '/', '[data-page]', web.KIOSK)
    for _ in range(3 if trial.quick else 20):
        page.evaluate("""() => { window.seenAt = null; new MutationObserver((_, o) => {
            if (document.querySelector('[data-page=alarm]')) requestAnimationFrame(() => {
                window.seenAt ??= performance.timeOrigin + performance.now(); o.disconnect() })
            }).observe(document.getElementById('main'), {childList: true, subtree: true}) }""")
        shift = time.time_ns() - boot_ns()
        alarm, raised = trial.house.raise_alarm()
        page.wait_for_selector('[data-page=alarm]')
        time.sleep(GUARD_SECONDS)
        seen = page.evaluate('window.seenAt')
        assert seen is not None, 'the page was not painted'
        times.append(seen - (raised + shift) / 1e6)
        page.keyboard.press('Enter')
        trial.house.ended(alarm, 'aborted')
        page.wait_for_selector('[data-page=cancelled]')
    web.leave(page.context)
    worst = max(times)
    trial.rule('an alarm on a visible page', worst <= ALARM_LIMIT_MS * trial.slack, f'comes after {worst:.0f} ms')
    median = statistics.median(times)
    return f'from the alarm to the page: median {median:.0f} ms, largest of {len(times)} {worst:.0f} ms'


def is_light(trial: Trial) -> str:
    """Opens pages on a slow device: first paint, bytes of the page with its files, time and bytes of the script."""
    said = []
    for role, path in (('room', '/'), ('family', '/today'), ('person', '/charts'), ('person', '/report')):
        # The best of some tries: other work on this machine only adds to a time.
        tries = [figures_of_a_visit(trial, role, path) for _ in range(TRIES)]
        paint, took = (min(each[name] for each in tries) for name in ('paint', 'script_ms'))
        figures = tries[0]
        whole = figures['page'] + figures['script'] + figures['style']
        name = f'{path} of {role} at {SLOWER} x'
        trial.rule(name, paint <= PAINT_LIMIT_MS * trial.slack, f'is painted after {paint:.0f} ms')
        trial.rule(name, whole <= web.LARGEST_PAGE, f'has {whole} bytes with its files')
        trial.rule(name, figures['script'] <= SCRIPT_BYTES, f'has {figures["script"]} bytes of script')
        trial.rule(name, took <= SCRIPT_LIMIT_MS * trial.slack, f'runs its script for {took:.1f} ms')
        said.append(f'{path} {paint:.0f} ms, {whole} bytes, script {figures["script"]} bytes {took:.1f} ms')
    return '; '.join(said)


def figures_of_a_visit(trial: Trial, role: str, path: str) -> dict[str, float]:
    """Opens a page twice as a new visitor: on the slow device, and to count the time of the script."""
    context = trial.visitor(role)
    page = context.new_page()
    context.new_cdp_session(page).send('Emulation.setCPUThrottlingRate', {'rate': SLOWER})
    page.goto(path)
    # Not `wait_for_function`: where it looks twice, the pages' Content-Security-Policy forbids its eval.
    page.evaluate("""() => new Promise(painted => new PerformanceObserver(list => {
        if (list.getEntriesByName('first-contentful-paint').length) painted();
    }).observe({type: 'paint', buffered: true}))""")
    figures: dict[str, float] = page.evaluate("""() => {
        const files = performance.getEntriesByType('resource').filter(f => /console-/.test(f.name));
        const size = end => files.filter(f => f.name.endsWith(end)).reduce((n, f) => n + f.decodedBodySize, 0);
        return {paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
                page: performance.getEntriesByType('navigation')[0].decodedBodySize,
                script: size('.js'), style: size('.css')}}""")
    web.leave(context)
    context = trial.visitor(role)
    script_ms = SLOWER * web.time_of_our_script(trial.chromium, context.new_page(), path)
    web.leave(context)
    return figures | {'script_ms': script_ms}


def cancels_without_script(trial: Trial) -> None:
    cancels(trial, script=False)


# ---- races ---------------------------------------------------------------------------------

def keeps_races_closed(trial: Trial) -> None:
    """Until the settings open them, a visitor without a pairing learns nothing of a race."""
    for path in ('/races', f'/race?run={RUN}', f'/race/stream?run={RUN}&view=list', f'/race/boxes?run={RUN}'):
        status, _, text = trial.house.ask_page(path)
        trial.rule(f'{path} of a stranger', status in (303, 401) and 'Town' not in text, f'gets the status {status}')
    cookie = trial.house.pair('family')
    status, _, _ = trial.house.ask_page(f'/race?run={RUN}', None, {'Cookie': cookie})
    trial.rule('a race for another role', status == 403, f'gets the status {status}')


def look_at_races(trial: Trial) -> None:
    house = trial.house
    house.show_races()
    trial.look('races', None, '/races', 'article')
    trial.look('a race', None, f'/race?run={RUN}', 'svg.map')
    trial.look('a search', None, f'/race?run={RUN}&find={WATCHED_BIB}&category=', 'svg.map')
    trial.look('nobody found', None, f'/race?run={RUN}&find=nobody%20%3Cb%3E', '.course')
    trial.look('a runner', None, f'/race/runner?run={RUN}&bib={WATCHED_BIB}', 'svg.map')
    trial.look('a hostile runner', None, f'/race/runner?run={RUN}&bib=1', 'h1')
    trial.look('the board', None, f'/race/board?run={RUN}', 'ol')
    trial.look('a race without names', None, f'/race?run={QUIET_RUN}', 'table')
    trial.look('no such race', None, '/race?run=nothing', status=404)
    trial.look('no such runner', None, f'/race/runner?run={RUN}&bib=999', status=404)
    trial.look('a race for its organiser', 'organiser', f'/race?run={QUIET_RUN}', 'table')
    trial.look('the boxes', 'organiser', f'/race/boxes?run={RUN}', '.bibs')
    trial.look('corrections', 'organiser', f'/race/corrections?run={RUN}&bib={LATE_BIB}', 'form.act')
    trial.look('results', 'organiser', f'/race/results?run={RUN}', 'table')


def shows_spectators_their_part(trial: Trial) -> None:
    """Names only where the run shows them, readings only by a grant, and nothing of the house or for organisers."""
    house = trial.house
    house.show_races()
    run = f'run={QUIET_RUN}'
    for path in ('/races', f'/race?{run}', f'/race/runner?{run}&bib=3', f'/race/board?{run}'):
        status, _, text = house.ask_page(path)
        trial.rule(path, status == 200, f'gets the status {status}')
        for word in ('Hidden', 'e2e-house', 'strap', 'Maria'):
            trial.rule(path, word not in text, f'tells {word}')
    runner = f'/race/runner?run={RUN}&bib={WATCHED_BIB}'
    trial.rule('readings without a grant', ' bpm' not in house.ask_page(runner)[2], 'are shown')
    house.grant_to_spectators()
    trial.house.be_calm()
    time.sleep(2)
    trial.rule('readings by a grant', ' bpm' in house.ask_page(runner)[2], 'are not shown')
    trial.look('a runner with readings', None, runner, 'svg.map')
    for view in ('boxes', 'results', 'corrections', 'results.csv'):
        status = house.ask_page(f'/race/{view}?run={RUN}')[0]
        trial.rule(f'/race/{view} for spectators', status == 404, f'gets the status {status}')
    for path, expected in ((f'/race?run={RUN}', 405), ('/act/correct-race', 303), ('/today', 303)):
        status = house.ask_page(path, None if path == '/today' else {'run': RUN}, {'Origin': house.address})[0]
        trial.rule(f'{path} of a spectator', status == expected, f'gets the status {status}')


def finds_a_runner(trial: Trial) -> None:
    """By keyboard, with and without script."""
    trial.house.show_races()
    for script in (True, False):
        page = trial.at(None, f'/race?run={RUN}', 'table', script=script)
        trial.press(page, 'input[name=find]', str(WATCHED_BIB))
        page.wait_for_url('**find=*')
        trial.rule('a search', page.locator('tbody tr').count() == 1, 'does not find one runner')
        trial.press(page, 'a.runner')
        page.wait_for_url('**/race/runner*')
        trial.rule('a runner that was found', str(WATCHED_BIB) in page.inner_text('h1'), 'is another one')
        web.leave(page.context)


def corrects_a_race(trial: Trial) -> None:
    """The organiser adds a passing and marks a runner; a spectator's page follows, and the log of passings holds."""
    house = trial.house
    house.show_races()
    spectator = trial.at(None, f'/race/runner?run={RUN}&bib={LATE_BIB}', '[data-stream]')
    page = trial.at('organiser', '/', 'article')
    page.goto(f'/race/corrections?run={RUN}')
    trial.press(page, 'input[name=bib]', str(LATE_BIB))
    page.wait_for_selector('input[name=time]')
    local = time.localtime(house.race_day.start_ms / 1000 + 1500)
    trial.press(page, 'input[name=time]', time.strftime('%H:%M:%S', local))
    # The browser asks for the reason that is missing, and has its focus there.
    page.keyboard.type('seen on the video')
    page.keyboard.press('Enter')
    page.wait_for_selector('.entries form[action="/act/correct-race"]')
    trial.rule('a passing by hand', '0:25:00' in spectator.inner_text('main') or bool(
        spectator.wait_for_selector('text=0:25:00', timeout=8_000)), 'does not reach a spectator')
    log = house.at_home('race', 'corrections', '--run', RUN)
    trial.rule('the log', 'seen on the video' in log and 'organiser device' in log, f'has {log!r}')
    house.at_home('passings', 'verify')
    house.at_home('race', 'correct', '--run', RUN, '--bib', str(LATE_BIB), '--mark', 'dsq', '--by', 'Gino',
                  '--reason', 'short cut')
    row = next(row for row in json.loads(house.at_home('standings', '--run', RUN, '--json'))['rows']
               if row['bib'] == LATE_BIB)
    trial.rule('a mark', row['state'] == 'dsq' and 'rank' not in row, f'leaves {row}')
    status, fields, table = house.ask_page(
        f'/race/results.csv?run={RUN}', None, {'Cookie': house.pair('organiser')})
    trial.rule('the table', status == 200 and "'=HYPERLINK" in table and 'attachment' in fields['Content-Disposition'],
               f'has the status {status}')
    refused = house.ask_page('/act/correct-race', {'run': RUN, 'bib': str(SILENT_BIB), 'act': 'dnf', 'reason': 'x'},
                             {'Cookie': house.pair('organiser'), 'Origin': house.address})[0]
    trial.rule('a correction without its token', refused == 403, f'gets the status {refused}')
    web.leave(page.context)
    web.leave(spectator.context)


STEPS: list[Callable[[Trial], object]] = [
    look_at_rest, answers, makes_a_code, look_at_an_alarm, cancels, cancels_without_script, calls_help,
    changes_the_profile, refuses_strangers, installs, pairs_a_wearable, pairs_without_script, adds_a_button, checks,
    walks, is_in_time, is_light, says_that_the_box_is_lost, says_that_nobody_watches,
    shows_an_alarm_after_the_return, keeps_races_closed, look_at_races, shows_spectators_their_part, finds_a_runner,
    corrects_a_race]
# Those whose pages and sentences the second language changes; the others try rules and times.
STEPS_OF_OTHER_LANGUAGES: list[Callable[[Trial], object]] = [
    look_at_rest, answers, makes_a_code, look_at_an_alarm, cancels, calls_help, changes_the_profile, installs,
    look_at_races]
# They wait for a radio: in a short run they are tried in one language.
SLOW_STEPS_OF_OTHER_LANGUAGES: list[Callable[[Trial], object]] = [pairs_a_wearable, walks]


def play(trial: Trial, only: str = '') -> Iterator[str]:
    house = trial.house
    house.be_calm()
    house.request('study-1')
    for role in ('room', 'person', 'family', 'carer', 'installer', 'organiser'):
        trial.pair(role)
    steps = STEPS
    if house.language != 'en':
        steps = STEPS_OF_OTHER_LANGUAGES + ([] if trial.quick else SLOW_STEPS_OF_OTHER_LANGUAGES)
    for step in steps:
        if only not in step.__name__:
            continue
        before = len(trial.findings)
        began = time.monotonic()
        said: object = None
        # Chromium's answers to some questions have no time limit of their own.
        faulthandler.dump_traceback_later(STEP_LIMIT_SECONDS, exit=True)
        try:
            said = step(trial)
        except (web.Finding, NotSeen, AssertionError, PlaywrightError) as finding:
            trial.findings.append(f'{step.__name__}: {" ".join(str(finding).split())}')
            house.end_alarms()
        for context in list(trial.chromium.contexts):
            web.leave(context)
        faulthandler.cancel_dump_traceback_later()
        is_kept = len(trial.findings) == before
        yield (f'{"PASS" if is_kept else "FAIL"}  {house.language}  {step.__name__.replace("_", " ")}'
               f'  ({time.monotonic() - began:.1f} s){"; " + str(said) if said else ""}')
        yield from (f'      {finding}' for finding in trial.findings[before:])


def main() -> int:
    parser = argparse.ArgumentParser(prog='python3 -m workbench.web', description=(__doc__ or '').splitlines()[0])
    parser.add_argument(
        '--quick', action='store_true',
        help='a telephone by day and a screen in the dark, 3 alarms instead of 20, '
             f'and times up to {QUICK_SLACK} times as long')
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--only', default='', help='the steps with this word in their names')
    parser.add_argument('--pictures', type=pathlib.Path, help='a folder for screenshots')
    arguments = parser.parse_args()
    unwind_on_signals()
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    findings: list[str] = []
    looks = 0
    with web.chromium() as chromium:
        for language in web.LANGUAGES:
            with TrialHouse(arguments.gateway, language) as house:
                trial = Trial(chromium, house, arguments.pictures, arguments.quick)
                for line in play(trial, arguments.only):
                    print(line, flush=True)
                findings += trial.findings
                looks += trial.looks
    print(f'{looks} looks at pages, {len(findings)} findings')
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
