import Glibc

/// The directory of a file, held against other commands that would change the file too (flock(2)).
struct DirectoryLock {
    let descriptor: Int32
    let path: String

    /// Waits for others; they take milliseconds.
    init(ofFile file: String) throws(DevicesFileError) {
        path = Self.directory(ofFile: file)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .disk(doing: "opening", path: path, number: errno) }
        guard flock(descriptor, LOCK_EX) == 0 else {
            let number = errno
            close(descriptor)
            throw .disk(doing: "locking", path: path, number: number)
        }
    }

    /// - Parameter file: absolute.
    static func directory(ofFile file: String) -> String {
        "/" + file.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Once.
    func release() { close(descriptor) }
}

/// Replaces a file whole: after a power cut there is the old one or the new one, never half of either.
enum AtomicFile {
    /// The new file belongs to the owner of the directory, for any caller: root adds a device, and the gateway,
    /// which is not root, has to read it. Its group may read it, others may not.
    static func replace(
        _ path: String, with bytes: [UInt8], in directory: DirectoryLock
    ) throws(DevicesFileError) {
        let neighbour = path + ".new"
        try create(neighbour, with: bytes, mode: 0o640, in: directory)
        guard rename(neighbour, path) == 0 else {
            let number = errno
            unlink(neighbour)
            throw .disk(doing: "replacing", path: path, number: number)
        }
        // The rename itself.
        fsync(directory.descriptor)
    }

    /// Writes a new file for the owner of the directory, in the place of an old one. Its bytes are durable afterwards, and its
    /// name with the next sync of the directory. On an error there is no file.
    static func create(
        _ path: String, with bytes: [UInt8], mode: mode_t, in directory: DirectoryLock
    ) throws(DevicesFileError) {
        unlink(path)
        // O_EXCL: the directory is another user's, and that user must not lead root elsewhere by a symbolic
        // link.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .disk(doing: "creating", path: path, number: errno) }
        defer { close(file) }
        do throws(DevicesFileError) {
            try write(bytes, to: file, path)
            try give(file, path, mode: mode, toOwnerOf: directory)
            guard fsync(file) == 0 else { throw .disk(doing: "syncing", path: path, number: errno) }
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func give(
        _ file: Int32, _ path: String, mode: mode_t, toOwnerOf directory: DirectoryLock
    ) throws(DevicesFileError) {
        var owner = stat()
        guard fstat(directory.descriptor, &owner) == 0, fchmod(file, mode) == 0 else {
            throw .disk(doing: "setting the mode of", path: path, number: errno)
        }
        guard geteuid() == 0 else { return }
        guard fchown(file, owner.st_uid, owner.st_gid) == 0 else {
            throw .disk(doing: "setting the owner of", path: path, number: errno)
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(DevicesFileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw .disk(doing: "writing", path: path, number: errno) }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}
