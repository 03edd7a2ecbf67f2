import Glibc
public import SettingsReading

/// Files outside of the state directory that the settings name, for a backup.
public struct SettingsFiles: Hashable, Sendable {
    /// A file with the key that names it.
    public struct Named: Hashable, Sendable {
        /// With its section: `broker.ca_file`.
        public let key: String
        /// Settings file, and the line of the key.
        public let file: String
        public let line: Int
        public let path: String
    }

    /// In the order of the declarations; a credential is not among them.
    public let named: [Named]
    /// Absolute paths of keys, passwords and certificates; each once, sorted.
    public let paths: [String]
    /// Names of secrets that the service manager hands over.
    public let credentials: [String]
    public let stateDirectory: String
    /// Folder of the run files and the files beside them; it need not exist.
    public let runsDirectory: String
    /// Whether the key of the history is one of the files.
    public let namesHistoryKey: Bool

    /// Reads the settings file and the devices file. Values with mistakes are left out. Blocking I/O.
    ///
    /// - Throws: `unreadable` or `syntax`.
    public init(path: String) throws(SettingsError) {
        let bytes = try SettingsFile.bytes(path: path, of: .gateway)
        let root = try GatewaySettings.table(bytes, file: path)
        stateDirectory = GatewaySettings.stateDirectory(in: bytes, file: path)
        let devicesFile = GatewaySettings.devicesFile(in: stateDirectory)
        let devices = try GatewaySettings.devicesBytes(path: devicesFile).map { bytes throws(SettingsError) in
            try GatewaySettings.table(bytes, file: devicesFile)
        }
        let all =
            Self.files(of: RootSection.section.children, in: root, file: path)
            + (devices.map { Self.files(of: DevicesRootSection.section.children, in: $0, file: devicesFile) }
                ?? [])
        let prefix = CredentialFile.directory
        named = all.filter { !$0.path.hasPrefix(prefix) }
        paths = Set(named.map(\.path)).sorted()
        credentials = Set(
            all.map(\.path).filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        )
        .sorted()
        runsDirectory = Self.runsDirectory(in: root)
        if case .table(let history)? = root[HistorySection.section.name]?.value {
            namesHistoryKey = history[HistorySection.keyFile.name] != nil
        } else {
            namesHistoryKey = false
        }
    }

    /// The declarations bound the depth.
    private static func files(of sections: [Section], in table: TOMLTable, file: String) -> [Named] {
        sections.flatMap { section in
            section.tables(in: table).flatMap { table in
                section.keys.compactMap { key -> Named? in
                    guard key.content == .file, let node = table[key.name], case .string(let path) = node.value,
                        path.hasPrefix("/") || path.hasPrefix(CredentialFile.directory)
                    else { return nil }
                    return Named(key: section.full(key.name), file: file, line: node.position.line, path: path)
                } + files(of: section.children, in: table, file: file)
            }
        }
    }

    /// Those that do not exist, each once. Blocking I/O.
    public var missing: [Named] {
        var seen: Set<String> = []
        return named.filter { file in
            var status = stat()
            guard stat(file.path, &status) != 0, errno == ENOENT || errno == ENOTDIR else { return false }
            return seen.insert(file.path).inserted
        }
    }

    /// Why the settings file itself is not safe where it lies; nil where only its owner can change it, or it cannot be
    /// looked at. Blocking I/O.
    public static func danger(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o002 != 0 else {
            return nil
        }
        return
            "saw mode \(String(status.st_mode & 0o777, radix: 8)), by which every program of this box can change who is "
            + "called for help: chmod 640 \(path)"
    }

    private static func runsDirectory(in root: TOMLTable) -> String {
        let key = RaceSection.runsDirectory
        if case .table(let race)? = root[RaceSection.section.name]?.value, let node = race[key.name],
            case .accepted(let path) = key.form.judge(node.value)
        {
            return path
        }
        guard case .standard(.string(let path)) = key.presence else { return "/" }
        return path
    }
}

extension Section {
    /// Tables of the section as they are written, also of its other variants.
    func tables(in table: TOMLTable) -> [TOMLTable] {
        switch table[name]?.value {
        case .table(let written): [written]
        case .array(let nodes):
            nodes.compactMap { if case .table(let written) = $0.value { written } else { nil } }
        default: []
        }
    }
}
