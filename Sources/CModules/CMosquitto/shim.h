#pragma once

// The types of the system stay those of Swift's own module for the C library.
#if __has_feature(modules)
#pragma clang module import SwiftGlibc
#endif
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <openssl/ssl.h>

// Gives the client a TLS context that does not look at the dates of certificates. The library sets it up as it does its own:
// chain and name stay verified. Call before the connect. Returns MOSQ_ERR_SUCCESS or another code of the library.
static inline int cmosquitto_ignore_dates(struct mosquitto *client) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) return MOSQ_ERR_NOMEM;
    int result = MOSQ_ERR_TLS;
    if (X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_NO_CHECK_TIME) == 1) {
        // The option takes a reference of its own.
        result = mosquitto_void_option(client, MOSQ_OPT_SSL_CTX, context);
    }
    if (result == MOSQ_ERR_SUCCESS) result = mosquitto_int_option(client, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 1);
    SSL_CTX_free(context);
    return result;
}
