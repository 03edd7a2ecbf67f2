import Foundation

/// A certificate authority of one test, made with the openssl command.
public final class TestAuthority: Sendable {
    public struct Identity: Sendable {
        public let certificate: String
        public let key: String
    }

    public let scratch: ScratchDirectory
    public var certificate: String { scratch.file("ca.pem").path }

    public init() async throws {
        scratch = try ScratchDirectory()
        try await openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
            "-subj",
            "/CN=Test authority", "-keyout", scratch.file("ca.key").path, "-out", certificate)
    }

    /// A certificate with common name `name`.
    /// - Parameters:
    ///   - names: its subject alternative names, `DNS:…` or `IP:…`.
    ///   - days: how long it is valid from now; with -1 it has expired.
    public func sign(_ name: String, names: String, days: Int = 1) async throws -> Identity {
        let identity = Identity(
            certificate: scratch.file("\(name).pem").path, key: scratch.file("\(name).key").path)
        let request = scratch.file("\(name).csr").path
        let extensions = try scratch.write("subjectAltName=\(names)\n", to: "\(name).ext").path
        try await openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=\(name)",
            "-keyout", identity.key, "-out", request)
        try await openssl(
            "x509", "-req", "-in", request, "-CA", certificate, "-CAkey", scratch.file("ca.key").path,
            "-CAcreateserial", "-days", "\(days)", "-extfile", extensions, "-out", identity.certificate)
        return identity
    }

    /// A copy of a key under a pass phrase.
    public func encrypt(_ key: String) async throws -> String {
        let path = key + ".encrypted"
        try await openssl("ec", "-in", key, "-aes256", "-passout", "pass:secret", "-out", path)
        return path
    }

    public struct Failure: Error { let log: String }

    private func openssl(_ arguments: String...) async throws {
        let child = try ChildProcess("/usr/bin/openssl", arguments, output: scratch.file("openssl.log"))
        guard child.waitForSuccess() else { throw Failure(log: child.text) }
    }
}
