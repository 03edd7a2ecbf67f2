import GatewayModel
import TarArchive

/// Places that a restore changes, out of the manifest and the entries of a backup. Pure.
struct RestorePlan: Sendable {
    /// Directory in which names are put into their places, on one file system.
    struct Directory: Hashable, Sendable {
        let path: String
        /// All in it is of the backup: other names are set aside as well.
        let isWhole: Bool
        var names: [String]

        var staged: String { path + "/" + StateNames.staged }
    }

    let manifest: BackupManifest
    /// In the order in which they are changed: the settings file first, which leads a start to the state directory.
    let directories: [Directory]
    /// Entries by their absolute paths.
    let entries: [String: TarEntry]

    /// Errors: the backup is of a later version, or has a file that belongs to none of its places.
    init(_ manifest: BackupManifest, _ entries: [TarEntry], version: ProductVersion) throws(BackupFault) {
        try BackupFault.check(manifest.version, of: "the backup", for: version)
        self.manifest = manifest
        var byPath: [String: TarEntry] = [:]
        for entry in entries where entry.path != BackupManifest.fileName {
            guard let path = BackupManifest.place(entry.path), Self.item(of: path, in: manifest) != nil,
                byPath.updateValue(entry, forKey: path) == nil
            else {
                throw BackupFault(
                    "the backup has a file of no place or one twice: \(entry.path). Nothing was changed; take another backup"
                )
            }
        }
        self.entries = byPath
        var directories: [Directory] = []
        let items =
            manifest.items.filter { $0.path == manifest.settings }
            + manifest.items.filter { $0.path != manifest.settings }
        for item in items where byPath[item.path] != nil {
            switch item.kind {
            case .contents:
                let names = byPath.keys.filter { $0.parent == item.path && $0 != item.path }.map(\.lastPart)
                directories.append(Directory(path: item.path, isWhole: true, names: names.sorted()))
            case .whole:
                let parent = item.path.parent
                if let index = directories.firstIndex(where: { $0.path == parent && !$0.isWhole }) {
                    directories[index].names.append(item.path.lastPart)
                } else {
                    directories.append(
                        Directory(path: parent, isWhole: false, names: [item.path.lastPart]))
                }
            }
        }
        guard byPath[manifest.settings] != nil, directories.first?.path == manifest.settings.parent else {
            throw BackupFault("the backup has no settings file: take another one. Nothing was changed")
        }
        self.directories = directories
    }

    /// Paths that a restore writes to, the state directory among them, sorted.
    var places: [String] {
        Set(manifest.items.map(\.path).filter { entries[$0] != nil } + [manifest.stateDirectory]).sorted()
    }

    /// Place that the file of an entry is written to first.
    func staged(_ path: String) -> String? {
        guard let item = Self.item(of: path, in: manifest) else { return nil }
        let base = item.kind == .contents ? item.path : item.path.parent
        let rest = path.dropFirst(base == "/" ? 0 : base.utf8.count)
        return (base == "/" ? "" : base) + "/" + StateNames.staged + rest
    }

    private static func item(of path: String, in manifest: BackupManifest) -> BackupManifest.Item? {
        manifest.items.first { $0.contains(path) }
    }
}
