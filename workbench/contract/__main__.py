"""Checks the contract of docs/contract against itself and against the gateway. Prints the problems; exits 1 then.

    Tests/Contract/check document           the AsyncAPI document, the schemas and the examples, among themselves
    Tests/Contract/check messages FILE      messages against their channels, one JSON object a line:
                                            {"topic": TEXT, "payload": TEXT, "retain": true or false, "qos": 0, 1 or 2}
    Tests/Contract/check sealed FILE        sealed messages, opened by the program of sealing.md: see sealed.py
    Tests/Contract/check bundle FILE        a FHIR R4 Bundle that homegateway my-data export wrote
    Tests/Contract/check daemon PROGRAM     all messages that a running gateway sends and accepts, at a real broker
    Tests/Contract/check command PEM ALG    the command that docs/integrator/commands.md shows, signed by its program
    Tests/Contract/check receipt JWKS TEXT  a receipt, read by the program of docs/integrator/commands.md
"""
import json
import pathlib
import re
import sys

from workbench.contract import bundle, sealed
from workbench.contract.document import Document
from workbench.contract.gateway_run import Run
from workbench.paths import ROOT


def messages(document, path):
    lines = pathlib.Path(path).read_text(encoding='utf-8').splitlines()
    problems = [] if lines else [f'{path} holds no message']
    for line in lines:
        problems += document.problems_of_message(json.loads(line))
    return problems


def shown_program(number, words, algorithm='EdDSA'):
    """Runs a program of docs/integrator/commands.md, word for word."""
    text = (ROOT / 'docs/integrator/commands.md').read_text(encoding='utf-8')
    program = re.findall(r'```python\n(.*?)```', text, re.S)[number]
    sys.argv[1:] = words
    exec(compile(program.replace('EdDSA', algorithm), 'docs/integrator/commands.md', 'exec'), {})


def main(words):
    match words:
        case ['command', pem, algorithm]:
            return shown_program(0, [pem], algorithm)
        case ['receipt', jwks, receipt]:
            return shown_program(1, [jwks, receipt])
    document = Document()
    match words:
        case ['document']:
            problems = document.problems()
        case ['messages', path]:
            problems = messages(document, path)
        case ['bundle', path]:
            problems = bundle.problems(pathlib.Path(path))
        case ['sealed', path]:
            problems = sealed.problems(pathlib.Path(path))
        case ['daemon', program]:
            problems = Run(document, program).problems()
        case _:
            sys.exit(__doc__)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main(sys.argv[1:])
