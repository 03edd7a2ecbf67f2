"""Three nodes of Debian's RabbitMQ on this machine. Each can be killed and started again."""
import contextlib
import os
import pathlib
import secrets
import shlex
import subprocess
import tempfile
import time

from workbench.cluster.forwarder import Forwarder
from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.parts.port import HOST, answers, free_port

# Debian's /usr/sbin/rabbitmq-server would run the one node of the machine, as its own user.
PROGRAMS = next(iter(sorted(pathlib.Path('/usr/lib/rabbitmq/lib').glob('rabbitmq_server-*/sbin'))), pathlib.Path())
IS_INSTALLED = PROGRAMS.is_absolute()
# Two loaded processors take half a minute for a node; after kill -9 it also reads its log again.
START_SECONDS = 180
NAMES = ['one', 'two', 'three']


class EPMD(Part):
    """The port mapper of Erlang's nodes: a private one, which ends with this process."""
    name = 'epmd'

    def __init__(self, directory):
        super().__init__(directory)
        self.port = free_port()

    def start(self):
        with self.log_file() as log:
            self.child = Child(['epmd', '-address', HOST, '-port', str(self.port)], stdout=log, stderr=log)
        self.wait_until(lambda: answers(self.port))


class Node(Part):
    """One of three nodes. Its messages are on its disk, in queues that are copied to each node."""

    def __init__(self, directory, name, epmd):
        self.name = name
        super().__init__(directory / name)
        self.directory.mkdir()
        self.log = self.directory / 'node.log'
        self.port, self.home, self.epmd = free_port(), directory, epmd
        # A fixed port each: a node that is started again is found there.
        self.amqp, self.distribution = free_port(), free_port()
        (self.directory / 'rabbitmq.conf').write_text(f'''
listeners.tcp.1 = {HOST}:{self.amqp}
mqtt.listeners.tcp.1 = {HOST}:{self.port}
mqtt.allow_anonymous = false
mqtt.durable_queue_type = quorum
cluster_formation.peer_discovery_backend = classic_config
''' + ''.join(f'cluster_formation.classic_config.nodes.{i} = {each}@localhost\n' for i, each in enumerate(NAMES, 1)),
            encoding='utf-8')
        (self.directory / 'enabled_plugins').write_text('[rabbitmq_mqtt].\n', encoding='utf-8')

    def environment(self):
        directory = str(self.directory)
        return {
            'PATH': os.environ['PATH'], 'HOME': str(self.home), 'LANG': 'C.UTF-8',
            'ERL_EPMD_PORT': str(self.epmd.port), 'ERL_EPMD_ADDRESS': HOST,
            'RABBITMQ_NODENAME': f'{self.name}@localhost', 'RABBITMQ_DIST_PORT': str(self.distribution),
            'RABBITMQ_CONF_ENV_FILE': '/dev/null', 'RABBITMQ_CONFIG_FILE': f'{directory}/rabbitmq.conf',
            'RABBITMQ_ENABLED_PLUGINS_FILE': f'{directory}/enabled_plugins',
            'RABBITMQ_MNESIA_BASE': directory, 'RABBITMQ_LOG_BASE': directory, 'RABBITMQ_LOGS': '-',
            'RABBITMQ_PID_FILE': f'{directory}/pid',
            # No shell in between, so that the kill reaches the node; three nodes share two processors.
            'RUNNING_UNDER_SYSTEMD': '1', 'RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS': (
                # Not reachable from the network.
                '+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}')}

    def start(self):
        words = ['env', '-i', *(f'{name}={value}' for name, value in self.environment().items()),
                 str(PROGRAMS / 'rabbitmq-server')]
        with self.log_file() as log:
            self.child = Child(words, stdout=log, stderr=log)

    def wait_until_there(self):
        end = time.monotonic() + START_SECONDS
        while not answers(self.port):
            if not self.running:
                raise self.failed(f'ended with status {self.started.process.returncode}')
            if time.monotonic() > end:
                raise self.failed(f'was not ready within {START_SECONDS} s')
            time.sleep(0.2)

    def die(self):
        """Kills the node with SIGKILL."""
        self.kill()

    def come_back(self):
        self.start()
        self.wait_until_there()

    def control(self, *words):
        done = subprocess.run(
            [str(PROGRAMS / 'rabbitmqctl'), *words], env=self.environment(), check=False, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=START_SECONDS)
        if done.returncode:
            raise self.failed(f'rabbitmqctl {" ".join(words)}: {done.stdout}{done.stderr}')
        return done.stdout


class Cluster:
    """Three joined nodes, and an address that leads to a running one."""

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            directory = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix='homegateway-')))
            cookie = directory / '.erlang.cookie'
            cookie.write_text(secrets.token_hex(), encoding='utf-8')
            cookie.chmod(0o400)
            epmd = stack.enter_context(EPMD(directory))
            self.nodes = [Node(directory, name, epmd) for name in NAMES]
            # One by one: each joins the earlier ones.
            for node in self.nodes:
                stack.enter_context(node)
                node.wait_until_there()
            # Consumers begin at the last node and the gateway at the first, so that a kill seldom meets both.
            self.forwarder = stack.enter_context(Forwarder([node.port for node in reversed(self.nodes)]))
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *reason):
        return self.stack.__exit__(*reason)

    @property
    def port(self):
        return self.forwarder.port

    def at(self, port):
        return next(node for node in self.nodes if node.port == port)

    def admit(self, program, gateways, consumer, password, server=None):
        """Adds users with exactly the rights that the gateway's own command prints.

        `server`: the name of the cloud half, which has several tasks.
        """
        for user in (*gateways, consumer, *([server] if server else [])):
            self.nodes[0].control('add_user', user, password)
        tasks = [word for task in ('consumer', 'emergency-service', 'issuer', 'relay') if server
                 for word in (f'--{task}', server)]
        rights = subprocess.run(
            [program, 'broker-acl', '--for', 'rabbitmq', *gateways, '--consumer', consumer, *tasks], check=True,
            text=True, stdout=subprocess.PIPE).stdout
        for line in rights.splitlines():
            self.nodes[0].control(*shlex.split(line)[1:])
