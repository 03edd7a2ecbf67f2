import Glibc

/// A secret of 32 bytes in a file: 64 hexadecimal digits, for the gateway's eyes alone. Blocking I/O.
enum SecretFile {
    static let length = 32

    /// Why a file cannot be used. Holds nothing of what is in it.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
        /// The disk did not give it: nothing is known of what is in it.
        var isDisk = false
    }

    /// - Parameter name: what it is, for messages: `the key of the history`.
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

    /// A new one; durable before anything is done with it.
    static func make(_ path: String) throws(DiskFailure) {
        try DurableFile.replace(path, with: text(of: random()) + [UInt8(ascii: "\n")])
    }

    static func random() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    /// Hexadecimal digits.
    static func text(of secret: [UInt8]) -> [UInt8] {
        secret.flatMap { byte in
            [byte >> 4, byte & 0x0F].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "a") + $0 - 10 }
        }
    }

    /// Takes the rights of others from a file of the gateway's own that somebody has opened to them.
    static func closeToOthers(_ path: String) throws(DiskFailure) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        guard chmod(path, 0o600) == 0 else { throw DiskFailure("closing to others", path) }
    }

    /// Either case; one line end after it is no part of it.
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
