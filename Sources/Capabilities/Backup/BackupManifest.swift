/// First entry of the archive in a backup: the places of all files.
struct BackupManifest: Codable, Hashable, Sendable {
    /// Place that is restored as a unit.
    struct Item: Codable, Hashable, Sendable {
        enum Kind: String, Codable, Sendable {
            /// One file, or one directory with all in it.
            case whole
            /// All in a directory, which itself stays: it may be a mount point.
            case contents
        }

        /// Absolute.
        let path: String
        let kind: Kind

        /// Whether a file of this path belongs to the place.
        func contains(_ other: String) -> Bool { other == path || other.hasPrefix(path + "/") }
    }

    static let fileName = "backup.json"
    /// Folder of the archive with the files, each under its absolute path.
    static let folder = "files"
    static let mostBytes = 1 << 20

    let version: String
    /// Milliseconds since 1970.
    let made: Int64
    /// Path of the settings file.
    let settings: String
    let stateDirectory: String
    /// Folder of the pairings, one directory an adapter.
    let bluetooth: String
    let items: [Item]
    /// Places that are not in the backup, with the reason and the remedy.
    let leftOut: [String]

    private enum CodingKeys: String, CodingKey {
        case version, made, settings, bluetooth, items
        case stateDirectory = "state_directory"
        case leftOut = "left_out"
    }

    /// Path in the archive.
    static func archived(_ path: String) -> String { folder + path }

    /// Absolute path of an entry; nil for another entry.
    static func place(_ archived: String) -> String? {
        archived.hasPrefix(folder + "/") ? String(archived.dropFirst(folder.utf8.count)) : nil
    }
}
