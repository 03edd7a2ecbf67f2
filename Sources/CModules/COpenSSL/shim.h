#pragma once
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Only what Swift cannot say itself: macros and functions with variable arguments.

static inline EVP_PKEY *copenssl_new_p256_key(void) { return EVP_EC_gen("P-256"); }

// Puts the file's first key or certificate into memory; NULL where it is none.
static inline EVP_PKEY *copenssl_read_key(const void *bytes, int count) {
    BIO *source = BIO_new_mem_buf(bytes, count);
    EVP_PKEY *key = source ? PEM_read_bio_PrivateKey(source, NULL, NULL, NULL) : NULL;
    BIO_free(source);
    return key;
}

static inline X509 *copenssl_read_certificate(const void *bytes, int count) {
    BIO *source = BIO_new_mem_buf(bytes, count);
    X509 *certificate = source ? PEM_read_bio_X509(source, NULL, NULL, NULL) : NULL;
    BIO_free(source);
    return certificate;
}

// The text of PEM as a BIO in memory, of which `copenssl_text` gives the bytes.
static inline long copenssl_text(BIO *memory, char **start) { return BIO_get_mem_data(memory, start); }
