"""Validates a CycloneDX document on standard input. Prints each violation; ends with 1 then.

    .build-lint/venv/bin/python -B -m workbench.sbom.schema < FILE

The schemas come with cyclonedx-python-lib, which `make lint` installs.
"""
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def main() -> int:
    violations = list(JsonStrictValidator(SchemaVersion.V1_5).validate_str(sys.stdin.read(), all_errors=True) or [])
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == '__main__':
    sys.exit(main())
