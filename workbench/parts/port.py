"""Free TCP ports on the loopback interface, and a probe for a listener."""
import random
import socket

HOST = '127.0.0.1'
# Below Linux's range of ephemeral ports (32768 and up by default): a client that reconnects while a service is down
# could otherwise be given that port as its own, and connect to itself.
PORTS = range(20_000, 32_000)


def free_port() -> int:
    for port in random.sample(PORTS, 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    raise OSError(f'no free port among 100 tried in {PORTS.start} to {PORTS.stop}')


def answers(port: int, banner: bool = False) -> bool:
    """Returns true when a connection is accepted; with `banner`, when the server also sends a byte."""
    try:
        with socket.create_connection((HOST, port), timeout=1) as connection:
            return not banner or bool(connection.recv(1))
    except OSError:
        return False
