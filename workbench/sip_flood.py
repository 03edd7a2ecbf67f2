"""Floods the SIP port of a channel: python3 -m workbench.sip_flood udp|tcp PORT SOURCE COUNT

udp: COUNT requests MESSAGE, each in a transaction of its own; prints the number of answers.
tcp: COUNT connections with the beginning of a request that never ends, held until standard input ends.
"""
import contextlib
import select
import socket
import sys
import time

kind, port, source, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])


def request(number, body):
    return (
        f'MESSAGE sip:26317@127.0.0.1:{port} SIP/2.0\r\n'
        f'Via: SIP/2.0/{kind.upper()} {source}:5999;rport;branch=z9hG4bK{number}x{source}\r\n'
        f'From: <sip:flood@{source}>;tag=f{number}\r\nTo: <sip:26317@centre.example>\r\n'
        f'Call-ID: flood{number}@{source}\r\nCSeq: 1 MESSAGE\r\nMax-Forwards: 70\r\n'
        f'Content-Type: application/scaip+xml\r\nContent-Length: {len(body)}\r\n\r\n'
    ).encode() + body


def udp():
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.bind((source, 0))
    sender.setblocking(False)
    answers = 0
    for number in range(count):
        with contextlib.suppress(OSError):
            sender.sendto(request(number, b'<mrs><ref>0</ref><snu>0</snu></mrs>' + b' ' * 900), ('127.0.0.1', port))
        if number % 20 == 0:
            # A pause, so that the receiver's buffer takes most requests.
            time.sleep(0.001)
        while select.select([sender], [], [], 0)[0]:
            try:
                sender.recv(65536)
                answers += 1
            except OSError:
                break
    print(f'sent {count}, answers {answers}', flush=True)


def tcp():
    begun = request(1, b'').replace(b'Content-Length: 0', b'Content-Length: 65000') + b'x' * 60000
    held = []
    for _ in range(count):
        try:
            peer = socket.socket()
            peer.bind((source, 0))
            peer.settimeout(0.02)
            peer.connect(('127.0.0.1', port))
            peer.sendall(begun)
            held.append(peer)
        except OSError:
            peer.close()
    print(f'sent {count}, held {len(held)}', flush=True)
    sys.stdin.read()


udp() if kind == 'udp' else tcp()
