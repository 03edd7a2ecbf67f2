import Glibc

/// A file that was not there before, written once. Blocking I/O.
struct NewFile: ~Copyable {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String
    private let descriptor: Int32

    /// - Parameters:
    ///   - mode: access of the owner, the group and others.
    ///   - group: group of a file that root makes. On a system without this group the file is root's alone.
    init(_ path: String, mode: mode_t, group: String? = nil) throws(Fault) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else {
            throw Self.fault(
                path, "cannot be created", "use sudo, or name a new file in a directory that exists")
        }
        guard let group, geteuid() == 0, let entry = getgrnam(group) else { return }
        guard fchown(descriptor, 0, entry.pointee.gr_gid) == 0 else {
            throw removing("cannot be given to the group \(group)", "see the mount options of the disk")
        }
    }

    deinit { close(descriptor) }

    /// Writes all, on the disk when it returns. A file that cannot be written whole is removed.
    func write(_ bytes: [UInt8]) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw removing("cannot be written", "see df, or name another disk") }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw removing("cannot be synced", "see dmesg") }
    }

    private func removing(_ seen: String, _ remedy: String) -> Fault {
        let fault = Self.fault(path, seen, remedy)
        unlink(path)
        return fault
    }

    private static func fault(_ path: String, _ seen: String, _ remedy: String) -> Fault {
        Fault(description: "\(path): \(seen): \(String(cString: strerror(errno))): \(remedy)")
    }
}
