"""Cost of sealing a reading, beside Python's cryptography (Rust over OpenSSL), in turns."""
import argparse
import statistics
import subprocess
import time

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

MESSAGES, SIZE, ROUNDS = 5_000, 250, 5
SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
INFO = b'trackme-sealed-v1\ntrackme/v1/house-12/parties/clinic/maria/heart-rate\nbench\n'


def peer(key):
    plain, public = b' ' * SIZE, key.public_key()
    start = time.perf_counter_ns()
    for _ in range(MESSAGES):
        SUITE.encrypt(plain, public, INFO)
    return (time.perf_counter_ns() - start) / 1_000 / MESSAGES


def gateway(program, key):
    public = key.public_key().public_bytes_raw().hex()
    return float(subprocess.run(
        [program, public, str(MESSAGES), str(SIZE)], check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(prog='python3 -m workbench.bench.seal', description=__doc__)
    parser.add_argument('--bench', required=True)
    options = parser.parse_args()
    key = X25519PrivateKey.generate()
    rounds = [(gateway(options.bench, key), peer(key)) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
    print(f'one reading of {SIZE} bytes, sealed; medians of {ROUNDS} rounds of {MESSAGES}')
    print(f'gateway              {ours:6.1f} us')
    print(f'Python, cryptography {theirs:6.1f} us    gateway / Python: {ours / theirs:.2f}')


if __name__ == '__main__':
    main()
