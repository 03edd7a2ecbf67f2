"""A network namespace for the gateway, with a link that can be cut and slowed down."""
import os
import subprocess


def ip(*words, check=True):
    subprocess.run(['ip', *words], check=check, stderr=None if check else subprocess.DEVNULL)


class Network:
    """A network namespace, and a link to `host`, the address of the broker."""

    def __init__(self):
        number = os.getpid() % 250
        self.name, self.outer, self.inner = f'hg-{os.getpid()}', f'hgo{number}', f'hgi{number}'
        self.host, self.gateway = f'10.213.{number}.1', f'10.213.{number}.2'

    def __enter__(self):
        ip('netns', 'add', self.name)
        try:
            ip('link', 'add', self.outer, 'type', 'veth', 'peer', 'name', self.inner, 'netns', self.name)
            ip('addr', 'add', f'{self.host}/30', 'dev', self.outer)
            ip('link', 'set', self.outer, 'up')
            ip('-n', self.name, 'addr', 'add', f'{self.gateway}/30', 'dev', self.inner)
            ip('-n', self.name, 'link', 'set', self.inner, 'up')
            ip('-n', self.name, 'link', 'set', 'lo', 'up')
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        ip('link', 'del', self.outer, check=False)
        ip('netns', 'del', self.name, check=False)

    def command(self, words):
        return ['ip', 'netns', 'exec', self.name, *words]

    def cut(self):
        """Cuts the link without any error to either end: the far end drops all packets."""
        ip('addr', 'del', f'{self.host}/30', 'dev', self.outer)

    def slow(self, rate):
        subprocess.run(
            self.command(['tc', 'qdisc', 'add', 'dev', self.inner, 'root', 'tbf', 'rate', rate, 'burst', '4kb',
                          'latency', '2s']), check=True)

    def mend(self):
        ip('addr', 'add', f'{self.host}/30', 'dev', self.outer, check=False)
        subprocess.run(
            self.command(['tc', 'qdisc', 'del', 'dev', self.inner, 'root']), check=False, stderr=subprocess.DEVNULL)
