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
        try SecretFile.make(path)
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
        do throws(SecretFile.Unusable) {
            guard let key = AES256Key(try SecretFile.read(path, as: "the key of the history")) else {
                throw SecretFile.Unusable(description: "\(path): has another length")
            }
            return key
        } catch {
            throw .key(error.description)
        }
    }
}
