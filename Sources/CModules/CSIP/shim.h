#pragma once

// The types of the system (sockaddr_in) stay those of Swift's own module for the C library: else whoever uses
// them, and has this module anywhere below, is asked to import it.
#if __has_feature(modules)
#pragma clang module import SwiftGlibc
#endif

// libre 1.1 (libre-dev): its headers expect what its own build defines.
#ifndef HAVE_INTTYPES_H
#define HAVE_INTTYPES_H 1
#endif
#ifndef HAVE_STDBOOL_H
#define HAVE_STDBOOL_H 1
#endif
#ifndef USE_OPENSSL
#define USE_OPENSSL 1
#endif
#include <stdbool.h>
#include <re.h>
#define DEBUG_MODULE "sip"
#define DEBUG_LEVEL 3
#include <re_dbg.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <linux/filter.h>
#include <string.h>
#include <sys/socket.h>

// Only what Swift cannot say itself: functions with variable arguments, and the OpenSSL settings and
// callbacks of a TLS context that verifies its server, which libre 1.1 has no call for on SIP connections.

// Once a process. libre's warnings go to the standard error; what matters comes back as an error number.
static inline int csip_start(void) {
    dbg_init(DBG_ERR, DBG_NONE);
    return libre_init();
}

// A request outside of any dialog. `route` is where it is sent; `headers` end with CR LF.
static inline int csip_request(
    struct sip *sip, const char *method, const char *uri, const struct uri *route, struct sip_auth *auth,
    sip_resp_h *answered, void *argument, const char *headers, const uint8_t *body, size_t length) {
    return sip_requestf(
        NULL, sip, true, method, uri, route, auth, NULL, answered, argument, "%sContent-Length: %zu\r\n\r\n%b",
        headers, length, body, length);
}

// Keeps an address of ours known at the centre for as long as `*registration` lives. `route`: a bare URI.
static inline int csip_register(
    struct sipreg **registration, struct sip *sip, const char *registrar, const char *account,
    uint32_t expires_s, const char *contact_user, const char *route, sip_auth_h *ask,
    sip_resp_h *answered, void *argument) {
    const char *routes[] = {route};
    return sipreg_register(
        registration, sip, registrar, account, NULL, account, expires_s, contact_user, routes, 1, 0, ask,
        argument, false, answered, argument, NULL, NULL);
}

static inline int csip_add_transport(struct sip *sip, enum sip_transp kind, const struct sa *local, struct tls *tls) {
    return sip_transp_add(sip, kind, local, tls);
}

// The socket of this process that is bound to `local`: a listening one for TCP and TLS. libre keeps it to itself.
// Returns -1 where there is none.
static inline int csip_bound_socket(const struct sa *local, bool is_stream) {
    for (int fd = 3; fd < 1024; fd++) {
        int type = 0, listens = 0;
        socklen_t length = sizeof(type);
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0) continue;
        if (type != (is_stream ? SOCK_STREAM : SOCK_DGRAM)) continue;
        length = sizeof(listens);
        if (is_stream && (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 || !listens)) continue;
        struct sa bound;
        sa_init(&bound, AF_UNSPEC);
        bound.len = sizeof(bound.u);
        if (getsockname(fd, &bound.u.sa, &bound.len) == 0 && sa_cmp(&bound, local, SA_ALL)) return fd;
    }
    return -1;
}

#define CSIP_MOST_PEERS 16

// Lets the kernel drop all that comes to the transport of `kind` from other addresses than `peers`, before a byte of
// it or a connection reaches this process. At most CSIP_MOST_PEERS count. Returns 0 or an errno.
static inline int csip_hear_only(
    struct sip *sip, enum sip_transp kind, const char *const *peers, size_t count) {
    struct sock_filter code[CSIP_MOST_PEERS * 9 + 2];
    unsigned short length = 0;
    struct sa local, peer;
    sa_init(&local, AF_UNSPEC);
    for (size_t index = 0; index < count && index < CSIP_MOST_PEERS; index++) {
        if (sa_set_str(&peer, peers[index], 0) != 0) continue;
        if (!sa_isset(&local, SA_ADDR) && sip_transp_laddr(sip, &local, kind, &peer) != 0) continue;
        if (sa_af(&peer) != sa_af(&local)) continue;
        // The source address of the network header: at 12 in IPv4, the four words from 8 on in IPv6.
        bool is_v4 = sa_af(&peer) == AF_INET;
        int words = is_v4 ? 1 : 4;
        for (int word = 0; word < words; word++) {
            uint32_t address;
            if (is_v4) address = sa_in(&peer);
            else {
                // libre's own name for this member needs what its build defines.
                const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)(const void *)&peer.u;
                memcpy(&address, in6->sin6_addr.s6_addr + 4 * word, 4);
                address = ntohl(address);
            }
            code[length++] = (struct sock_filter)BPF_STMT(
                BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_NET_OFF + (is_v4 ? 12 : 8 + 4 * word)));
            // Not this one: on to the next peer, behind the words that are left and the return.
            code[length++] = (struct sock_filter)BPF_JUMP(
                BPF_JMP | BPF_JEQ | BPF_K, address, 0, (uint8_t)(2 * (words - 1 - word) + 1));
        }
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0xffffffff);
    }
    if (length == 0) return EADDRNOTAVAIL;
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
    int fd = csip_bound_socket(&local, kind != SIP_TRANSP_UDP);
    if (fd < 0) return ENOTSOCK;
    struct sock_fprog program = {.len = length, .filter = code};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) == 0 ? 0 : errno;
}

