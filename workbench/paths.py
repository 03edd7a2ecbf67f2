"""Paths inside the repository, and the command lines of the programs of this package."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
GATEWAY_PROGRAM = ROOT / '.build/debug/homegateway'
TRACKME_PROGRAM = ROOT / 'TrackMe/.build/debug/trackme'
# Debian's interpreter: the packages python3-dbus, python3-gi and python3-lxml belong to it; a venv does not have them.
PYTHON = '/usr/bin/python3'


def console_link(gateway: pathlib.Path) -> pathlib.Path:
    """Returns the name by which a gateway's program serves the pages: a link beside it, as `make install` makes it."""
    link = gateway.with_name('homegateway-console')
    if not link.is_symlink():
        link.unlink(missing_ok=True)
        link.symlink_to(gateway.name)
    return link


def program(module: str) -> list[str]:
    """Returns the command that starts `workbench.MODULE` from any working directory."""
    return ['env', f'PYTHONPATH={ROOT}', PYTHON, '-B', '-m', f'workbench.{module}']
