package import Ciphers
import FoundationEssentials
package import GatewayModel
import Glibc
import TarArchive
import Vault

/// Maker of a backup, also while the gateway runs. Blocking I/O.
package struct BackupMaker {
    /// Result for the person at the terminal.
    package struct Report: Sendable {
        package let files: Int
        /// Bytes of the backup.
        package let size: Int
        /// Places that are not in it, each with its reason.
        package let leftOut: [String]
        /// The state has alarms that were open: a box out of this backup goes on with them.
        package let hasOpenAlarm: Bool
    }

    private let source: BackupSource
    private let version: ProductVersion
    private let cost: ScryptCost
    private var leftOut: [String]
    private var files = 0
    private var hasOpenAlarm = false

    /// - Parameters:
    ///   - settings: path of the settings file.
    ///   - console: path of the settings of the console; it need not exist.
    ///   - bluetooth: folder of bluetoothd with the pairings.
    package init(
        settings: String, console: String, bluetooth: String, version: ProductVersion, at now: WallTime,
        cost: ScryptCost = .standard
    ) throws(BackupFault) {
        source = try BackupSource(
            settings: settings, console: console, bluetooth: bluetooth, version: version.description,
            made: now.millisecondsSince1970)
        (self.version, self.cost) = (version, cost)
        leftOut = source.manifest.leftOut
    }

    /// Writes the file, for its owner alone, and reads it back as a restore would: a backup that cannot be restored is found now.
    /// A file of that name is not replaced; on an error there is none.
    ///
    /// - Parameter path: absolute.
    package mutating func write(to path: String, _ words: BackupWords) throws -> Report {
        if let item = source.manifest.items.first(where: { $0.contains(path) }) {
            throw BackupFault(
                "\(path) lies in \(item.path), which is in the backup itself: choose another directory, on another disk"
            )
        }
        guard try FileTree.status(path) == nil else {
            throw BackupFault("\(path) is there already: choose another name, or move it away")
        }
        let (header, cipher) = try ChunkCipher.new(
            words, made: source.manifest.made, version: source.manifest.version, cost: cost)
        let partial = path + ".partial"
        unlink(partial)
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw BackupFault("creating", partial) }
        defer { close(descriptor) }
        do {
            var writer = try SealedWriter(descriptor, path: partial, header, cipher)
            try archive(to: &writer)
            try writer.finish()
            _ = try BackupReader(partial, words, version: version)
            var status = stat()
            guard fstat(descriptor, &status) == 0, rename(partial, path) == 0 else {
                throw BackupFault("renaming", partial)
            }
            try FileTree.sync(path.parent)
            return Report(
                files: files, size: Int(status.st_size), leftOut: leftOut, hasOpenAlarm: hasOpenAlarm)
        } catch {
            unlink(partial)
            throw error
        }
    }

    private mutating func archive(to writer: inout SealedWriter) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let manifest = [UInt8](try encoder.encode(source.manifest))
        try writer.write(
            try TarWriter.header(
                of: TarEntry(
                    path: BackupManifest.fileName, kind: .file, mode: 0o600,
                    modified: source.manifest.made / 1_000, size: manifest.count)))
        try writer.write(manifest + TarWriter.padding(manifest.count))
        for item in source.manifest.items {
            if item.path == source.manifest.stateDirectory {
                try addState(item.path, to: &writer)
            } else {
                try add(item.path, isTop: item.kind == .whole, to: &writer)
            }
        }
        try writer.write(TarWriter.end)
    }

    // MARK: Files

    /// - Parameter isTop: a link of the installer is followed.
    private mutating func add(_ path: String, isTop: Bool = false, to writer: inout SealedWriter) throws {
        guard let found = try FileTree.status(path) else { return }
        let isLink = found.st_mode & S_IFMT == S_IFLNK
        guard let status = isLink ? try FileTree.status(path, followsLinks: true) : found else {
            return leftOut.append("\(path): a link to a file that does not exist")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: try addFile(path, to: &writer)
        case S_IFDIR where !isLink || isTop:
            try writer.write(try TarWriter.header(of: Self.entry(path, status, .directory, size: 0)))
            for name in try FileTree.names(in: path) ?? [] where !StateNames.isOfARestore(name) {
                try add(path + "/" + name, to: &writer)
            }
        case S_IFDIR: leftOut.append("\(path): a link to a directory; keep it yourself")
        // Sockets and pipes are made by their programs.
        default: break
        }
    }

    /// A file that grows meanwhile is copied up to its size at the beginning.
    private mutating func addFile(_ path: String, to writer: inout SealedWriter) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            // Replaced or removed since the directory was listed.
            if errno == ENOENT { return }
            throw BackupFault("opening", path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw BackupFault("looking at", path) }
        try addBytes(of: descriptor, path, status, to: &writer)
    }

    /// - Parameter path: place of the file in the box.
    private mutating func addBytes(
        of descriptor: Int32, _ path: String, _ status: stat, to writer: inout SealedWriter
    ) throws {
        let size = Int(status.st_size)
        try writer.write(try TarWriter.header(of: Self.entry(path, status, .file, size: size)))
        var done = 0
        while done < size {
            let bytes = try FileBytes.read(
                descriptor, path, at: done, count: min(BackupHeader.chunk, size - done))
            try writer.write(bytes)
            done += bytes.count
        }
        try writer.write(TarWriter.padding(size))
        files += 1
    }

    private static func entry(
        _ path: String, _ status: stat, _ kind: TarEntry.Kind, size: Int
    ) -> TarEntry {
        TarEntry(
            path: BackupManifest.archived(path), kind: kind, mode: status.st_mode & 0o7777,
            user: Accounts.name(ofUser: status.st_uid), group: Accounts.name(ofGroup: status.st_gid),
            userID: status.st_uid, groupID: status.st_gid, modified: Int64(status.st_mtim.tv_sec), size: size)
    }

    // MARK: State

    private mutating func addState(_ directory: String, to writer: inout SealedWriter) throws {
        guard let own = try FileTree.status(directory, followsLinks: true) else { return }
        try writer.write(try TarWriter.header(of: Self.entry(directory, own, .directory, size: 0)))
        let group = try StateGroup(of: directory) { () throws(DiskFailure) in
            Self.smallFiles(in: directory)
        }
        for (name, bytes) in group.files.sorted(by: { $0.key < $1.key }) {
            let path = directory + "/" + name
            var status = try FileTree.status(path) ?? own
            if status.st_mode & S_IFMT != S_IFREG { status.st_mode = S_IFREG | 0o600 }
            try writer.write(try TarWriter.header(of: Self.entry(path, status, .file, size: bytes.count)))
            try writer.write(bytes + TarWriter.padding(bytes.count))
            files += 1
        }
        // An ended alarm or drill stays in the files for as long as a limit has not rearmed.
        hasOpenAlarm =
            ["alarms.json", "alarms-copy.json"].lazy.compactMap { group.files[$0] }.first.map(
                AlarmStateFile.mayHoldOpenAlarm) ?? false
        for name in try FileTree.names(in: directory) ?? []
        where group.files[name] == nil && !StateNames.isLeftOut(name) {
            let path = directory + "/" + name
            guard let status = try FileTree.status(path) else { continue }
            if name.hasSuffix(".sqlite"), status.st_mode & S_IFMT == S_IFREG {
                try addDatabase(path, status, to: &writer)
            } else if status.st_mode & S_IFMT == S_IFDIR
                || StateGroup.isApart(name, size: Int(status.st_size))
            {
                try add(path, to: &writer)
            }
        }
    }

    private static func smallFiles(in directory: String) -> [String] {
        let names = (try? FileTree.names(in: directory)) ?? []
        return names.filter { name in
            guard !StateNames.isLeftOut(name), let status = try? FileTree.status(directory + "/" + name) else {
                return false
            }
            return status.st_mode & S_IFMT == S_IFREG
                && !StateGroup.isApart(name, size: Int(status.st_size))
        }
    }

    /// The copy lies in the state directory for a moment: it holds data in clear, which must not reach another disk.
    private mutating func addDatabase(_ path: String, _ status: stat, to writer: inout SealedWriter) throws {
        let folder = path.parent + "/" + StateNames.copies
        try FileTree.remove(folder)
        guard mkdir(folder, 0o700) == 0 else { throw BackupFault("creating", folder) }
        defer { try? FileTree.remove(folder) }
        let copy = folder + "/" + path.lastPart
        do throws(DiskFailure) {
            try DatabaseCopy.write(of: path, to: copy)
        } catch {
            throw BackupFault(
                error.isDamage
                    ? "\(error): the database is damaged; start the gateway, which saves what can be read, then back up again"
                    : "\(error); see df and ls -l, then try again")
        }
        let descriptor = open(copy, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupFault("opening", copy) }
        defer { close(descriptor) }
        var copied = stat()
        guard fstat(descriptor, &copied) == 0 else { throw BackupFault("looking at", copy) }
        (copied.st_mode, copied.st_uid, copied.st_gid) = (status.st_mode, status.st_uid, status.st_gid)
        try addBytes(of: descriptor, path, copied, to: &writer)
    }
}

/// Names of users and groups. Blocking I/O.
enum Accounts {
    /// Empty where the number has no name.
    static func name(ofUser id: uid_t) -> String {
        getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? ""
    }
    static func name(ofGroup id: gid_t) -> String {
        getgrgid(id).map { String(cString: $0.pointee.gr_name) } ?? ""
    }
    static func user(named name: String) -> uid_t? { getpwnam(name)?.pointee.pw_uid }
    static func group(named name: String) -> gid_t? { getgrnam(name)?.pointee.gr_gid }
}
