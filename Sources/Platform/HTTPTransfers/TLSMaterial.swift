import FoundationEssentials

/// Files of TLS and of a credential, read once: no transfer asks the disk.
public struct TLSMaterial: Sendable {
    /// PEM.
    let authorities: [UInt8]
    let identity: Identity?
    let token: String?

    public struct Identity: Sendable {
        let certificate: [UInt8]
        let key: [UInt8]

        /// PEM.
        public init(certificate: [UInt8], key: [UInt8]) { (self.certificate, self.key) = (certificate, key) }
    }

    /// The authorities that Debian's package ca-certificates trusts.
    private static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

    /// Reads the authorities. Blocking I/O.
    ///
    /// - Parameters:
    ///   - caFile: PEM; nil for the authorities of the system.
    ///   - token: of the header `Authorization`.
    public init(caFile: String?, identity: Identity? = nil, token: String? = nil) throws(TransferError) {
        authorities = try Self.read(
            caFile ?? Self.systemAuthorities, as: "authorities (PEM)", marker: "-----BEGIN CERTIFICATE-----",
            remedy: caFile == nil ? "install the package ca-certificates" : "check ca_file")
        (self.identity, self.token) = (identity, token)
    }

    /// RFC 6750 section 2.1: letters, digits and `-._~+/`, `=` at the end; at most 4096 of them.
    public static func isToken(_ text: String) -> Bool {
        (1...4_096).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._~+/=".utf8.contains(byte)
                }
            }
    }

    /// Reads a file of at most 4 MiB that has `marker`. Blocking I/O.
    public static func read(
        _ path: String, as what: String, marker: String, remedy: String
    ) throws(TransferError) -> [UInt8] {
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            throw .unusableFile(
                "\(path) cannot be read, expected \(what); \(remedy), and that this program may read it"
            )
        }
        // More than all authorities of the world.
        guard bytes.count <= 4_194_304, bytes.firstRange(of: Data(marker.utf8)) != nil else {
            throw .unusableFile("\(path) does not hold \(what); \(remedy)")
        }
        return [UInt8](bytes)
    }
}
