import GatewayModel
import Glibc
import Settings
import SettingsReading
import Vault

/// Places of one box that belong into a backup. Blocking I/O.
struct BackupSource: Sendable {
    let manifest: BackupManifest

    /// Trees of the system: a box has its own.
    private static let ofTheSystem = ["/usr/", "/etc/ssl/certs/"]

    /// - Parameters:
    ///   - settings: path of the settings file.
    ///   - console: path of the settings of the console.
    ///   - bluetooth: folder of bluetoothd with the pairings.
    init(
        settings: String, console: String, bluetooth: String, version: String, made: Int64
    ) throws(BackupFault) {
        let files: SettingsFiles
        do throws(SettingsError) {
            files = try SettingsFiles(path: settings)
        } catch {
            throw BackupFault("\(error)")
        }
        var (whole, contents, leftOut) = ([settings], [files.stateDirectory], [String]())
        var named = files.paths
        if try FileTree.status(console) != nil {
            do throws(SettingsError) {
                let settings = try ConsoleSettings(path: console)
                if !Self.contains(settings.stateDirectory, in: contents) {
                    contents.append(settings.stateDirectory)
                }
                named += settings.certificate.map { [$0.file, $0.keyFile] } ?? []
            } catch {
                throw BackupFault("\(error)")
            }
            if !Self.contains(console, in: contents) { whole.append(console) }
        }
        if try FileTree.status(files.runsDirectory, followsLinks: true) != nil,
            !Self.contains(files.runsDirectory, in: contents)
        {
            whole.append(files.runsDirectory)
        }
        for name in files.credentials {
            leftOut.append(
                "the secret '\(name)', which the service manager hands over: keep its file and the change of the unit yourself"
            )
        }
        for path in Set(named).sorted() {
            if Self.ofTheSystem.contains(where: path.hasPrefix) {
                leftOut.append("\(path): it belongs to the system, and a new box has its own")
            } else if try FileTree.status(path, followsLinks: true) == nil {
                leftOut.append("\(path): the settings name it, and it does not exist")
            } else if !Self.contains(path, in: contents + whole) {
                whole.append(path)
            }
        }
        whole += try Self.adapters(in: bluetooth, &leftOut)
        var present: [String] = []
        for path in contents where try FileTree.status(path) != nil { present.append(path) }
        try Self.checkArePart(whole + present)
        try Self.checkKey(of: files, &leftOut)
        manifest = BackupManifest(
            version: version, made: made, settings: settings, stateDirectory: files.stateDirectory,
            bluetooth: bluetooth,
            items: whole.map { BackupManifest.Item(path: $0, kind: .whole) }
                + present.map { BackupManifest.Item(path: $0, kind: .contents) },
            leftOut: leftOut)
    }

    private static func contains(_ path: String, in places: [String]) -> Bool {
        places.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// Each file belongs to one place: a restore puts the places one after the other.
    private static func checkArePart(_ places: [String]) throws(BackupFault) {
        for place in places {
            guard let outer = places.first(where: { place.hasPrefix($0 + "/") }) else { continue }
            throw BackupFault(
                "\(place) lies in \(outer), and the two are restored apart: move one of them, and change the settings"
            )
        }
    }

    /// Directories of adapters. Only root can read them.
    private static func adapters(
        in bluetooth: String, _ leftOut: inout [String]
    ) throws(BackupFault) -> [String] {
        guard access(bluetooth, F_OK) == 0 else { return [] }
        guard access(bluetooth, R_OK | X_OK) == 0 else {
            leftOut.append(
                "the pairings of the wearables in \(bluetooth), which only root can read: use sudo, or each has to be paired again"
            )
            return []
        }
        return try (FileTree.names(in: bluetooth) ?? []).filter { DeviceAddress($0) != nil }.map {
            bluetooth + "/" + $0
        }
    }

    /// Without its key a history cannot be read.
    private static func checkKey(of files: SettingsFiles, _ leftOut: inout [String]) throws(BackupFault) {
        let state = files.stateDirectory
        guard try FileTree.status(state + "/history.sqlite") != nil,
            try FileTree.status(state + "/history.key") == nil, !files.namesHistoryKey
        else { return }
        leftOut.append(
            "the key of the history, which is neither in the state directory nor named by the settings (systemd's credential history-key?): keep it yourself"
        )
    }
}

/// Names in a state directory that do not belong into a backup.
enum StateNames {
    /// Folder for the copy of a database while a backup is made.
    static let copies = "backup-copy"
    /// Folder of files of a restore that is under way.
    static let staged = "restore-staged"
    /// Beginning of folders with the files that a restore has set aside.
    static let aside = "before-restore-"

    static func isLeftOut(_ name: String) -> Bool {
        if RestoredState.isOfThisBox(name) || name == copies || isOfARestore(name) { return true }
        // A damaged database was set aside together with its log, which belongs to it.
        let isDamaged = name.contains(".damaged-")
        let isOfADatabase = ["-wal", "-shm", "-journal", ".ballast"].contains { name.hasSuffix(".sqlite" + $0) }
        // A file that was being replaced.
        return !isDamaged && isOfADatabase || name.hasSuffix(".new")
    }

    static func isOfARestore(_ name: String) -> Bool { name == staged || name.hasPrefix(aside) }
}
