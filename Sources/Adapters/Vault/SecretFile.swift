import Glibc

/// A secret of 32 bytes in a file: 64 hexadecimal digits, readable by the gateway only. Blocking I/O.
enum SecretFile {
    static let length = 32

    /// The file cannot be used. The text contains nothing of the secret.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
        /// The disk could not be read. The content is unknown.
        var isDisk = false
    }

    /// - Parameter name: name of the secret for messages: `the key of the history`.
    static func read(_ path: String, as name: String) throws(Unusable) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(DiskFailure) {
            bytes = try DurableFile.read(path)
        } catch {
            throw Unusable(description: error.description, isDisk: !error.isForbidden)
        }
        guard let bytes else {
            throw Unusable(description: "\(path): there is no such file: write \(name) into it")
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o027 != 0 {
            throw Unusable(
                description:
                    "\(path): saw mode \(String(status.st_mode & 0o777, radix: 8)), expected that only the gateway "
                    + "can read it: chown root:homegateway and chmod 640")
        }
        guard let secret = parse(bytes) else {
            throw Unusable(
                description:
                    "\(path): is no key: expected 64 hexadecimal digits and nothing else, as of: openssl rand -hex 32"
            )
        }
        return secret
    }

    /// Creates a new secret. It is durable before its first use.
    static func make(_ path: String) throws(DiskFailure) {
        try DurableFile.replace(path, with: text(of: random()) + [UInt8(ascii: "\n")])
    }

    static func random() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    /// Returns the secret in hexadecimal digits.
    static func text(of secret: [UInt8]) -> [UInt8] {
        secret.flatMap { byte in
            [byte >> 4, byte & 0x0F].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "a") + $0 - 10 }
        }
    }

    /// Removes the permissions of other users from one of the gateway's own files.
    static func closeToOthers(_ path: String) throws(DiskFailure) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        guard chmod(path, 0o600) == 0 else { throw DiskFailure("closing to others", path) }
    }

    /// Returns the secret; nil if the digits are invalid. Accepts both cases and one line break at the end.
    static func parse(_ bytes: [UInt8]) -> [UInt8]? {
        var digits = bytes[...]
        if digits.last == UInt8(ascii: "\n") { digits.removeLast() }
        let values = digits.compactMap {
            $0 < 0x80 ? Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) : nil
        }
        guard digits.count == 2 * length, values.count == 2 * length else { return nil }
        return stride(from: 0, to: 2 * length, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
