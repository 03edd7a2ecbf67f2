import CCurl
import FoundationEssentials
import RealTime

/// One easy handle of libcurl with the requirements of this gateway for every connection. Used on one thread.
///
/// A security option that the library refuses ends the attempt; none is ever left out.
final class CurlHandle {
    let raw: UnsafeMutableRawPointer
    /// libcurl's own words on a failure, CURL_ERROR_SIZE bytes.
    private let errorText: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// curl_global_init(3), once for the process.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init() throws(AmbulanceServiceError) {
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
    func protect(_ material: TLSMaterial, encrypted: Bool) throws(AmbulanceServiceError) {
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
        guard let identity = material.identity else { return }
        try set(CURLOPT_SSLCERT_BLOB, bytes: identity.certificate)
        try set(CURLOPT_SSLKEY_BLOB, bytes: identity.key)
        // Without one OpenSSL would ask at the terminal for the pass phrase of an encrypted key.
        try set(CURLOPT_KEYPASSWD, "")
    }

    func set(_ option: CURLoption, _ value: Int) throws(AmbulanceServiceError) {
        try check(ccurl_set_long(raw, option, value), option.rawValue)
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ value: String) throws(AmbulanceServiceError) {
        try check(ccurl_set_text(raw, option, value), option.rawValue)
    }

    /// libcurl copies the bytes.
    func set(_ option: CURLoption, bytes: [UInt8]) throws(AmbulanceServiceError) {
        var bytes = bytes
        let code = bytes.withUnsafeMutableBytes { ccurl_set_blob(raw, option, $0.baseAddress, $0.count) }
        try check(code, option.rawValue)
    }

    /// The lines are kept until this handle goes.
    func setHeaders(_ lines: [String]) throws(AmbulanceServiceError) {
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { throw .system("no memory is left") }
            headers = longer
        }
        try check(ccurl_set_pointer(raw, CURLOPT_HTTPHEADER, headers), "HTTPHEADER")
    }

    func check(_ code: CURLcode, _ option: some CustomStringConvertible) throws(AmbulanceServiceError) {
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

/// The files of one channel, read once: during an alarm no disk is asked.
struct TLSMaterial: Sendable {
    /// PEM.
    let authorities: [UInt8]
    let identity: Identity?
    let token: String?

    struct Identity: Sendable {
        let certificate: [UInt8]
        let key: [UInt8]
    }

    /// The authorities that Debian's package ca-certificates trusts.
    private static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

    init(credential: HTTPSChannel.Credential, caFile: String?) throws(AmbulanceServiceError) {
        authorities = try Self.read(
            caFile ?? Self.systemAuthorities, as: "authorities (PEM)", marker: "-----BEGIN CERTIFICATE-----",
            remedy: caFile == nil ? "install the package ca-certificates" : "check ca_file")
        switch credential {
        case .none:
            (token, identity) = (nil, nil)
        case .bearer(let file):
            (token, identity) = (try Self.token(in: file), nil)
        case .certificate(let certificateFile, let keyFile):
            token = nil
            identity = Identity(
                certificate: try Self.read(
                    certificateFile, as: "a certificate (PEM)", marker: "-----BEGIN CERTIFICATE-----",
                    remedy: "check the certificate file"),
                key: try Self.read(
                    keyFile, as: "an unencrypted private key (PEM)", marker: "PRIVATE KEY-----",
                    remedy: "check the key file"))
        }
    }

    private static func read(
        _ path: String, as what: String, marker: String, remedy: String
    ) throws(AmbulanceServiceError) -> [UInt8] {
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            throw .unusableFile(
                "\(path) cannot be read, expected \(what); \(remedy), and that the user homegateway may read it"
            )
        }
        // More than all authorities of the world.
        guard bytes.count <= 4_194_304, bytes.firstRange(of: Data(marker.utf8)) != nil else {
            throw .unusableFile("\(path) does not hold \(what); \(remedy)")
        }
        return [UInt8](bytes)
    }

    /// RFC 6750 section 2.1: letters, digits and `-._~+/`, `=` at the end.
    private static func token(in path: String) throws(AmbulanceServiceError) -> String {
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            throw .unusableFile(
                "\(path) cannot be read, expected the service's token on one line; check that it exists and that "
                    + "the user homegateway may read it")
        }
        // Editors end a file with a line break; a token does not.
        let token = String(decoding: bytes.prefix(4_097), as: UTF8.self).trimmed
        let isToken = token.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~+/=".utf8.contains(byte)
            }
        }
        guard !token.isEmpty, token.utf8.count <= 4_096, isToken else {
            throw .unusableFile(
                "\(path) does not hold a token; expected one line of at most 4096 letters, digits and -._~+/=, "
                    + "without 'Bearer' before it")
        }
        return token
    }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
