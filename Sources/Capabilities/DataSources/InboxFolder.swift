import GatewayModel
import Glibc
import Observations
import RealTime

/// Reason why an inbox cannot be used.
struct InboxFailure: Error, CustomStringConvertible {
    let description: String
}

/// Directory in which a program drops files, and its `refused` directory. Blocking I/O.
///
/// The program may write there, so nothing in it is trusted: links are not followed, and only regular files with one name
/// are read.
struct InboxFolder {
    /// Maximum number of names in one listing; the others follow when these are done.
    private static let mostNames = 1_000
    /// Maximum number of files in `refused`, texts included. The oldest are removed.
    private static let mostRefused = 64
    /// Maximum number of bytes of one directory in an export: the gateway has little memory.
    private static let mostExported = 4 << 20
    private static let refused = "refused"

    let path: String
    let isOwn: Bool

    // MARK: Listing

    /// Lists the files that are complete: hidden files, `.tmp` and `.part` are still being written.
    func list() throws(InboxFailure) -> [FileMark] {
        try inside { (directory) throws(InboxFailure) in
            try Self.names(in: directory).compactMap { name in
                let lower = name.lowercased()
                guard !lower.hasSuffix(".tmp"), !lower.hasSuffix(".part") else { return nil }
                return Self.mark(of: name, in: directory).flatMap { $0.isDirectory ? nil : $0.mark }
            }
        }
    }

    /// - Parameter withHidden: lists hidden files, too; and always the directories "." and "..".
    private static func names(
        in directory: Int32, withHidden: Bool = false
    ) throws(InboxFailure) -> [String] {
        // The stream closes its descriptor; the directory keeps its own.
        let copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let failure = SystemCallError("opendir")
            if copy >= 0 { close(copy) }
            throw InboxFailure(description: "the directory cannot be listed: \(failure)")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < mostNames, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if withHidden || !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func mark(of name: String, in directory: Int32) -> (mark: FileMark, isDirectory: Bool)? {
        var status = stat()
        guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return (FileMark(name, status), status.st_mode & S_IFMT == S_IFDIR)
    }

    // MARK: One file

    /// Reads a file, or says why it is refused.
    func read(_ mark: FileMark) throws(InboxFailure) -> Result<[UInt8], ObservationFault> {
        try inside { (directory) throws(InboxFailure) in Self.read(mark, in: directory) }
    }

    private static func read(_ mark: FileMark, in directory: Int32) -> Result<[UInt8], ObservationFault> {
        // Non-blocking: opening a FIFO would wait for its writer.
        let file = openat(directory, mark.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            let number = errno
            let seen = number == ELOOP ? "a symbolic link" : "a file that cannot be opened (error \(number))"
            return .failure(
                ObservationFault(
                    seen: seen, expected: "a regular file that the gateway's user may read",
                    remedy: "write the file itself into the directory, readable by its group"))
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            return .failure(
                ObservationFault(
                    seen: "no regular file, or one with several names",
                    expected: "a regular file with one name",
                    remedy: "write the file itself into the directory"))
        }
        let limit = ObservationParser.largestFile
        guard status.st_size <= limit else {
            return .failure(
                ObservationFault(
                    seen: "\(status.st_size) bytes", expected: "at most \(limit)",
                    remedy: "divide it into several files"))
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return .success(bytes) }
            guard count > 0 else {
                return .failure(
                    ObservationFault(
                        seen: "a file that cannot be read (error \(errno))", expected: "a readable file",
                        remedy: "check the disk, and write it again"))
            }
            bytes += chunk.prefix(count)
        }
        return .failure(
            ObservationFault(
                seen: "a file that grows", expected: "a complete file of at most \(limit) bytes",
                remedy: "write it under another name and rename it when it is complete"))
    }

    /// Removes a file that is done, or sets it aside beside its reasons. A file that has changed since it was read stays.
    ///
    /// - Returns: false where the file could be neither moved nor removed.
    func finish(_ outcome: InboxMachine.Outcome) throws(InboxFailure) -> Bool {
        try inside { (directory) throws(InboxFailure) in
            guard Self.mark(of: outcome.mark.name, in: directory)?.mark == outcome.mark else { return true }
            guard let why = outcome.why else { return unlinkat(directory, outcome.mark.name, 0) == 0 }
            return Self.setAside(outcome.mark.name, why, in: directory)
        }
    }

