import Glibc

/// Reads and writes of open files, as a whole. Blocking I/O.
enum FileBytes {
    static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32, _ path: String) throws(BackupFault)
    {
        let bytes = Array(bytes)
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw BackupFault("writing", path) }
            offset += max(count, 0)
        }
    }

    /// Errors: also a file that ends before `count` bytes were read.
    static func read(
        _ descriptor: Int32, _ path: String, at offset: Int, count: Int
    ) throws(BackupFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
            }
            guard got >= 0 || errno == EINTR else { throw BackupFault("reading", path) }
            guard got != 0 else {
                throw BackupFault("\(path) became shorter while it was read: try again")
            }
            done += max(got, 0)
        }
        return bytes
    }
}

/// Listing and removal of directories. Blocking I/O.
enum FileTree {
    /// Names in a directory, sorted, without `.` and `..`; nil where there is no such directory.
    static func names(in directory: String) throws(BackupFault) -> [String]? {
        guard let stream = opendir(directory) else {
            if errno == ENOENT { return nil }
            throw BackupFault("listing", directory)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Nil where there is nothing of that name.
    static func status(_ path: String, followsLinks: Bool = false) throws(BackupFault) -> stat? {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw BackupFault("looking at", path)
        }
        return status
    }

    /// Removes a directory of this program with all in it. Links are not followed.
    static func remove(_ path: String) throws(BackupFault) {
        guard let status = try status(path) else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard unlink(path) == 0 else { throw BackupFault("removing", path) }
            return
        }
        for name in try names(in: path) ?? [] { try remove(path + "/" + name) }
        guard rmdir(path) == 0 else { throw BackupFault("removing", path) }
    }

    static func sync(_ directory: String) throws(BackupFault) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupFault("opening", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BackupFault("syncing", directory) }
    }
}

extension String {
    /// Directory of an absolute path.
    var parent: String {
        let parts = split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    /// Last part of a path.
    var lastPart: String { split(separator: "/").last.map(String.init) ?? "" }
}
