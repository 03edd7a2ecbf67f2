// curl_easy_setopt(3) and curl_easy_getinfo(3) take variable arguments, which Swift cannot pass. One
// function a type of argument, no logic.
#pragma once

// The types of the system stay those of Swift's own module for the C library.
#if __has_feature(modules)
#pragma clang module import SwiftGlibc
#endif

#include <stddef.h>

// Its macros want the option as a constant.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <openssl/ssl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// The bytes are copied.
static inline CURLcode ccurl_set_blob(CURL *handle, CURLoption option, void *bytes, size_t count) {
    struct curl_blob blob = {bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(handle, option, &blob);
}

/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_sink(
    CURL *handle, CURLoption option, size_t (*sink)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, option, sink);
}

/// For CURLOPT_OPENSOCKETFUNCTION.
static inline CURLcode ccurl_set_opener(CURL *handle, curl_opensocket_callback opener, void *rule) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, rule);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener) : code;
}

/// libcurl calls it for each TLS context that it has set up. Chain and name stay verified; the dates are not looked at.
static inline CURLcode ccurl_skip_dates(CURL *handle, void *context, void *argument) {
    (void)handle;
    (void)argument;
    X509_VERIFY_PARAM *wanted = SSL_CTX_get0_param((SSL_CTX *)context);
    return wanted && X509_VERIFY_PARAM_set_flags(wanted, X509_V_FLAG_NO_CHECK_TIME) == 1
        ? CURLE_OK : CURLE_SSL_CERTPROBLEM;
}

static inline CURLcode ccurl_ignore_dates(CURL *handle) {
    return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, ccurl_skip_dates);
}

static inline long ccurl_get_long(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
