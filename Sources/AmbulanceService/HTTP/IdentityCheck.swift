import CCurl
import Glibc
import RealTime

/// Has OpenSSL load the certificates and the key once, so that a bad one is found at the start.
///
/// libcurl loads them only when it has a socket. It is given one end of a pair whose other end is closed:
/// not a byte leaves, and the first write after the loading fails.
enum IdentityCheck {
    static func run(_ material: TLSMaterial) throws(AmbulanceServiceError) {
        signal(SIGPIPE, SIG_IGN)
        let handle = try CurlHandle()
        try handle.protect(material, encrypted: true)
        // An address, so that no name is asked for; never connected to.
        try handle.set(CURLOPT_URL, "https://127.0.0.1/")
        try handle.set(CURLOPT_TIMEOUT_MS, 5_000)
        try handle.check(ccurl_set_open_socket(handle.raw, openDeadSocket), "OPENSOCKETFUNCTION")
        try handle.check(ccurl_set_socket_options(handle.raw, callItConnected), "SOCKOPTFUNCTION")
        let code = curl_easy_perform(handle.raw)
        // Anything else came after the files were taken.
        let aboutFiles: [CURLcode] = [
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_OUT_OF_MEMORY, CURLE_NOT_BUILT_IN,
            CURLE_BAD_FUNCTION_ARGUMENT,
        ]
        guard !aboutFiles.contains(code) else {
            throw .unusableFile(
                "\(handle.words(for: code)); expected PEM: the authorities, the certificate, and the unencrypted "
                    + "key that belongs to it")
        }
    }
}

private func openDeadSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return -1 }
    close(pair[1])
    return pair[0]
}

private func callItConnected(
    _ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
    CURL_SOCKOPT_ALREADY_CONNECTED
}
