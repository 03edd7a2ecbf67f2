"""Paths inside the repository, and the command lines of the programs of this package."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
GATEWAY_PROGRAM = ROOT / '.build/debug/homegateway'
CONSOLE_PROGRAM = ROOT / '.build/debug/homegateway-console'
# Debian's interpreter: the packages python3-dbus, python3-gi and python3-lxml belong to it; a venv does not have them.
PYTHON = '/usr/bin/python3'


def program(module: str) -> list[str]:
    """Returns the command that starts `workbench.MODULE` from any working directory."""
    return ['env', f'PYTHONPATH={ROOT}', PYTHON, '-B', '-m', f'workbench.{module}']
