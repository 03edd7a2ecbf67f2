import CCurl

/// An address that a request may go to, taken apart by the library that will use it: no second parser
/// can see another host in it.
struct Endpoint: Hashable, Sendable {
    let url: String
    let scheme: String
    let host: String
    let port: String

    var isEncrypted: Bool { scheme == "https" }

    /// - Throws: what is wrong with `text`, for the installer.
    init(_ text: String) throws(AmbulanceServiceError) {
        let wanted = "expected https://host/path as the service gave it"
        guard let parts = URLParts(text) else {
            throw .unusableSetting("url is no address; \(wanted)")
        }
        guard parts.user == nil, parts.password == nil else {
            throw .unusableSetting("url holds a user or password; put the credential into a file of its own")
        }
        guard parts.fragment == nil else { throw .unusableSetting("url has a part after '#'; \(wanted)") }
        self.init(parts)
        guard isEncrypted || scheme == "http" && Self.loopback.contains(host) else {
            throw .unusableSetting(
                "url begins with \(scheme)://\(host); \(wanted). Plain http:// is for a test on this machine: "
                    + "127.0.0.1 or [::1]")
        }
    }

    private init(_ parts: URLParts) {
        url = parts.url
        scheme = parts.scheme
        host = parts.host
        port = parts.port
    }

    /// Where `Location` points (RFC 9110 section 10.2.2, relative ones too); nil where that is not at the same
    /// origin (RFC 6454): the credential goes nowhere else.
    func following(location: String) -> Endpoint? {
        guard let parts = URLParts(location, relativeTo: url), parts.user == nil, parts.password == nil else {
            return nil
        }
        let other = Endpoint(parts)
        return other.scheme == scheme && other.host == host && other.port == port ? other : nil
    }

    private static let loopback: Set<String> = ["127.0.0.1", "[::1]"]
}

/// The parts of one URL by libcurl's parser.
private struct URLParts {
    let url: String
    let scheme: String
    let host: String
    let port: String
    let user: String?
    let password: String?
    let fragment: String?

    init?(_ text: String, relativeTo base: String? = nil) {
        // A C string ends at the first zero byte: what follows it would be hidden from this check.
        guard text.utf8.count <= 2_000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        if let base, curl_url_set(handle, CURLUPART_URL, base, 0) != CURLUE_OK { return nil }
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        func part(_ part: CURLUPart) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
            guard curl_url_get(handle, part, &value, flags) == CURLUE_OK, let value else { return nil }
            defer { curl_free(value) }
            return String(cString: value)
        }
        guard let url = part(CURLUPART_URL), let scheme = part(CURLUPART_SCHEME),
            let host = part(CURLUPART_HOST), let port = part(CURLUPART_PORT), !host.isEmpty
        else { return nil }
        self.url = url
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
        user = part(CURLUPART_USER)
        password = part(CURLUPART_PASSWORD)
        fragment = part(CURLUPART_FRAGMENT)
    }
}
