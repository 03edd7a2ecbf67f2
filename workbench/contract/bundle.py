"""Validation of an exported bundle by an independent implementation of FHIR R4, and of its references."""
import collections
import json

from fhir.resources.R4B.bundle import Bundle


def problems(path):
    value = json.loads(path.read_text(encoding='utf-8'))
    try:
        Bundle.model_validate(value)
    except ValueError as error:
        return [' '.join(str(error).split())]
    found = []
    resources = [entry['resource'] for entry in value['entry']]
    names = [f'{resource["resourceType"]}/{resource["id"]}' for resource in resources]
    for name in (name for name, count in collections.Counter(names).items() if count > 1):
        found.append(f'{name} is there more than once')
    for entry, name in zip(value['entry'], names, strict=True):
        if not entry['fullUrl'].endswith(f'/{name}'):
            found.append(f'{entry["fullUrl"]} is {name}')
    for resource, name in zip(resources, names, strict=True):
        for member in ('subject', 'device'):
            reference = resource.get(member, {}).get('reference')
            if reference and reference not in names:
                found.append(f'{name}: its {member} {reference} is not in the bundle')
        if len(resource['id']) > 64:
            found.append(f'{name}: the id is too long')
    return found
