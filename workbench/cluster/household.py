"""A house with the three nodes in the settings of its gateway, and a consumer with a persistent session."""
import contextlib
import pathlib
import re
import subprocess
from typing import Any

from workbench.house import GATEWAY, PATIENCE_SECONDS
from workbench.outage.streaming import Stream
from workbench.parts.port import HOST

CONSUMER, PASSWORD = 'cloud', 'a password of the test'
# The filters that docs/contract/README.md gives for consumers.
FILTERS = ['trackme/v1/+/status', 'trackme/v1/+/heartbeat', 'trackme/v1/+/samples/#', 'trackme/v1/+/sos/+']
CONNECTED = re.compile(r'broker connected.* broker="?127\.0\.0\.1:(\d+)"?.* mqtt="?([\d.]+)')


class ClusterStream(Stream):
    def __init__(self, program, cluster, **more):
        super().__init__(program, **more)
        self.cluster = cluster
        self.broker_class = self.running_cluster

    def running_cluster(self, _directory: pathlib.Path) -> Any:
        """Returns the cluster in place of a broker. It runs already, and goes on after this house."""
        return contextlib.nullcontext(self.cluster)

    def write_settings(self):
        super().write_settings()
        secret = self.directory / 'password'
        secret.write_text(PASSWORD, encoding='utf-8')
        secret.chmod(0o600)
        hosts = ', '.join(f'"{HOST}:{node.port}"' for node in self.cluster.nodes)
        one = f'host = "{HOST}"\nport = {self.cluster.port}\n'
        self.replace_settings((one, f'hosts = [{hosts}]\nusername = "{GATEWAY}"\npassword_file = "{secret}"\n'))

    def start_witness(self):
        words = ['mosquitto_sub', '-p', str(self.cluster.port), '-i', CONSUMER, '-c', '-q', '1', '-u', CONSUMER,
                 '-P', PASSWORD, '-F', '%t %p', *(word for each in FILTERS for word in ('-t', each))]
        # A first run makes the session: later messages are queued for the consumer.
        subprocess.run([*words, '-E'], check=True, timeout=PATIENCE_SECONDS, stdout=subprocess.DEVNULL)
        self.follow_witness(words)

    def connections(self):
        """Returns port and MQTT version of each connection of the gateway so far."""
        log = (self.directory / 'gateway.log').read_text(encoding='utf-8', errors='replace')
        return [(int(port), version) for port, version in CONNECTED.findall(log)]

    def gateway_node(self):
        return self.cluster.at(self.connections()[-1][0])

    def consumer_node(self):
        return self.cluster.at(self.cluster.forwarder.to)

    def delivered(self, seconds=120):
        """Returns when the consumer has all owed readings, or after `seconds`."""
        self.drained()
        self.caught_up(seconds)
