import Glibc

/// Reserve of disk space: a file without content that is deleted when the disk is full.
///
/// On a full disk, deletions fail as well. A deletion is written to the write-ahead log first. If the log cannot grow,
/// it must be restarted, and for that its content is copied to the database, which may have to grow. The ballast frees
/// enough space for both. From then on the log is rewritten within its present size, and deleted rows make room for new
/// ones inside the database.
public struct Ballast: Sendable {
    /// Size in bytes: the maximum growth of the database from 4 MB of log and one large transaction (2 MB), plus the
    /// log of some thousand deletions.
    public static let size = 8 << 20

    private let path: String

    /// - Parameter path: absolute.
    public init(at path: String) {
        self.path = path
    }

    public var isThere: Bool {
        get throws(DiskFailure) { try DurableFile.size(path) >= Self.size }
    }

    /// Allocates the space; it is reserved on return. Blocking I/O.
    public func restore() throws(DiskFailure) {
        // The file holds no data, so nothing is lost.
        if !SQLiteFile.isUsable(path) { _ = try DurableFile.setAside(path) }
        do throws(DiskFailure) {
            try take()
        } catch {
            try? release()
            throw error
        }
    }

    public func release() throws(DiskFailure) {
        try DurableFile.remove(path)
    }

    private func take() throws(DiskFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DiskFailure("creating", path) }
        defer { close(descriptor) }
        // Allocates blocks instead of a sparse file. The return value is the error number; `errno` is not set.
        let number = posix_fallocate(descriptor, 0, off_t(Self.size))
        guard number == 0 else {
            errno = number
            throw DiskFailure("taking room for", path)
        }
    }
}
