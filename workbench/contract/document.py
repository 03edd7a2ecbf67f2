"""The contract: the AsyncAPI document, its schemas and examples, and the check of messages against it."""
import base64
import json
import re

import yaml
from fhir.resources.R4B.bundle import Bundle
from fhir.resources.R4B.observation import Observation
from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

from workbench.paths import ROOT

CONTRACT = ROOT / 'docs' / 'contract'
# The AsyncAPI Initiative's own description of its documents: schemas/3.0.0-without-$id.json of its repository
# asyncapi/spec-json-schemas at 7dd3990.
ASYNCAPI = ROOT / 'Tests/Contract/asyncapi' / '3.0.0.json'
JOSE = 'application/jose'
# Schema of each reading in a message of several, by the schema of the message.
SINGLES = {'samples.schema.json': 'sample.schema.json', 'shared-samples.schema.json': 'shared-sample.schema.json'}
JSON_SCHEMA = 'application/schema+json;version=draft-2020-12'


def load(path):
    return json.loads(path.read_text(encoding='utf-8'))


def problem(validator, value):
    """Returns the most informative error, or None."""
    error = best_match(validator.iter_errors(value))
    return error and f'{error.json_path}: {error.message}'


def claims(token):
    """Returns the payload of a compact JWS without checking its signature."""
    middle = token.split('.')[1]
    return json.loads(base64.urlsafe_b64decode(middle + '=' * (-len(middle) % 4)))


class Channel:
    """One topic: its sender, the forms of its messages, QoS and retention."""

    def __init__(self, name, channel, operation, forms):
        self.name, self.address, self.forms = name, channel['address'], forms
        self.is_sent = operation['action'] == 'send'
        self.is_signed = any(form.is_signed for form in forms)
        self.binding = operation['bindings']['mqtt']
        levels = re.split(r'\{(\w+)\}', self.address)
        self.pattern = re.compile(''.join(
            f'(?P<{level}>[a-z0-9][a-z0-9-]{{0,31}})' if number % 2 else re.escape(level)
            for number, level in enumerate(levels)))

    def form_of(self, payload):
        """Returns the form that the payload names; without a name, the first form."""
        if not isinstance(payload, dict):
            return self.forms[0]
        return next((f for f in self.forms if f.is_told_by(payload)), self.forms[0])

    def read(self, payload):
        """Returns the content of a message; ValueError or IndexError for an invalid one."""
        return (claims if self.is_signed else json.loads)(payload)

    def problem(self, payload):
        form = self.form_of(payload)
        return problem(form.validator, payload) or (form.resource and problem_of_fhir(payload)) or next(
            filter(None, (problem(form.single, reading) for reading in gathered(payload) if form.single)), None)


class Form:
    """One message of a channel: its schema."""

    def __init__(self, message, validator, single):
        # Validator of each reading in a message of several; None for other messages.
        self.single = single
        self.name, self.schema_format, self.validator = message['name'], message['payload']['schemaFormat'], validator
        self.is_signed = message['contentType'] == JOSE
        # For FHIR, the type of the resource.
        self.resource = validator.schema.get('properties', {}).get('resourceType', {}).get('const')
        self.is_gathered = 'samples' in validator.schema.get('properties', {})
        self.is_sealed = 'sealed' in validator.schema.get('properties', {})

    def is_told_by(self, payload):
        if 'sealed' in payload or 'samples' in payload:
            return 'sealed' in payload and self.is_sealed or 'samples' in payload and self.is_gathered
        return not self.is_gathered and self.resource == payload.get('resourceType')


