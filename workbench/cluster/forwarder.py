"""A load balancer: one address, with each connection passed on to the first node of a list that answers."""
import contextlib
import socket
import threading

from workbench.parts.port import HOST


class Forwarder:
    """`to`: the port of the newest connection. `up`, `down`: the bytes carried so far."""

    def __init__(self, ports):
        self.ports, self.to, self.up, self.down = ports, None, 0, 0

    def __enter__(self):
        self.listener = socket.create_server((HOST, 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def serve(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:   # closed: the end
                return
            self.connect(near)

    def connect(self, near):
        for port in self.ports:
            try:
                far = socket.create_connection((HOST, port), timeout=2)
            except OSError:
                continue
            far.settimeout(None)
            self.to = port
            for words in ((near, far, 'up'), (far, near, 'down')):
                threading.Thread(target=self.carry, args=words, daemon=True).start()
            return
        near.close()

    def carry(self, source, target, way):
        """Copies bytes until either side ends; then both end, as when a machine dies."""
        try:
            while data := source.recv(65_536):
                target.sendall(data)
                setattr(self, way, getattr(self, way) + len(data))
        except OSError:
            pass
        for each in (source, target):
            with contextlib.suppress(OSError):   # the connection has ended already
                each.shutdown(socket.SHUT_RDWR)
