import Glibc

/// A failed disk operation.
public struct DiskFailure: Error, CustomStringConvertible, Sendable {
    public let description: String
    /// The process lacks the permission.
    public let isForbidden: Bool

    /// The content on the disk differs from the written content.
    public let isDamage: Bool

    /// The disk is full.
    public let isFull: Bool

    /// Path of the damaged file after it was set aside; nil if no file was.
    public let asidePath: String?

    init(
        _ description: String, isForbidden: Bool, isDamage: Bool, isFull: Bool = false, asidePath: String? = nil
    ) {
        (self.description, self.isForbidden) = (description, isForbidden)
        (self.isDamage, self.isFull, self.asidePath) = (isDamage, isFull, asidePath)
    }

    init(_ doing: String, _ path: String) {
        let number = errno
        isForbidden = number == EACCES || number == EPERM
        // A file of the gateway is never a directory or a circular link.
        isDamage = number == EISDIR || number == ELOOP
        asidePath = nil
        isFull = number == ENOSPC || number == EDQUOT
        description = "\(doing) \(path): \(String(cString: strerror(number))) (errno \(number))"
    }
}

/// Blocking file operations for data that must survive a power cut. Not for the SOS thread.
///
/// Only the owner can read the files, because they hold personal data.
enum DurableFile {
    /// Maximum size in bytes of a file that is read as a whole. The largest is the journal of alarms, 8 MiB.
    static let largest = 64 << 20
    /// Maximum length in bytes of one line of a file of lines. The longest is the record of an alarm with many steps.
    static let largestLine = 4 << 20

    /// Returns the content; nil if there is no file.
    ///
    /// Errors: a file larger than `largest` counts as damaged, and is not read.
    static func read(_ path: String) throws(DiskFailure) -> [UInt8]? {
        let size = try size(path)
        guard size <= largest else {
            throw DiskFailure(
                "\(path) has \(size) bytes, expected at most \(largest): this gateway did not write it; move it away",
                isForbidden: false, isDamage: true)
        }
        var bytes: [UInt8] = []
        return try read(path) { bytes += $0 } ? bytes : nil
    }

    /// Reads the file in pieces, in order, because it may be larger than the memory.
    /// - Returns: false if there is no file.
    static func read(_ path: String, _ take: (ArraySlice<UInt8>) -> Void) throws(DiskFailure) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return false }
            throw DiskFailure("opening", path)
        }
        defer { close(descriptor) }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 || errno == EINTR else { throw DiskFailure("reading", path) }
            if count == 0 { return true }
            take(chunk.prefix(max(count, 0)))
        }
    }

    /// Replaces the file as a whole. The bytes are written to a temporary file beside it and synced, and the temporary
    /// file is renamed. After a power cut the file is either the old or the new one, never a mixture.
    static func replace(_ path: String, with bytes: [UInt8]) throws(DiskFailure) {
        let neighbour = path + ".new"
        try write(bytes, to: neighbour, flags: O_TRUNC)
        guard rename(neighbour, path) == 0 else { throw DiskFailure("replacing", path) }
        try syncDirectory(of: path)
    }

    /// Appends the bytes, and syncs them before it returns.
    static func append(_ bytes: [UInt8], to path: String) throws(DiskFailure) {
        try write(bytes, to: path, flags: O_APPEND)
        try syncDirectory(of: path)
    }

    /// Truncates the file to its first `size` bytes, and syncs it before it returns.
    static func cut(_ path: String, to size: Int) throws(DiskFailure) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskFailure("opening", path) }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(size)) == 0, fsync(descriptor) == 0 else {
            throw DiskFailure("shortening", path)
        }
    }

    /// Creates an empty file if there is none. The caller fills it.
    static func create(_ path: String) throws(DiskFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DiskFailure("creating", path) }
        close(descriptor)
    }

    /// Syncs all data that any process wrote to the file. They are on the disk when this returns.
    static func sync(_ path: String) throws(DiskFailure) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskFailure("opening", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw DiskFailure("syncing", path) }
    }

    static func exists(_ path: String) throws(DiskFailure) -> Bool {
        if access(path, F_OK) == 0 { return true }
        guard errno == ENOENT else { throw DiskFailure("looking at", path) }
        return false
    }

    /// Returns the size in bytes; 0 if there is no file.
    static func size(_ path: String) throws(DiskFailure) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return 0 }
            throw DiskFailure("looking at", path)
        }
        return Int(status.st_size)
    }

    /// Returns whether the last line of a file lacks its line break. The file must not be empty.
    static func isTorn(_ path: String) throws(DiskFailure) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskFailure("opening", path) }
        defer { close(descriptor) }
        var last: UInt8 = 0
        guard lseek(descriptor, -1, SEEK_END) >= 0, Glibc.read(descriptor, &last, 1) == 1 else {
            throw DiskFailure("reading", path)
        }
        return last != UInt8(ascii: "\n")
    }

    /// Renames the file within its directory. An existing file of the new name is replaced.
    static func move(_ path: String, to other: String) throws(DiskFailure) {
        guard rename(path, other) == 0 else { throw DiskFailure("renaming", path) }
        try syncDirectory(of: path)
    }

    /// Number of damaged files of one name that are kept.
    static let asideKept = 3

    /// Renames a damaged file, or a directory of its name, to `NAME.damaged-TIME`, and removes the oldest such files.
    ///
    /// - Returns: the new path.
    static func setAside(_ path: String) throws(DiskFailure) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let aside = "\(path).damaged-\(Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000)"
        try move(path, to: aside)
        prune(asideOf: path)
        return aside
    }

    /// Removes all but the newest damaged files of one name. Failures are ignored, because they only cost disk space.
    static func prune(asideOf path: String) {
        let parts = path.split(separator: "/")
        let directory = "/" + parts.dropLast().joined(separator: "/")
        guard let name = parts.last, let stream = opendir(directory) else { return }
        defer { closedir(stream) }
        let prefix = "\(name).damaged-"
        var found: [Int64: [String]] = [:]
        while let entry = readdir(stream) {
            let file = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard file.hasPrefix(prefix) else { continue }
            // The files beside an SQLite database carry the same number.
            let number = file.dropFirst(prefix.count).prefix { $0.isNumber }
            if let time = Int64(number) { found[time, default: []].append(file) }
        }
        for time in found.keys.sorted().dropLast(asideKept) {
            for file in found[time] ?? [] {
                if unlink("\(directory)/\(file)") != 0 { rmdir("\(directory)/\(file)") }
            }
        }
    }

    static func remove(_ path: String) throws(DiskFailure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw DiskFailure("removing", path) }
    }

    private static func write(_ bytes: [UInt8], to path: String, flags: Int32) throws(DiskFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { throw DiskFailure("creating", path) }
        defer { close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw DiskFailure("writing", path) }
            offset += max(count, 0)
        }
        guard fsync(descriptor) == 0 else { throw DiskFailure("syncing", path) }
    }

    /// Syncs the directory of `path`: a new name is durable only when its directory is.
    static func syncDirectory(of path: String) throws(DiskFailure) {
        let directory = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskFailure("opening", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw DiskFailure("syncing", directory) }
    }
}
