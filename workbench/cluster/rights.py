"""The rights of a neighbour, another gateway, at the cluster."""
import subprocess

from workbench.cluster.household import PASSWORD
from workbench.house import GATEWAY, PERSON
from workbench.parts.port import HOST

NEIGHBOUR = 'house-13'
# For a refusal by silence, or by a connection that closes each time; a grant takes milliseconds.
REFUSED_SECONDS = 10


def is_let(program, port, *words):
    try:
        return subprocess.run(
            [program, '-h', HOST, '-p', str(port), '-i', NEIGHBOUR, '-u', NEIGHBOUR, '-P', PASSWORD, '-q', '1', *words],
            check=False, timeout=REFUSED_SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def breaches(cluster):
    """Returns the violations in words: own topics must be open, topics of others closed."""
    def reads(topic):
        return is_let('mosquitto_sub', cluster.port, '-E', '-t', topic)

    def writes(topic):
        return is_let('mosquitto_pub', cluster.port, '-m', '{}', '-t', topic)

    own, other = f'trackme/v1/{NEIGHBOUR}', f'trackme/v1/{GATEWAY}'
    accepted, sample = f'sos/{PERSON}/accepted', f'samples/{PERSON}/heart-rate'
    expected = [
        (reads, f'{own}/sos/+/accepted', True), (writes, f'{own}/{sample}', True), (writes, f'{own}/{accepted}', False),
        (reads, '#', False), (reads, f'{other}/{sample}', False), (reads, f'{other}/sos/+/accepted', False),
        (writes, f'{other}/{sample}', False), (writes, f'{other}/{accepted}', False)]
    return [f'{NEIGHBOUR} {act.__name__} {topic}: {not is_right}'
            for act, topic, is_right in expected if act(topic) != is_right]
