import Glibc
public import SQLDatabase
import Synchronization

/// Claim of a SQLite file: a lock on a file beside it.
public final class FileClaim: DatabaseClaim {
    private let path: String
    private let descriptor = Mutex<Int32?>(nil)

    public init(path: String) { self.path = path + "-server" }

    deinit { descriptor.withLock { if let open = $0 { close(open) } } }

    public func acquire() async throws -> Bool {
        guard descriptor.withLock({ $0 == nil }) else { return true }
        let new = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard new >= 0 else {
            throw DatabaseError(.noConnection, "\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(new, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(new)
            guard number == EWOULDBLOCK else {
                throw DatabaseError(.other, "\(path) cannot be locked: \(String(cString: strerror(number)))")
            }
            return false
        }
        descriptor.withLock { $0 = new }
        return true
    }

    public func stands() async -> Bool { descriptor.withLock { $0 != nil } }

    public func release() async {
        descriptor.withLock { held in
            if let open = held { close(open) }
            held = nil
        }
    }
}
