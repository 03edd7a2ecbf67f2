#pragma once
#include <time.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
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

// Ends of the certificates of a PEM text, in seconds since 1970: at most `most` of them. Returns their number.
static inline int copenssl_certificate_ends(const void *bytes, int count, long long *ends, int most) {
    BIO *source = BIO_new_mem_buf(bytes, count);
    int found = 0;
    while (source && found < most) {
        X509 *certificate = PEM_read_bio_X509(source, NULL, NULL, NULL);
        if (!certificate) break;
        struct tm time;
        if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1) ends[found++] = timegm(&time);
        X509_free(certificate);
    }
    BIO_free(source);
    return found;
}

// End of the certificate that the server at the end of a blocking socket shows, in seconds since 1970; 0 where it shows none.
// Nothing is verified, and nothing but the handshake is sent.
static inline long long copenssl_server_certificate_end(int socket, const char *host) {
    long long end = 0;
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *session = context ? SSL_new(context) : NULL;
    if (session && SSL_set_fd(session, socket) == 1) {
        SSL_set_tlsext_host_name(session, host);
        // A server that asks for a certificate refuses the handshake after it has shown its own.
        SSL_connect(session);
        X509 *certificate = SSL_get1_peer_certificate(session);
        struct tm time;
        if (certificate && ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1) end = timegm(&time);
        X509_free(certificate);
    }
    SSL_free(session);
    SSL_CTX_free(context);
    return end;
}
