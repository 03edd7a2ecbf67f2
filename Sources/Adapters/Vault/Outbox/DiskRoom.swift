import Glibc

/// The room on a file system, in bytes, for whoever is not root.
public struct DiskRoom: Hashable, Sendable {
    public let free: Int
    public let total: Int

    public init(free: Int, total: Int) {
        (self.free, self.total) = (free, total)
    }

    /// Of the file system with the directory in which `path` is, or will be. Blocking I/O, as a disk that hangs
    /// blocks it.
    public init(around path: String) throws(DiskFailure) {
        let directory = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
        var figures = statvfs()
        guard statvfs(directory, &figures) == 0 else { throw DiskFailure("looking at", directory) }
        let block = UInt64(figures.f_frsize)
        free = Int(clamping: UInt64(figures.f_bavail) &* block)
        total = Int(clamping: UInt64(figures.f_blocks) &* block)
    }
}
