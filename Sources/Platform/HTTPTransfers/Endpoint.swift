import CCurl
import Glibc
import RealTime

/// An address that a request may go to, taken apart by the library that will use it: no second parser
/// can see another host in it.
public struct Endpoint: Hashable, Sendable {
    public let url: String
    public let scheme: String
    public let host: String
    public let port: String

    public var isEncrypted: Bool { scheme == "https" }

    /// - Throws: the fault of `text`, for the installer.
    public init(_ text: String) throws(TransferError) {
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
    public func following(location: String) -> Endpoint? {
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
        // A C string ends at the first zero byte: the rest would be hidden from this check.
        guard text.utf8.count <= 2_000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
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

/// Has OpenSSL load the certificates and the key once, so that a bad one is found at the start.
///
/// libcurl loads them only when it has a connection. It is given one to this process itself, on the loopback
/// interface, that is closed at once: the files have been taken or refused by then.
public enum IdentityCheck {
    public static func run(_ material: TLSMaterial) throws(TransferError) {
        let door = try ClosedDoor()
        let handle = try CurlHandle()
        try handle.protect(material, encrypted: true, checksDates: true)
        try handle.set(CURLOPT_URL, "https://127.0.0.1:\(door.port)/")
        // Nothing here waits for a peer: a limit for an impossible case.
        try handle.set(CURLOPT_TIMEOUT_MS, 5_000)
        let code = try outcome(handle, door)
        // libcurl's codes for a certificate, a key, authorities, and parts it was built without. Anything else
        // came after the files were taken.
        let aboutFiles: [CURLcode] = [
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_OUT_OF_MEMORY, CURLE_NOT_BUILT_IN, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_OPERATION_TIMEDOUT,
            CURLE_COULDNT_CONNECT,
        ]
        guard !aboutFiles.contains(code) else {
            throw .unusableFile(
                "\(handle.words(for: code)); expected PEM: the authorities, the certificate, and the unencrypted "
                    + "key that belongs to it")
        }
    }

    private static func outcome(
        _ handle: CurlHandle, _ door: ClosedDoor
    ) throws(TransferError) -> CURLcode {
        signal(SIGPIPE, SIG_IGN)
        guard let multi = curl_multi_init() else { throw .system("libcurl does not start") }
        defer { curl_multi_cleanup(multi) }
        guard curl_multi_add_handle(multi, handle.raw) == CURLM_OK else {
            throw .system("libcurl does not start")
        }
        defer { curl_multi_remove_handle(multi, handle.raw) }
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if let message = curl_multi_info_read(multi, &running) { return message.pointee.data.result }
            door.turnAway()
            var knock = curl_waitfd(fd: door.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            curl_multi_poll(multi, &knock, 1, 100, nil)
        }
    }
}

/// Takes connections on a free port of the loopback interface, and closes them.
private final class ClosedDoor {
    let descriptor: Int32
    let port: UInt16

    init() throws(TransferError) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isOpen else {
            let error = SystemCallError("listen on the loopback interface")
            throw .system("the certificate files cannot be tried: \(error)")
        }
    }

    deinit { close(descriptor) }

    func turnAway() {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
    }
}
