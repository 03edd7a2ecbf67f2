"""Nothing lost, nothing doubled while nodes of a broker cluster die: the real daemon and three real RabbitMQ.

    python3 -m workbench.cluster [--gateway PROGRAM] [--only WORD]

The table is that of workbench.outage. Ends with 0 when no reading is missing and a neighbour was refused everything.
"""
import argparse
import pathlib
import sys

from workbench.cluster.household import CONSUMER, PASSWORD, ClusterStream
from workbench.cluster.rabbit import IS_INSTALLED, Cluster
from workbench.cluster.rights import NEIGHBOUR, breaches
from workbench.house import GATEWAY
from workbench.outage.counting import HEADER, Count
from workbench.parts.interruption import unwind_on_signals
from workbench.paths import GATEWAY_PROGRAM


def settled(house, count):
    house.hear(100)
    house.quiet()
    house.delivered()
    versions = sorted({version for _, version in house.connections()})
    print(f'  connections of the gateway: {len(house.connections())}, all by MQTT {", ".join(versions)}', flush=True)
    return count.settle(house)


def one_after_the_other(program, cluster, count):
    """Kills the gateway's node, the consumer's, and the gateway's next one; each starts again before the next kill."""
    with ClusterStream(program, cluster) as house:
        house.beat()
        for place in (house.gateway_node, house.consumer_node, house.gateway_node):
            house.hear(100)
            node = place()
            node.die()
            count.times += 1
            house.hear(200)   # ten seconds without it
            node.come_back()
        return settled(house, count)


def majority(program, cluster, count):
    """Kills two of three nodes at once: the last one may not accept messages, nor acknowledge them."""
    with ClusterStream(program, cluster) as house:
        house.beat()
        house.hear(100)
        dead = list({house.gateway_node(), house.consumer_node()})
        dead += [node for node in cluster.nodes if node not in dead][:2 - len(dead)]
        for node in dead:
            node.die()
        count.times = len(dead)
        house.hear(300)
        for node in dead:
            node.come_back()
        return settled(house, count)


ROWS = [('nodes killed, one after the other', one_after_the_other), ('two of three nodes killed', majority)]


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.cluster', description=__doc__.splitlines()[0])
    parser.add_argument('--gateway', default=GATEWAY_PROGRAM, type=pathlib.Path)
    parser.add_argument('--only', default='', help='the rows with this in their name')
    arguments = parser.parse_args()
    chosen = [(name, play) for name, play in ROWS if arguments.only in name]
    if not chosen:
        parser.error(f'no row has {arguments.only!r} in its name')
    if not IS_INSTALLED:
        parser.error('no RabbitMQ here: apt-get install rabbitmq-server')
    unwind_on_signals()
    with Cluster() as cluster:
        cluster.admit(arguments.gateway, [GATEWAY, NEIGHBOUR], CONSUMER, PASSWORD)
        wrong = breaches(cluster)
        print(f'rights of a neighbour: {"; ".join(wrong) or "its own topics, and no others"}', flush=True)
        print(HEADER, flush=True)
        rows = []
        for name, play in chosen:
            rows.append(play(arguments.gateway, cluster, Count(name)))
            print(rows[-1], flush=True)
    broken = [row for row in rows if not row.is_kept]
    for row in broken:
        print(f'BROKEN {row.name}: {"; ".join(row.why)}')
    return 1 if broken or wrong else 0


if __name__ == '__main__':
    sys.exit(main())