// Refuses a request whose method is not served, and names those that are.
static inline int csip_refuse_method(struct sip *sip, const struct sip_msg *request, const char *served) {
    return sip_replyf(
        sip, request, 405, "Method Not Allowed", "Allow: %s\r\nContent-Length: 0\r\n\r\n", served);
}

// The name servers of /etc/resolv.conf, for hosts that are named within a call. Returns 0 or an errno.
static inline int csip_resolver(struct dnsc **resolver) {
    struct sa servers[4];
    uint32_t count = 4;
    char domain[256];
    int error = dns_srv_get(domain, sizeof(domain), servers, &count);
    return error ? error : dnsc_alloc(resolver, NULL, servers, count);
}

// The payload type that a voice endpoint offers for pressed keys (RFC 4733); dynamic.
#define CSIP_KEYS_TYPE 101

// An offer of one G.711 audio stream at `local`, with key presses; A-law first, as networks in Europe have it.
static inline int csip_voice_session(
    struct sdp_session **session, struct sdp_media **media, const struct sa *local, uint16_t port) {
    int error = sdp_session_alloc(session, local);
    if (!error) error = sdp_media_add(media, *session, sdp_media_audio, port, sdp_proto_rtpavp);
    if (!error)
        error = sdp_format_add(NULL, *media, false, "8", "PCMA", 8000, 1, NULL, NULL, NULL, false, NULL);
    if (!error)
        error = sdp_format_add(NULL, *media, false, "0", "PCMU", 8000, 1, NULL, NULL, NULL, false, NULL);
    if (!error)
        error = sdp_format_add(
            NULL, *media, false, "101", "telephone-event", 8000, 1, NULL, NULL, NULL, false, "0-15");
    if (!error) error = sdp_media_set_lattr(*media, true, "ptime", "20");
    return error;
}

// Calls `to` over the server at `route`. The answer to the offer `description` comes to `answered`.
static inline int csip_call(
    struct sipsess **session, struct sipsess_sock *socket, const char *to, const char *from, const char *contact_user,
    const char *route, struct mbuf *description, sip_auth_h *ask, void *authority, sipsess_offer_h *offered,
    sipsess_answer_h *answered, sipsess_progr_h *progress, sipsess_estab_h *established, sipsess_info_h *info,
    sipsess_close_h *closed, void *argument) {
    const char *routes[] = {route};
    return sipsess_connect(
        session, socket, to, NULL, from, contact_user, routes, 1, "application/sdp", description, ask, authority,
        false, offered, answered, progress, established, info, NULL, closed, argument, NULL);
}

static inline bool csip_is_same_host(const struct sa *one, const struct sa *other) {
    return sa_cmp(one, other, SA_ADDR);
}

// What the server's certificate has to be for, and what was wrong with it. Outlives its TLS context.
struct csip_server {
    char name[256];
    bool is_address;
    char trouble[256];
    // Asked at the beginning of each handshake; NULL for yes.
    bool (*checks_dates)(const void *argument);
    const void *argument;
};

// Once `SSL_connect` begins: names the server (SNI), for which a context has no setting of its own.
// Where it ends badly: keeps why, for libre empties OpenSSL's error queue.
static inline void csip_watch_handshake(const SSL *connection, int where, int value) {
    struct csip_server *server = SSL_CTX_get_app_data(SSL_get_SSL_CTX(connection));
    if (!server) return;
    if ((where & SSL_CB_HANDSHAKE_START) && !SSL_is_server(connection) && !server->is_address) {
        SSL_set_tlsext_host_name((SSL *)connection, server->name);
    }
    // Chain and name stay verified.
    if ((where & SSL_CB_HANDSHAKE_START) && server->checks_dates && !server->checks_dates(server->argument)) {
        X509_VERIFY_PARAM_set_flags(SSL_get0_param((SSL *)connection), X509_V_FLAG_NO_CHECK_TIME);
    }
    if ((where & SSL_CB_ALERT) == SSL_CB_ALERT) {
        long verified = SSL_get_verify_result(connection);
        const char *reason =
            verified != X509_V_OK ? X509_verify_cert_error_string(verified) : SSL_alert_desc_string_long(value);
        strncpy(server->trouble, reason, sizeof(server->trouble) - 1);
    }
}

// Makes `tls` refuse every server whose certificate is not valid for `server->name`, by an authority in
// `ca_file` or, where that is NULL, by one that the system trusts. TLS 1.2 and newer.
// Returns 0 or an errno.
static inline int csip_verify_server(struct tls *tls, struct csip_server *server, const char *ca_file) {
    SSL_CTX *context = tls_openssl_context(tls);
    if (!context) return EINVAL;
    X509_VERIFY_PARAM *wanted = SSL_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    server->is_address = X509_VERIFY_PARAM_set1_ip_asc(wanted, server->name) == 1;
    if (!server->is_address && X509_VERIFY_PARAM_set1_host(wanted, server->name, 0) != 1) return EINVAL;
    if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) return EINVAL;
    if (ca_file ? SSL_CTX_load_verify_locations(context, ca_file, NULL) != 1
                : SSL_CTX_set_default_verify_paths(context) != 1)
        return ENOENT;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_app_data(context, server);
    SSL_CTX_set_info_callback(context, csip_watch_handshake);
    return 0;
}
