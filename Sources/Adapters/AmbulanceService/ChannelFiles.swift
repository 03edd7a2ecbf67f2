import FoundationEssentials
import HTTPTransfers

/// Files of one channel's credential.
extension TLSMaterial {
    /// Reads the files. Blocking I/O.
    init(credential: HTTPSChannel.Credential, caFile: String?) throws(TransferError) {
        switch credential {
        case .none: try self.init(caFile: caFile)
        case .bearer(let file): try self.init(caFile: caFile, token: try Self.token(in: file))
        case .certificate(let certificateFile, let keyFile):
            try self.init(
                caFile: caFile,
                identity: Identity(
                    certificate: try Self.read(
                        certificateFile, as: "a certificate (PEM)", marker: "-----BEGIN CERTIFICATE-----",
                        remedy: "check the certificate file"),
                    key: try Self.read(
                        keyFile, as: "an unencrypted private key (PEM)", marker: "PRIVATE KEY-----",
                        remedy: "check the key file")))
        }
    }

    private static func token(in path: String) throws(TransferError) -> String {
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            throw .unusableFile(
                "\(path) cannot be read, expected the service's token on one line; check that it exists and that "
                    + "the user homegateway may read it")
        }
        // Editors end a file with a line break; a token does not.
        let token = String(decoding: bytes.prefix(4_097), as: UTF8.self).trimmed
        guard isToken(token) else {
            throw .unusableFile(
                "\(path) does not hold a token; expected one line of at most 4096 letters, digits and -._~+/=, "
                    + "without 'Bearer' before it")
        }
        return token
    }
}
