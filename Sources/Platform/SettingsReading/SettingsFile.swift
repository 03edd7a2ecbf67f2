import Glibc

/// The bytes of a settings file.
public enum SettingsFile {
    /// Kind of the file: its largest size, and the remedy for a wrong file.
    public struct Kind: Sendable {
        public let sizeLimit: Int
        public let whenTooLarge: String
        public let whenAbsent: String
        /// Group of the account that has to read it.
        public let group: String

        /// - Parameter sizeLimit: 1 MiB is some thousand times a household's settings. More is a wrong path, and is not read.
        public init(
            sizeLimit: Int = 1 << 20,
            whenTooLarge: String = "is larger than 1 MiB, settings are a few KiB: check the path",
            whenAbsent: String = "check the path", group: String
        ) {
            (self.sizeLimit, self.whenTooLarge) = (sizeLimit, whenTooLarge)
            (self.whenAbsent, self.group) = (whenAbsent, group)
        }
    }

    /// Nil where there is no such file. Everything else that is in the way is an error.
    /// - Parameter whenClosed: the remedy where its directory may not be entered; nil for the same as where the
    ///   file may not be read.
    public static func bytesIfPresent(
        path: String, of kind: Kind, whenClosed: String? = nil
    ) throws(SettingsError) -> [UInt8]? {
        var status = stat()
        if lstat(path, &status) != 0 {
            let number = errno
            if number == ENOENT { return nil }
            if number == EACCES, let whenClosed {
                throw .unreadable(path: path, reason: "\(seen(number)): \(whenClosed)")
            }
        }
        return try bytes(path: path, of: kind)
    }

    public static func bytes(path: String, of kind: Kind) throws(SettingsError) -> [UInt8] {
        // Non-blocking, so that a named pipe without a writer is refused instead of waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason(errno, path, kind)) }
        defer { close(descriptor) }
        try checkIsFile(descriptor, path, kind)
        return try read(descriptor, path, kind)
    }

    private static func checkIsFile(_ descriptor: Int32, _ path: String, _ kind: Kind) throws(SettingsError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .unreadable(path: path, reason: reason(errno, path, kind))
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
            guard count > 0 else { throw .unreadable(path: path, reason: reason(errno, path, kind)) }
            bytes += block.prefix(count)
            guard bytes.count <= kind.sizeLimit else {
                throw .unreadable(path: path, reason: kind.whenTooLarge)
            }
        }
    }

    private static func reason(_ number: Int32, _ path: String, _ kind: Kind) -> String {
        let seen = seen(number)
        switch number {
        case ENOENT, ENOTDIR: return "\(seen): \(kind.whenAbsent)"
        case EACCES, EPERM: return "\(seen)\(FileAccess.remedy(for: path, group: kind.group))"
        default: return "\(seen) (errno \(number))"
        }
    }

    private static func seen(_ number: Int32) -> String {
        "cannot be read: \(String(cString: strerror(number)))"
    }
}

extension SettingsFile {
    /// The tree of a file. Errors: `syntax`.
    ///
    /// - Parameter root: declarations of the file, for advice on its syntax.
    public static func table(
        _ bytes: [UInt8], file: String, of root: Section
    ) throws(SettingsError) -> TOMLTable {
        do {
            return try TOMLDocument(parsing: bytes).root
        } catch {
            throw .syntax(
                SettingsProblem(
                    file: file, line: error.position.line, column: error.position.column, key: "",
                    message: "is not TOML: "
                        + (SyntaxHint(bytes, at: error.position.line, of: root)?.text
                            ?? "\(error.message): look there and at the end of the line before; "
                            + "a text stands in straight quotes, a number without, each key and section once")))
        }
    }
}
