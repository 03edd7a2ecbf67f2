import Glibc

/// The bytes of a settings file.
enum SettingsFile {
    /// What kind of file it is: how large it may be, and what to do about one that is not as it should be.
    struct Kind: Sendable {
        let sizeLimit: Int
        let whenTooLarge: String
        let whenAbsent: String

        /// 1 MiB: some thousand times a household's settings. More is a wrong path, and is not read.
        static let settings = Kind(
            sizeLimit: 1 << 20,
            whenTooLarge: "is larger than 1 MiB, settings are a few KiB: check the path",
            whenAbsent: "check the path, or copy gateway.example.toml there")
    }

    /// Nil where there is no such file. Everything else that is in the way is an error.
    ///
    /// - Parameter whenClosed: what to do where its directory may not be entered; nil for the same as where the file
    ///   may not be read.
    static func bytesIfPresent(path: String, whenClosed: String? = nil) throws(SettingsError) -> [UInt8]? {
        var status = stat()
        if lstat(path, &status) != 0 {
            let number = errno
            if number == ENOENT { return nil }
            if number == EACCES, let whenClosed {
                throw .unreadable(path: path, reason: "\(seen(number)): \(whenClosed)")
            }
        }
        return try bytes(path: path)
    }

    static func bytes(path: String, of kind: Kind = .settings) throws(SettingsError) -> [UInt8] {
        // Non-blocking, so that a named pipe without a writer is refused instead of waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason(errno, kind)) }
        defer { close(descriptor) }
        try checkIsFile(descriptor, path, kind)
        return try read(descriptor, path, kind)
    }

    private static func checkIsFile(_ descriptor: Int32, _ path: String, _ kind: Kind) throws(SettingsError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .unreadable(path: path, reason: reason(errno, kind))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(
                path: path, reason: "is not a regular file: give the path of the file itself")
        }
    }

    /// Reads on past the limit by one byte: the size in `stat` may change under us.
    private static func read(_ descriptor: Int32, _ path: String, _ kind: Kind) throws(SettingsError) -> [UInt8]
    {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count == 0 { return bytes }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .unreadable(path: path, reason: reason(errno, kind)) }
            bytes += block.prefix(count)
            guard bytes.count <= kind.sizeLimit else {
                throw .unreadable(path: path, reason: kind.whenTooLarge)
            }
        }
    }

    private static func reason(_ number: Int32, _ kind: Kind) -> String {
        let seen = seen(number)
        switch number {
        case ENOENT, ENOTDIR: return "\(seen): \(kind.whenAbsent)"
        case EACCES, EPERM: return "\(seen): let the user of the gateway read it, see ls -l and id"
        default: return "\(seen) (errno \(number))"
        }
    }

    private static func seen(_ number: Int32) -> String {
        "cannot be read: \(String(cString: strerror(number)))"
    }
}
