"""Chromium as the visitors of the pages use it: sizes, colours, languages, and the checks that hold for every page."""
import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

CHROMIUM = '/usr/bin/chromium'
# Off by default in axe-core: a page with 5.7:1 text and 18 px buttons passes without them.
STRICTER_RULES = ('color-contrast-enhanced', 'target-size')
LANGUAGES = {'en': 'en-GB', 'it': 'it-IT'}
SCHEMES = ('light', 'dark')
# WCAG 1.4.10 (reflow): no sideways scroll at this width, in CSS pixels.
NARROWEST = 320
LARGEST_PAGE = 30_000   # bytes, as they are sent


@dataclass(frozen=True)
class Screen:
    name: str
    width: int
    height: int
    touch: bool = True


PHONE = Screen('phone', 390, 844)
TABLET = Screen('tablet', 820, 1180)
KIOSK = Screen('kiosk', 1280, 800)
SCREENS = (PHONE, TABLET, KIOSK)


class Finding(Exception):
    """A page that breaks a rule. The text names the page, the rule and the place."""


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=['--no-sandbox'])
        try:
            yield browser
        finally:
            browser.close()


def visitor(
        browser: Browser, address: str, screen: Screen = PHONE, scheme: str = 'light', language: str = 'en',
        script: bool = True, state: Any = None) -> BrowserContext:
    """Opens a context of its own: its cookies are those of one device."""
    context = browser.new_context(
        base_url=address, viewport={'width': screen.width, 'height': screen.height}, has_touch=screen.touch,
        color_scheme=scheme, locale=LANGUAGES[language], java_script_enabled=script, ignore_https_errors=True,
        storage_state=state)
    context.set_default_timeout(10_000)
    return context


def leave(context: BrowserContext) -> None:
    """Closes the browser of a device. Chromium does not end a context that it closes amid a navigation."""
    for page in context.pages:
        for _ in range(5):
            # A navigation of the page itself may win.
            with contextlib.suppress(PlaywrightError):
                page.goto('about:blank')
                break
    context.close()


class Watched:
    """A page whose console errors and refusals by the content security policy are kept: there must be none."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on('console', self.hear)
        self.page.on('pageerror', lambda error: self.errors.append(str(error)))

    def hear(self, message: ConsoleMessage) -> None:
        if message.type == 'error':
            self.errors.append(message.text)

    def check(self, name: str) -> None:
        if self.errors:
            raise Finding(f'{name}: the browser reports {self.errors[0]}')


def violations(page: Page) -> list[str]:
    """Returns what axe-core finds, a line for each place."""
    options = {
        'rules': {rule: {'enabled': True} for rule in STRICTER_RULES},
        'resultTypes': ['violations'],
    }
    found = Axe().run(page, options=options).response['violations']
    return [
        f"{rule['id']}: {' '.join(node['target'][0].split()) if isinstance(node['target'][0], str) else node['target']}"
        f" ({' '.join(node.get('failureSummary', '').split())})"
        for rule in found for node in rule['nodes']]


def overflow(page: Page) -> str | None:
    """Returns the widest element that makes the page scroll sideways; None where the page fits."""
    return page.evaluate("""() => {
        const root = document.documentElement;
        if (root.scrollWidth <= root.clientWidth) return null;
        const wide = [...document.querySelectorAll('body *')]
            .filter(e => e.getBoundingClientRect().right > root.clientWidth + 1)
            .sort((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right)[0];
        return wide ? wide.outerHTML.slice(0, 160) : 'the page itself';
    }""")


def small_targets(page: Page, least: int) -> list[str]:
    """Returns the buttons and links outside of running text that are smaller than `least` CSS pixels."""
    return page.evaluate("""least => [...document.querySelectorAll('main button, main a, main input, main select')]
        .filter(e => !e.closest('p, td, li p, small') && e.type !== 'hidden')
        .map(e => [e.getBoundingClientRect(), e])
        .filter(([r]) => r.width > 0 && (r.height < least || r.width < least))
        .map(([r, e]) => `${Math.round(r.width)}x${Math.round(r.height)} ${e.outerHTML.slice(0, 90)}`)""", least)


def await_focus(page: Page, selector: str) -> None:
    """Waits until the browser has given the focus to an element: it does so at the first frame, after the load."""
    page.locator(f'{selector}:focus').wait_for()


def time_of_our_script(browser: Browser, page: Page, path: str) -> float:
    """Opens a page. Returns the processor time of its own script in milliseconds, without the scripts of this trial."""
    browser.start_tracing(page=page, categories=['devtools.timeline'])
    page.goto(path)
    events = json.loads(browser.stop_tracing())['traceEvents']
    return sum(
        event['tdur'] for event in events
        if event.get('name') in ('EvaluateScript', 'FunctionCall') and event.get('ph') == 'X'
        and page.url.split('/')[2] in event.get('args', {}).get('data', {}).get('url', '')) / 1_000
