import Glibc
public import SQLDatabase

/// Claim of a SQLite file: a lock on a file beside it.
public final class FileClaim: DatabaseClaim {
    private let descriptor: Int32

    /// Nil while another process has the file. Blocking I/O.
    public init?(path: String) throws {
        let name = path + "-server"
        descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseError(.noConnection, "\(name) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            guard number == EWOULDBLOCK else {
                throw DatabaseError(.other, "\(name) cannot be locked: \(String(cString: strerror(number)))")
            }
            return nil
        }
    }

    deinit { close(descriptor) }

    public func stands() async -> Bool { true }
}
