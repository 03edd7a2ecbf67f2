import FoundationEssentials

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
    static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

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
