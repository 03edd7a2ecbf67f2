import GatewayModel
import Glibc

/// Where the keys of history come from, the first that there is:
///
/// 1. files that the settings name,
/// 2. `history-key` and `history-key-previous` among systemd's credentials,
/// 3. a key of the gateway's own, in the state directory.
///
/// Each is 64 hexadecimal digits. Blocking I/O; one thread at a time.
public struct HistoryKeyFiles: Sendable {
    private let given: String?
    private let previous: String?
    private let own: String
    private let database: String

    /// Where the next key of the gateway's own is while rows are sealed anew with it.
    private var next: String { own + ".next" }

    /// - Parameters:
    ///   - keyFile: of the settings, and the one before it.
    ///   - credentials: systemd's `$CREDENTIALS_DIRECTORY`; nil without.
    ///   - stateDirectory: absolute.
    public init(
        keyFile: String?, previousKeyFile: String?, credentials: String?, stateDirectory: String
    ) {
        func credential(_ name: String) -> String? {
            guard let path = credentials.map({ "\($0)/\(name)" }), access(path, F_OK) == 0 else { return nil }
            return path
        }
        given = keyFile ?? credential("history-key")
        previous = keyFile == nil ? credential("history-key-previous") : previousKeyFile
        own = stateDirectory + "/history.key"
        database = stateDirectory + "/history.sqlite"
    }

    /// Whether the gateway made the key, and may make another.
    public var isOwn: Bool { given == nil }

    /// - Returns: also the path of a key that was made just now; nil where there was one.
    public func load() throws(HistoryFailure) -> (HistoryKeys, made: String?) {
        if let given {
            let before = try previous.map { path throws(HistoryFailure) in try key(at: path) }
            return (HistoryKeys(current: try key(at: given), previous: before), nil)
        }
        do throws(DiskFailure) {
            if try DurableFile.exists(next) {
                return (HistoryKeys(current: try ownKey(next), previous: try? ownKey(own)), nil)
            }
            if try DurableFile.exists(own) { return (HistoryKeys(current: try ownKey(own)), nil) }
            guard try DurableFile.size(database) == 0 else {
                throw DiskFailure(
                    "\(own): the key of \(database) is gone: bring it back from a copy, or move "
                        + "\(database) away to begin anew", isForbidden: false, isDamage: false)
            }
            return (HistoryKeys(current: try make(own)), own)
        } catch {
            throw .key(error.description)
        }
    }

    /// Makes the next key of the gateway's own; `load` gives it from now on, and the one before with it.
    public func beginRotation() throws(HistoryFailure) {
        do throws(DiskFailure) {
            // One that is there is being rotated to.
            guard try !DurableFile.exists(next) else { return }
            _ = try make(next)
        } catch {
            throw .disk(error)
        }
    }

    /// Forgets the key before: no row needs it any more.
    public func endRotation() throws(DiskFailure) {
        guard isOwn, try DurableFile.exists(next) else { return }
        try DurableFile.move(next, to: own)
    }

    // MARK: One file

    private func make(_ path: String) throws(DiskFailure) -> AES256Key {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let digits = bytes.flatMap { byte in
            [byte >> 4, byte & 0x0F].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "a") + $0 - 10 }
        }
        // Durable before anything is sealed with it.
        try DurableFile.replace(path, with: digits + [UInt8(ascii: "\n")])
        return try ownKey(path)
    }

    private func ownKey(_ path: String) throws(DiskFailure) -> AES256Key {
        do throws(HistoryFailure) {
            return try key(at: path)
        } catch {
            throw DiskFailure(error.description, isForbidden: false, isDamage: false)
        }
    }

    private func key(at path: String) throws(HistoryFailure) -> AES256Key {
        let bytes: [UInt8]?
        do throws(DiskFailure) {
            bytes = try DurableFile.read(path)
        } catch {
            throw .key(error.description)
        }
        guard let bytes else {
            throw .key("\(path): there is no such file: write the key of the history into it")
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o027 != 0 {
            throw .key(
                "\(path): saw mode \(String(status.st_mode & 0o777, radix: 8)), expected that only the gateway "
                    + "can read it: chown root:homegateway and chmod 640")
        }
        guard let key = Self.parse(bytes) else {
            throw .key(
                "\(path): is no key: expected 64 hexadecimal digits and nothing else, as of: openssl rand -hex 32"
            )
        }
        return key
    }

    /// Either case; one line end after it is no part of it.
    private static func parse(_ bytes: [UInt8]) -> AES256Key? {
        var digits = bytes[...]
        if digits.last == UInt8(ascii: "\n") { digits.removeLast() }
        let values = digits.compactMap {
            $0 < 0x80 ? Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) : nil
        }
        guard digits.count == 64, values.count == 64 else { return nil }
        return AES256Key(stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }
}