    private static func setAside(_ name: String, _ why: String, in directory: Int32) -> Bool {
        _ = mkdirat(directory, refused, 0o750)
        let folder = openat(directory, refused, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        // The text first: a crash in between sets the file aside again.
        writeText(why, to: "\(name).why", in: folder)
        guard renameat(directory, name, folder, name) == 0 else { return false }
        prune(folder)
        return true
    }

    /// A text that cannot be written is not worth the file: the status of the gateway says the same.
    private static func writeText(_ text: String, to name: String, in folder: Int32) {
        unlinkat(folder, name, 0)
        let file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard file >= 0 else { return }
        defer { close(file) }
        // Whatever the umask: the program's group is to read why.
        fchmod(file, 0o640)
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Removes the oldest refused files beyond the limit: health data must not pile up.
    private static func prune(_ folder: Int32) {
        guard let names = try? names(in: folder), names.count > mostRefused else { return }
        let files = names.compactMap { mark(of: $0, in: folder)?.mark }
        for file in files.sorted(by: { $0.changed < $1.changed }).prefix(names.count - mostRefused) {
            unlinkat(folder, file.name, 0)
        }
    }

    // MARK: All files

    /// A line of a file that waits or was refused.
    struct Line: Encodable {
        let source: String
        let file: String
        let isRefused: Bool
        let line: Int
        let text: String
    }

    /// Lines of all files, for an export.
    func lines(of source: DeviceID) throws(InboxFailure) -> [Line] {
        try inside { (directory) throws(InboxFailure) in
            var lines = try Self.lines(of: source, in: directory, isRefused: false)
            let folder = openat(directory, Self.refused, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else { return lines }
            defer { close(folder) }
            lines += try Self.lines(of: source, in: folder, isRefused: true)
            return lines
        }
    }

    private static func lines(
        of source: DeviceID, in directory: Int32, isRefused: Bool
    ) throws(InboxFailure) -> [Line] {
        var (lines, size) = ([Line](), 0)
        for name in try names(in: directory, withHidden: true).sorted() {
            guard let mark = mark(of: name, in: directory), !mark.isDirectory,
                case .success(let bytes) = read(mark.mark, in: directory)
            else { continue }
            size += bytes.count
            guard size <= mostExported else {
                lines.append(
                    Line(
                        source: source.text, file: name, isRefused: isRefused, line: 0,
                        text: "left out: there is more than \(mostExported) bytes; copy the file itself"))
                continue
            }
            let parts = bytes.split(separator: UInt8(ascii: "\n"))
            for (number, part) in parts.enumerated() {
                lines.append(
                    Line(
                        source: source.text, file: name, isRefused: isRefused, line: number + 1,
                        text: String(decoding: part.prefix(ObservationParser.longestLine), as: UTF8.self)))
            }
        }
        return lines
    }

    /// Removes all files, also those that are still being written.
    ///
    /// - Returns: the number of removed files; nil where one is left.
    func erase() throws(InboxFailure) -> Int? {
        try inside { (directory) throws(InboxFailure) in
            var (removed, isComplete) = (0, true)
            func empty(_ folder: Int32) throws(InboxFailure) {
                var before = -1
                // A listing has a bound: again until one removes nothing.
                while before < removed {
                    before = removed
                    for name in try Self.names(in: folder, withHidden: true) {
                        guard Self.mark(of: name, in: folder)?.isDirectory == false else { continue }
                        if unlinkat(folder, name, 0) == 0 { removed += 1 } else { isComplete = false }
                    }
                }
            }
            try empty(directory)
            let folder = openat(directory, Self.refused, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if folder >= 0 {
                defer { close(folder) }
                try empty(folder)
            }
            return isComplete ? removed : nil
        }
    }

    // MARK: The directory

    /// Opens the directory, which must belong to this user: a mistyped path must not have the files of others read.
    private func inside<Result>(_ body: (Int32) throws(InboxFailure) -> Result) throws(InboxFailure) -> Result {
        if isOwn { make() }
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else {
            throw InboxFailure(description: "\(path) cannot be opened: \(SystemCallError("open"))")
        }
        defer { close(directory) }
        var status = stat()
        guard fstat(directory, &status) == 0, status.st_uid == geteuid() else {
            throw InboxFailure(
                description:
                    "\(path) belongs to the user \(status.st_uid), expected \(geteuid()), the gateway's: "
                    + "chown it")
        }
        return try body(directory)
    }

    private func make() {
        guard let end = path.lastIndex(of: "/") else { return }
        _ = mkdir(String(path[..<end]), 0o700)
        _ = mkdir(path, 0o700)
    }
}

extension FileMark {
    fileprivate init(_ name: String, _ status: stat) {
        self.init(
            name: name, inode: UInt64(status.st_ino), size: Int(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec),
            changed: Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec))
    }
}
