#pragma once

// The types of the system (sockaddr_in) stay those of Swift's own module for the C library.
#if __has_feature(modules)
#pragma clang module import SwiftGlibc
#endif

#include <microhttpd.h>
#include <string.h>

// Only what Swift cannot say itself: functions with variable arguments.

static inline void cmicrohttpd_say_nothing(void *context, const char *format, va_list arguments) {
    (void)context, (void)format, (void)arguments;
}

// Leaves percent signs to the caller: the library passes a decoded NUL as the end of the path, and broken signs as text.
static inline size_t cmicrohttpd_leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
    (void)context, (void)connection;
    return strlen(text);
}

// Starts a daemon with a thread of its own at one listening socket, which it closes at its end.
//
// The library's own log goes nowhere: a refused request is the client's affair.
static inline struct MHD_Daemon *cmicrohttpd_start(
    int socket, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback changed, void *context, unsigned connections, unsigned timeout_seconds,
    size_t memory, const char *key, const char *certificate) {
    struct MHD_OptionItem options[] = {
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)cmicrohttpd_say_nothing, NULL},
        {MHD_OPTION_LISTEN_SOCKET, socket, NULL},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, context},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)changed, context},
        {MHD_OPTION_CONNECTION_LIMIT, connections, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)memory, NULL},
        {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)cmicrohttpd_leave_escaped, NULL},
        {key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)key},
        {certificate ? MHD_OPTION_HTTPS_MEM_CERT : MHD_OPTION_END, 0, (void *)certificate},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned flags = MHD_USE_ERROR_LOG | MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (key) flags |= MHD_USE_TLS;
    return MHD_start_daemon(flags, 0, NULL, NULL, handle, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *cmicrohttpd_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}
