import Glibc

/// The bytes of a settings file.
enum SettingsFile {
    /// Kind of the file: its largest size, and the remedy for a wrong file.
    struct Kind: Sendable {
        let sizeLimit: Int
        let whenTooLarge: String
        let whenAbsent: String
        /// Group of the account that has to read it.
        var group = "homegateway"

        /// 1 MiB: some thousand times a household's settings. More is a wrong path, and is not read.
        static let settings = Kind(
            sizeLimit: 1 << 20,
            whenTooLarge: "is larger than 1 MiB, settings are a few KiB: check the path",
            whenAbsent: "check the path, or answer the questions of: sudo homegateway init")
    }

    /// Nil where there is no such file. Everything else that is in the way is an error.
    /// - Parameter whenClosed: the remedy where its directory may not be entered; nil for the same as where the
    ///   file may not be read.
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

/// The text of both settings files, as it was read.
public struct SettingsCopy: Codable, Hashable, Sendable {
    /// Path of the settings file.
    public let file: String
    public let settings: [UInt8]
    /// Nil where there was no devices file.
    public let devices: [UInt8]?

    public init(file: String, settings: [UInt8], devices: [UInt8]?) {
        self.file = file
        self.settings = settings
        self.devices = devices
    }

    private enum CodingKeys: String, CodingKey {
        case file, settings, devices
    }

    /// As text, so that a person can read the copy too.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        file = try values.decode(String.self, forKey: .file)
        settings = Array(try values.decode(String.self, forKey: .settings).utf8)
        devices = try values.decodeIfPresent(String.self, forKey: .devices).map { Array($0.utf8) }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(file, forKey: .file)
        try values.encode(String(decoding: settings, as: UTF8.self), forKey: .settings)
        try values.encodeIfPresent(
            devices.map { String(decoding: $0, as: UTF8.self) }, forKey: .devices)
    }
}

/// The reference of every key as Markdown, out of the declarations: docs/installer/settings.md holds it.
public enum SettingsReference {
    public static var markdown: String {
        RootSection.section.children.flatMap(\.all).map(markdown).joined(separator: "\n")
    }

    /// The table of the console's own file: docs/installer/console.md holds it.
    public static var console: String { table(ConsoleSection.section) + "\n" }

    private static func markdown(_ section: Section) -> String {
        ["## \(section.described(quoting: "`"))", "", section.meaning + note(section), "", table(section)]
            .joined(separator: "\n") + "\n"
    }

    private static func table(_ section: Section) -> String {
        (["| key | value | when not written | meaning |", "|---|---|---|---|"] + section.keys.map(row))
            .joined(separator: "\n")
    }

    private static func note(_ section: Section) -> String {
        switch (section.repeats, section.isRequired) {
        case (true, true): " At least one."
        case (true, false): " Any number."
        case (false, true): " Required."
        case (false, false): ""
        }
    }

    private static func row(_ key: any DeclaredKey) -> String {
        "| `\(key.name)` | \(key.expected) | \(key.presence.words) | \(key.meaning) |"
    }
}
