#!/usr/bin/env python3
"""Opens a backup of HomeGateway without HomeGateway, by docs/adr/0064-form-of-a-backup.md. Needs libcrypto of OpenSSL.

    python3 open-backup.py house-12.hgb > house-12.tar

It asks for the seven words at the terminal, or reads them from one line of standard input. The archive holds keys and
health data in clear.
"""
import ctypes
import ctypes.util
import getpass
import hashlib
import json
import sys

TAG, CTRL_SET_TAG = 16, 0x11    # openssl/evp.h
crypto = ctypes.CDLL(ctypes.util.find_library('crypto'))
crypto.EVP_CIPHER_CTX_new.restype = crypto.EVP_aes_256_gcm.restype = ctypes.c_void_p


def opened(key, nonce, header, sealed):
    """One chunk by AES-256-GCM."""
    count, text, tag = ctypes.c_int(), ctypes.create_string_buffer(len(sealed)), sealed[-TAG:]
    context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
    size = len(sealed) - TAG
    done = (crypto.EVP_DecryptInit_ex(context, ctypes.c_void_p(crypto.EVP_aes_256_gcm()), None, key, nonce)
            and crypto.EVP_DecryptUpdate(context, None, ctypes.byref(count), header, len(header))
            and crypto.EVP_DecryptUpdate(context, text, ctypes.byref(count), sealed, size)
            and crypto.EVP_CIPHER_CTX_ctrl(context, CTRL_SET_TAG, TAG, tag)
            and crypto.EVP_DecryptFinal_ex(context, ctypes.create_string_buffer(TAG), ctypes.byref(count)))
    crypto.EVP_CIPHER_CTX_free(context)
    if done != 1:
        sys.exit('the file is damaged, was changed or was cut')
    return text.raw[:size]


def main():
    with open(sys.argv[1], 'rb') as file:
        lines = [file.readline() for _ in range(3)]
        header = b''.join(lines)
        digest = hashlib.sha256(lines[0] + lines[1]).hexdigest().encode() + b'\n'
        if lines[0] != b'HomeGateway backup 1\n' or digest != lines[2]:
            sys.exit('this is no backup, or its beginning is damaged')
        facts = json.loads(lines[1])
        typed = getpass.getpass('The words of the backup: ') if sys.stdin.isatty() else sys.stdin.readline()
        words = ' '.join(typed.lower().replace(',', ' ').split()).encode()
        n, r, p = facts['n'], facts['r'], facts['p']
        salt, memory = bytes.fromhex(facts['salt']), 129 * n * r + (1 << 26)
        bits = hashlib.scrypt(words, salt=salt, n=n, r=r, p=p, maxmem=memory, dklen=64)
        if bits[32:].hex() != facts['check']:
            sys.exit('the words are not those of this backup')
        size, number = facts['chunk'] + TAG, 0
        chunk = file.read(size)
        while True:
            following = file.read(size)
            nonce = number.to_bytes(11, 'big') + bytes([0 if following else 1])
            sys.stdout.buffer.write(opened(bits[:32], nonce, header, chunk))
            if not following:
                return
            chunk, number = following, number + 1


main()
