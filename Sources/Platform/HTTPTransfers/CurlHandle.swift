import CCurl
import Glibc

/// One easy handle of libcurl with the requirements of the project for every connection. Used on one thread.
///
/// A security option that the library refuses ends the attempt; none is ever left out.
final class CurlHandle {
    let raw: UnsafeMutableRawPointer
    /// libcurl's own words on a failure, CURL_ERROR_SIZE bytes.
    private let errorText: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// Owned here, since libcurl keeps a pointer to it.
    private var addresses: AddressRule?

    /// curl_global_init(3), once for the process.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init() throws(TransferError) {
        guard Self.isLibraryReady, let raw = curl_easy_init() else {
            throw .system("libcurl does not start; is there memory left?")
        }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    /// The owner has taken it out of its multi handle.
    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(headers)
        errorText.deallocate()
    }

    /// All that does not depend on the request.
    ///
    /// - Parameter checksDates: whether a certificate must not have ended; its chain and its name are verified anyway.
    func protect(_ material: TLSMaterial, encrypted: Bool, checksDates: Bool) throws(TransferError) {
        try check(ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText), "ERRORBUFFER")
        // Signals belong to the process, and a name that resolves slowly must not hold up the clean-up.
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_PROTOCOLS_STR, encrypted ? "https" : "http")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        // No proxy from the environment: the call goes to the service itself.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        // The authorities come from memory: the library's own path would be trusted beside them.
        try check(ccurl_set_text(raw, CURLOPT_CAINFO, nil), "CAINFO")
        try check(ccurl_set_text(raw, CURLOPT_CAPATH, nil), "CAPATH")
        try set(CURLOPT_CAINFO_BLOB, bytes: material.authorities)
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        if !checksDates {
            try check(ccurl_ignore_dates(raw), "SSL_CTX_FUNCTION")
            // No later request may use this connection, or its TLS session.
            try set(CURLOPT_FORBID_REUSE, 1)
            try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        }
        guard let identity = material.identity else { return }
        try set(CURLOPT_SSLCERT_BLOB, bytes: identity.certificate)
        try set(CURLOPT_SSLKEY_BLOB, bytes: identity.key)
        // Without one OpenSSL would ask at the terminal for the pass phrase of an encrypted key.
        try set(CURLOPT_KEYPASSWD, "")
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransferError) {
        try check(ccurl_set_long(raw, option, value), option.rawValue)
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ value: String) throws(TransferError) {
        try check(ccurl_set_text(raw, option, value), option.rawValue)
    }

    /// libcurl copies the bytes.
    func set(_ option: CURLoption, bytes: [UInt8]) throws(TransferError) {
        var bytes = bytes
        let code = bytes.withUnsafeMutableBytes { ccurl_set_blob(raw, option, $0.baseAddress, $0.count) }
        try check(code, option.rawValue)
    }

    /// The lines are kept until this handle goes.
    func setHeaders(_ lines: [String]) throws(TransferError) {
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { throw .system("no memory is left") }
            headers = longer
        }
        try check(ccurl_set_pointer(raw, CURLOPT_HTTPHEADER, headers), "HTTPHEADER")
    }

    /// Holds each connection to a rule, before its first packet. libcurl connects to the address that was checked and to no
    /// other one, so a name that resolves differently the second time gains nothing.
    func setAddresses(_ rule: AddressRule) throws(TransferError) {
        addresses = rule
        let code = ccurl_set_opener(raw, openSocket, Unmanaged.passUnretained(rule).toOpaque())
        try check(code, "OPENSOCKETFUNCTION")
    }

    func check(_ code: CURLcode, _ option: some CustomStringConvertible) throws(TransferError) {
        guard code != CURLE_OK else { return }
        throw .system(
            "libcurl \(String(cString: curl_version())) refuses option \(option): "
                + "\(String(cString: curl_easy_strerror(code))); expected libcurl 7.88 or newer with OpenSSL")
    }

    /// libcurl's text on a failed transfer: names hosts and certificates, never the content.
    func words(for code: CURLcode) -> String {
        let detail = String(cString: errorText)
        return detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    }
}

/// libcurl calls it in place of socket(2). A bad socket ends the attempt.
private func openSocket(
    _ rule: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let rule, let address, purpose == CURLSOCKTYPE_IPCXN else { return CURL_SOCKET_BAD }
    // The storage behind `addr` has `addrlen` bytes, which may be more than a `sockaddr`.
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return CURL_SOCKET_BAD }
    let bytes = UnsafeRawBufferPointer(
        start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.addrlen))
    guard Unmanaged<AddressRule>.fromOpaque(rule).takeUnretainedValue().allows(bytes) else {
        return CURL_SOCKET_BAD
    }
    return socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol)
}