class Document:
    def __init__(self):
        self.asyncapi = yaml.safe_load((CONTRACT / 'asyncapi.yaml').read_text(encoding='utf-8'))
        self.schemas = {path.name: load(path) for path in sorted(CONTRACT.glob('schemas/*.schema.json'))}
        self.registry = Registry().with_resources(
            (schema['$id'], Resource.from_contents(schema)) for schema in self.schemas.values())
        self.channels = [self.channel(name) for name in self.asyncapi['channels']]

    def find(self, reference):
        """Returns the target of a reference inside the document."""
        found = self.asyncapi
        for level in reference['$ref'].removeprefix('#/').split('/'):
            found = found[level]
        return self.find(found) if '$ref' in found else found

    def validator(self, name):
        # Formats are checked only with a format checker.
        return Draft202012Validator(
            self.schemas[name], registry=self.registry, format_checker=Draft202012Validator.FORMAT_CHECKER)

    def channel(self, name):
        channel = self.asyncapi['channels'][name]
        [operation] = [o for o in self.asyncapi['operations'].values() if self.find(o['channel']) is channel]
        messages = [self.find(reference) for reference in operation['messages']]
        return Channel(name, channel, operation, [
            Form(message, self.validator(schema), self.single(schema))
            for message in messages
            for schema in [message['payload']['schema']['$ref'].removeprefix('./schemas/')]])

    def single(self, schema):
        name = SINGLES.get(schema)
        return name and self.validator(name)

    def channel_of(self, topic):
        return next((c for c in self.channels if c.pattern.fullmatch(topic)), None)

    # ---- checks of the files -----------------------------------------------------------

    def problems(self):
        return [found for part in (self.of_document, self.of_schemas, self.of_examples) for found in part()]

    def of_document(self):
        wrong = problem(Draft7Validator(load(ASYNCAPI), format_checker=Draft7Validator.FORMAT_CHECKER), self.asyncapi)
        if wrong:
            yield f'asyncapi.yaml: {wrong}'
        kinds = self.schemas['coding.schema.json']['$defs']['kind']['enum']
        if self.asyncapi['components']['parameters']['kind']['enum'] != kinds:
            yield 'asyncapi.yaml: the parameter kind has other values than coding.schema.json'
        yield from self.of_last_will()
        for channel in self.channels:
            for form in channel.forms:
                if form.schema_format != JSON_SCHEMA:
                    yield f'asyncapi.yaml: {form.name} is not in {JSON_SCHEMA}'
            major = self.asyncapi['info']['version'].split('.')[0]
            if not channel.address.startswith(f'trackme/v{major}/'):
                yield f'asyncapi.yaml: {channel.address} is not of version {major}'
            declared = set(self.asyncapi['channels'][channel.name]['parameters'])
            if declared != set(channel.pattern.groupindex):
                yield f'asyncapi.yaml: {channel.name} declares {sorted(declared)} for {channel.address}'

    def of_last_will(self):
        """Checks the last will: the server's binding must describe the status message again."""
        [server] = self.asyncapi['servers'].values()
        will = server['bindings']['mqtt']['lastWill']
        status = next(c for c in self.channels if c.name == 'status')
        if (will['topic'], will['qos'], will['retain']) != (
                status.address, status.binding['qos'], status.binding['retain']):
            yield f'asyncapi.yaml: the last will is not as {status.address} is: {will}'

    def of_schemas(self):
        used = set(re.findall(r'[\w-]+\.schema\.json', json.dumps([self.asyncapi, *(
            {**schema, '$id': ''} for schema in self.schemas.values())])))
        for name, schema in self.schemas.items():
            try:
                Draft202012Validator.check_schema(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
            except Exception as error:
                yield f'{name}: {error}'
            if not schema['$id'].endswith(f'/v1/{name}'):
                yield f'{name}: its $id is {schema["$id"]}'
            if name not in used:
                yield f'{name} is used by nobody'
            for loose in loose_objects(schema):
                yield f'{name}: an object takes members it does not name: {sorted(loose["properties"])}'

    def of_examples(self):
        folders = {path.name for path in (CONTRACT / 'examples').iterdir()}
        forms = [(channel, form) for channel in self.channels for form in channel.forms]
        for stray in folders - {form.name for _, form in forms} - {'refused'}:
            yield f'examples/{stray} belongs to no message'
        for channel, form in forms:
            examples = sorted((CONTRACT / 'examples' / form.name).glob('*.json'))
            if not examples:
                yield f'{form.name} has no example'
            for path in examples:
                example = load(path)
                if channel.form_of(example) is not form:
                    yield f'examples/{form.name}/{path.name} is no {form.name}'
                elif wrong := channel.problem(example):
                    yield f'examples/{form.name}/{path.name}: {wrong}'
        for text in re.findall(r'```json\n(.*?)```', (CONTRACT / 'README.md').read_text(encoding='utf-8'), re.S):
            if wrong := problem(self.validator('accepted.schema.json'), json.loads(text)):
                yield f'README.md: {wrong}'
        observations = next(channel for channel in self.channels if channel.name == 'sharedSample')
        page = (CONTRACT.parent / 'integrator/fhir.md').read_text(encoding='utf-8')
        for text in re.findall(r'```json\n(.*?)```', page, re.S):
            if wrong := observations.problem(json.loads(text)):
                yield f'fhir.md: {wrong}'
        for path in refused():
            if problem(self.validator('accepted.schema.json'), load(path)) is None:
                yield f'examples/refused/{path.name} is valid, and should not be'

    # ---- checks of a message -----------------------------------------------------------

    def problems_of_message(self, message):
        channel = self.channel_of(message['topic'])
        if channel is None:
            return [f'{message["topic"]}: the contract has no such channel']
        try:
            payload = channel.read(message['payload'])
        except (ValueError, IndexError):
            return [f'{message["topic"]}: no JSON: {message["payload"]!r}']
        found = []
        if wrong := channel.problem(payload):
            found.append(f'{message["topic"]}: {wrong}: {message["payload"]}')
        for key in ('qos', 'retain'):
            if int(message[key]) != int(channel.binding[key]):
                found.append(f'{message["topic"]}: {key} is {message[key]}, by the contract {channel.binding[key]}')
        # The payload repeats the parameters of the topic.
        levels = channel.pattern.fullmatch(message['topic']).groupdict()
        for key, said in said_again(payload).items() if channel.is_sent else ():
            if key in levels and said != levels[key]:
                found.append(f'{message["topic"]}: its {key} is {said}')
        if 'party' in levels and channel.is_sent and (None in (asked := requests_of(payload)) or len(asked) != 1):
            found.append(f'{message["topic"]}: it answers the requests {asked}, and should answer one')
        return found


def gathered(payload):
    """Yields the readings of a message of several, each as in a message of its own."""
    shared = {key: value for key, value in payload.items() if key != 'samples'}
    for own in payload.get('samples', ()):
        yield {'received': own.get('time'), **shared, **own}


def said_again(payload):
    """Returns the topic parameters that a payload repeats."""
    if not isinstance(payload, dict):
        return {}
    if 'sealed' in payload:
        return {}
    if 'resourceType' in payload:
        [said] = {tuple(subject_of(resource).items()) for resource in resources(payload)}
        return dict(said)
    return {key: payload.get(key) for key in ('party', 'person', 'kind', 'run')}


def resources(payload):
    """Returns the Observations of a message in FHIR."""
    return [entry['resource'] for entry in payload['entry']] if payload['resourceType'] == 'Bundle' else [payload]


def subject_of(observation):
    """Returns the topic parameters that an Observation repeats: a third party's copy names the house as well."""
    subject = observation.get('subject', {})
    if 'identifier' in subject:
        gateway, person = subject['identifier']['value'].split('/')
        return {'gateway': gateway, 'person': person}
    return {'person': subject.get('reference', '').removeprefix('Patient/')}


def requests_of(payload):
    """Returns the requests that a third party's copy answers: one, or None where it names none."""
    if 'resourceType' not in payload:
        return {payload.get('request')}
    return {o['basedOn'][0]['identifier']['value'] if 'basedOn' in o else None for o in resources(payload)}


def problem_of_fhir(resource):
    """Returns the problems that an independent implementation of FHIR R4 finds."""
    try:
        (Bundle if resource['resourceType'] == 'Bundle' else Observation).model_validate(resource)
    except ValueError as error:
        return ' '.join(str(error).split())
    return None


def refused():
    """Returns the examples of invalid acceptances."""
    return sorted((CONTRACT / 'examples' / 'refused').glob('*.json'))


def loose_objects(schema):
    """Yields the schemas of whole objects that would accept members without a name in the schema."""
    if isinstance(schema, dict):
        is_object = schema.get('type') == 'object' and 'properties' in schema
        if is_object and schema.get('additionalProperties') is not False:
            yield schema
        for part in schema.values():
            yield from loose_objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from loose_objects(part)
