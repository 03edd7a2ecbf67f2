"""A real Home Assistant: its settings, its process and the states that it shows."""
import base64
import hashlib
import hmac
import json
import pathlib
import secrets
import time
import urllib.error
import urllib.request
from typing import Any

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.parts.port import HOST, free_port

START_SECONDS = 240   # of a busy machine; about 15 s on an idle one
STOP_SECONDS = 120   # it writes its files, and waits for its tasks
TOKEN_LIFE_S = 86_400

State = dict[str, Any]


class HomeAssistant(Part):
    """Home Assistant with a user, a long-lived token and its MQTT integration."""

    name = 'home-assistant'

    def __init__(self, directory: pathlib.Path, program: pathlib.Path, broker_port: int) -> None:
        """`program`: its command `hass`. `directory` becomes its configuration folder."""
        super().__init__(directory)
        self.program, self.port = program, free_port()
        self.token_id, self.key = secrets.token_hex(16), secrets.token_hex(64)
        (directory / '.storage').mkdir(parents=True)
        (directory / 'configuration.yaml').write_text(
            f'homeassistant:\n  time_zone: UTC\nhttp:\n  server_host: {HOST}\n  server_port: {self.port}\napi:\n',
            encoding='utf-8')
        self.store('onboarding', 4, {'done': ['user', 'core_config', 'analytics', 'integration']})
        self.store('auth', 1, self.accounts())
        self.store('core.config_entries', 1, {'entries': [{
            'entry_id': secrets.token_hex(16), 'version': 1, 'minor_version': 1, 'domain': 'mqtt', 'title': 'Mosquitto',
            'data': {'broker': HOST, 'port': broker_port, 'discovery': True, 'discovery_prefix': 'homeassistant'},
            'options': {}, 'pref_disable_new_entities': False, 'pref_disable_polling': False, 'source': 'user',
            'unique_id': None, 'disabled_by': None}]})

    # ---- its files -----------------------------------------------------------------------

    def store(self, key: str, version: int, data: dict[str, Any]) -> None:
        (self.directory / '.storage' / key).write_text(json.dumps(
            {'version': version, 'minor_version': 1, 'key': key, 'data': data}), encoding='utf-8')

    def accounts(self) -> dict[str, Any]:
        """Returns an owner with a long-lived token (homeassistant/auth/auth_store.py)."""
        user = secrets.token_hex(16)
        return {
            'users': [{
                'id': user, 'group_ids': ['system-admin'], 'is_owner': True, 'is_active': True, 'name': 'Family',
                'system_generated': False, 'local_only': False}],
            'groups': [{'id': 'system-admin', 'name': 'Administrators'}], 'credentials': [],
            'refresh_tokens': [{
                'id': self.token_id, 'user_id': user, 'client_id': None, 'client_name': 'trial', 'client_icon': None,
                'token_type': 'long_lived_access_token', 'created_at': '2026-01-01T00:00:00+00:00',
                'access_token_expiration': float(TOKEN_LIFE_S), 'token': secrets.token_hex(64), 'jwt_key': self.key,
                'last_used_at': None, 'last_used_ip': None, 'expire_at': None, 'credential_id': None,
                'version': None}]}

    def token(self) -> str:
        """Returns the access token: a JWT with HS256 (RFC 7519)."""
        def part(data: bytes) -> str:
            return base64.urlsafe_b64encode(data).rstrip(b'=').decode()
        now = int(time.time())
        text = '.'.join(part(json.dumps(each).encode()) for each in (
            {'alg': 'HS256', 'typ': 'JWT'}, {'iss': self.token_id, 'iat': now, 'exp': now + TOKEN_LIFE_S}))
        return f'{text}.{part(hmac.digest(self.key.encode(), text.encode(), hashlib.sha256))}'

    # ---- its process ---------------------------------------------------------------------

    def start(self) -> None:
        with self.log_file() as log:
            self.child = Child(
                [self.program, '--config', self.directory, '--skip-pip'], stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while not self.is_up():
            if not self.running:
                raise self.failed(f'ended with status {self.started.process.returncode}')
            if time.monotonic() > end:
                raise self.failed(f'was not ready within {START_SECONDS} s')
            time.sleep(0.2)

    def stop(self) -> None:
        """Ends it in its own order: it writes the states that it restores at its next start."""
        if self.child and self.child.running:
            self.child.process.terminate()
            self.child.process.wait(STOP_SECONDS)
        super().stop()

    def is_up(self) -> bool:
        try:
            return bool(self.call('config')['state'] == 'RUNNING')
        except (OSError, ValueError):
            return False

    # ---- its REST API --------------------------------------------------------------------

    def call(self, path: str) -> Any:
        """Returns the answer of its REST API. OSError while it does not answer."""
        request = urllib.request.Request(
            f'http://{HOST}:{self.port}/api/{path}', headers={'Authorization': f'Bearer {self.token()}'})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            raise OSError(f'{path}: {problem.code}') from problem

    def states(self) -> dict[str, State]:
        """Returns the entities of the gateway that are shown, by their ids."""
        return {
            state['entity_id']: state for state in self.call('states')
            if state['entity_id'].split('.')[0] in ('sensor', 'binary_sensor')}
