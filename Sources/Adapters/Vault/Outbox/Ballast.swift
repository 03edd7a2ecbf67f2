import Glibc

/// Room on the disk that is kept for when there is none: a file of nothing, given up then.
///
/// On a full disk nothing can be deleted either. A deletion is written to the log first, and where the log cannot grow
/// it has to be begun anew; for that all that stands in it goes to the database, which may have to grow for it. What
/// the ballast gives up is enough for both: from then on the log is written over and over in the room that it has, and
/// what is deleted makes room for what is new inside the database.
public struct Ballast: Sendable {
    /// Bytes: what 4 MB of log and one large transaction (2 MB) make the database grow at most, and as much as the log
    /// of some thousand deletions takes.
    public static let size = 8 << 20

    private let path: String

    /// - Parameter path: absolute.
    public init(at path: String) {
        self.path = path
    }

    public var isThere: Bool {
        get throws(DiskFailure) { try DurableFile.size(path) >= Self.size }
    }

    /// The room is taken when it returns. Blocking I/O.
    public func restore() throws(DiskFailure) {
        // It holds no data: its loss is no loss.
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
        // Blocks, and no hole. It says why it failed by what it returns.
        let number = posix_fallocate(descriptor, 0, off_t(Self.size))
        guard number == 0 else {
            errno = number
            throw DiskFailure("taking room for", path)
        }
    }
}
