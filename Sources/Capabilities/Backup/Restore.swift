package import GatewayModel
import Glibc
import Settings
import TarArchive
import Vault

/// Restore of a backup onto this box. Blocking I/O.
///
/// All files are first written beside their places, where a kill leaves the box as it was. Then each is renamed into its
/// place, while a file in the state directory keeps the gateway from starting: a kill there is finished by another run.
/// Files that were there are renamed into a folder, and never deleted.
package struct Restore {
    /// Step for tests, which fail at each one in turn.
    package enum Step: Hashable, Sendable {
        case stage(String)
        case begin
        case setAside(String)
        case place(String)
        case end
    }

    package struct Report: Sendable {
        /// Folders with the files that were there before.
        package let setAside: [String]
        /// There is a state: everybody has to accept anew.
        package let hasState: Bool
        package let hasOpenAlarm: Bool
        /// Names of wearables that have to be paired again.
        package let pairAgain: [String]
        /// Devices that are bonded with an adapter of the other box, and in no settings.
        package let otherPairings: Int
        /// The adapters of this box are not known.
        package let adaptersUnknown: Bool
    }

    private let plan: RestorePlan
    private let reader: BackupReader
    private let asideName: String
    private let at: (Step) throws -> Void

    /// - Parameter at: called before each step.
    package init(
        _ reader: BackupReader, at now: WallTime, before step: @escaping (Step) throws -> Void = { _ in }
    ) {
        (self.reader, plan, at) = (reader, reader.plan, step)
        asideName = StateNames.aside + "\(now.millisecondsSince1970)"
    }

    /// - Parameters:
    ///   - places: where files may be written to.
    ///   - replaces: files that are there may be set aside.
    ///   - adapters: Bluetooth adapters of this box; nil where they cannot be listed.
    ///   - isRunning: whether a program of that name runs on this box, by the first 15 bytes of the name.
    package func run(
        into places: RestorePlaces, replaces: Bool, adapters: [DeviceAddress]?, isRunning: (String) -> Bool
    ) throws -> Report {
        let state = plan.manifest.stateDirectory
        try checkAreOwn(places)
        let isAgain = RestoredState.isUnfinished(in: state)
        try checkIsFree(replaces: replaces || isAgain)
        let owners = try Owners(of: plan.entries.values)
        try checkRest(isRunning)
        let lock = try lockState(state, owners)
        defer { withExtendedLifetime(lock) {} }
        do {
            try stage(owners)
            try settle(state, owners)
        } catch {
            for directory in plan.directories { try? FileTree.remove(directory.staged) }
            throw error
        }
        let setAside = try commit(state)
        return report(setAside, adapters)
    }

    // MARK: Checks

    private func checkAreOwn(_ places: RestorePlaces) throws(BackupFault) {
        let foreign = plan.places.filter { !places.contain($0) }
        guard foreign.isEmpty else {
            throw BackupFault(
                "the backup writes to \(foreign.joined(separator: ", ")), which the packages of HomeGateway do not make. Nothing was changed. If you put them there on the old box, name each: --also PATH"
            )
        }
    }

    private func checkIsFree(replaces: Bool) throws(BackupFault) {
        guard !replaces else { return }
        var taken: [String] = []
        for directory in plan.directories {
            let present = try FileTree.names(in: directory.path) ?? []
            if directory.isWhole {
                let foreign = present.filter { !RestoredState.isOfThisBox($0) && !StateNames.isOfARestore($0) }
                if !foreign.isEmpty { taken.append("\(directory.path) (\(foreign.count) files)") }
                continue
            }
            for name in directory.names where present.contains(name) {
                let path = directory.path + "/" + name
                // A new box has a directory of its adapter, without a pairing.
                if directory.path == plan.manifest.bluetooth, try !hasPairings(path) { continue }
                taken.append(path)
            }
        }
        guard taken.isEmpty else {
            throw BackupFault(
                "this box already has \(taken.joined(separator: ", ")). Nothing was changed. To set these files aside and restore: homegateway restore --replace"
            )
        }
    }

    /// Programs that keep files of the backup in memory, and write them again.
    private func checkRest(_ isRunning: (String) -> Bool) throws(BackupFault) {
        if plan.manifest.items.contains(where: { $0.path.hasPrefix(plan.manifest.bluetooth + "/") }),
            isRunning("bluetoothd")
        {
            throw BackupFault(
                "bluetoothd runs, and would overwrite the pairings: systemctl stop bluetooth, then restore. Nothing was changed"
            )
        }
        let hasConsole = plan.directories.contains { $0.isWhole && $0.path != plan.manifest.stateDirectory }
        if hasConsole, isRunning("homegateway-con") {
            throw BackupFault(
                "homegateway-console runs, and would overwrite its state: systemctl stop homegateway-console, then restore. Nothing was changed"
            )
        }
    }

    private func hasPairings(_ adapter: String) throws(BackupFault) -> Bool {
        for name in try FileTree.names(in: adapter) ?? [] {
            let path = "\(adapter)/\(name)/info"
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_size < 1 << 20 else { continue }
            let info = try FileBytes.read(descriptor, path, at: 0, count: Int(status.st_size))
            if BluetoothPairings.isBonded(info) { return true }
        }
        return false
    }

    /// Keeps the gateway from starting, for as long as the restore runs.
    private func lockState(_ directory: String, _ owners: Owners) throws -> StateLock? {
        guard let entry = plan.entries[directory] else { return nil }
        try makeDirectory(directory, entry, owners)
        let path = directory + "/gateway.lock"
        let isNew = try FileTree.status(path) == nil
        do throws(StateLock.Held) {
            let lock = try StateLock.take(in: directory, within: .zero)
            // The gateway's user takes the same lock.
            if isNew, lock != nil { try? owners.give(path, entry, mode: 0o600) }
            return lock
        } catch {
            throw BackupFault(
                "\(error). A restore needs a stopped gateway: systemctl stop homegateway homegateway-console. Nothing was changed"
            )
        }
    }

    // MARK: Staging

    private func stage(_ owners: Owners) throws {
        for directory in plan.directories {
            try at(.stage(directory.path))
            if directory.isWhole, let entry = plan.entries[directory.path] {
                try makeDirectory(directory.path, entry, owners)
            } else {
                try makeParents(directory.path)
            }
            try FileTree.remove(directory.staged)
            guard mkdir(directory.staged, 0o700) == 0 else { throw BackupFault("creating", directory.staged) }
        }
        var file: (descriptor: Int32, path: String, entry: TarEntry)?
        var folders: [(path: String, entry: TarEntry)] = []
        defer { if let file { close(file.descriptor) } }
        try reader.readEntries { event in
            switch event {
            case .entry(let entry):
                guard let place = BackupManifest.place(entry.path), let path = plan.staged(place) else {
                    return
                }
                let isRoot = plan.directories.contains { $0.isWhole && $0.path == place }
                guard !isRoot else { return }
                guard entry.kind == .file else {
                    guard mkdir(path, 0o700) == 0 else { throw BackupFault("creating", path) }
                    return folders.append((path, entry))
                }
                let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
                guard descriptor >= 0 else { throw BackupFault("creating", path) }
                file = (descriptor, path, entry)
            case .content(let piece):
                if let file { try FileBytes.write(piece, to: file.descriptor, file.path) }
            case .entryEnd:
                guard let done = file else { return }
                try owners.give(done.path, done.entry, mode: done.entry.mode)
                guard fsync(done.descriptor) == 0 else { throw BackupFault("syncing", done.path) }
                close(done.descriptor)
                file = nil
            }
        }
        // The deepest first: a folder may be closed for its owner.
        for folder in folders.reversed() {
            try FileTree.sync(folder.path)
            try owners.give(folder.path, folder.entry, mode: folder.entry.mode)
        }
        for directory in plan.directories { try FileTree.sync(directory.staged) }
    }

    /// Makes the staged state fit for a start.
    private func settle(_ state: String, _ owners: Owners) throws {
        guard let directory = plan.directories.first(where: { $0.isWhole && $0.path == state }),
            let own = plan.entries[state]
        else { return }
        do throws(DiskFailure) {
            try RestoredState.settle(in: directory.staged)
            for name in (try? FileTree.names(in: directory.staged)) ?? [] {
                let entry = plan.entries[state + "/" + name]
                // Files that were written just now belong to root.
                if name == "state.marks" || name.hasPrefix("state.sqlite") {
                    try? owners.give(directory.staged + "/" + name, entry ?? own, mode: entry?.mode ?? 0o600)
                }
            }
        } catch {
            throw BackupFault("\(error). Nothing was changed")
        }
    }

    private func makeDirectory(_ path: String, _ entry: TarEntry, _ owners: Owners) throws {
        guard try FileTree.status(path, followsLinks: true) == nil else { return }
        try makeParents(path.parent)
        guard mkdir(path, 0o700) == 0 else { throw BackupFault("creating", path) }
        try owners.give(path, entry, mode: entry.mode)
        try FileTree.sync(path.parent)
    }

    private func makeParents(_ path: String) throws(BackupFault) {
        guard path != "/", try FileTree.status(path, followsLinks: true) == nil else { return }
        try makeParents(path.parent)
        guard mkdir(path, 0o755) == 0 else { throw BackupFault("creating", path) }
        try FileTree.sync(path.parent)
    }

    // MARK: Places

    /// - Returns: folders with the files that were set aside.
    private func commit(_ state: String) throws -> [String] {
        try at(.begin)
        if try FileTree.status(state, followsLinks: true) != nil { try RestoredState.begin(in: state) }
        var folders: [String] = []
        for directory in plan.directories {
            let staged = Set(try FileTree.names(in: directory.staged) ?? [])
            let present = (try FileTree.names(in: directory.path) ?? []).filter { name in
                !RestoredState.isOfThisBox(name) && !StateNames.isOfARestore(name)
                    && (directory.isWhole || directory.names.contains(name))
            }
            let aside = directory.path + "/" + asideName
            if !present.isEmpty, try FileTree.status(aside) == nil {
                guard mkdir(aside, 0o700) == 0 else { throw BackupFault("creating", aside) }
            }
            if !present.isEmpty { folders.append(aside) }
            // A name that stays is exchanged at once, so that no moment is without it.
            for name in present where !staged.contains(name) || directory.isWhole {
                try setAside(directory.path + "/" + name, aside + "/" + name)
            }
            // The settings file first: it leads a start to the state directory, where it finds the restore under way.
            let first = plan.manifest.settings.lastPart
            for name in staged.sorted(by: { ($0 != first ? 1 : 0, $0) < ($1 != first ? 1 : 0, $1) }) {
                let path = directory.path + "/" + name
                if !directory.isWhole, present.contains(name) { try keep(path, aside + "/" + name) }
                try at(.place(path))
                guard rename(directory.staged + "/" + name, path) == 0 else {
                    throw BackupFault("placing", path)
                }
            }
            try FileTree.sync(directory.path)
            if !present.isEmpty { try FileTree.sync(aside) }
            try FileTree.remove(directory.staged)
        }
        try at(.end)
        if RestoredState.isUnfinished(in: state) { try RestoredState.end(in: state) }
        return folders
    }

    private func setAside(_ path: String, _ aside: String) throws {
        try at(.setAside(path))
        guard rename(path, aside) == 0 else { throw BackupFault("setting aside", path) }
    }

    /// Gives a file a second name before another one takes its first; a directory, or a file on a disk without second names,
    /// is renamed.
    private func keep(_ path: String, _ aside: String) throws {
        try at(.setAside(path))
        guard link(path, aside) != 0 else { return }
        guard rename(path, aside) == 0 else { throw BackupFault("setting aside", path) }
    }

    // MARK: Report

    private func report(_ setAside: [String], _ adapters: [DeviceAddress]?) -> Report {
        let state = plan.manifest.stateDirectory
        let lost = reader.pairings.lost(with: adapters ?? [])
        var names: [DeviceAddress: String] = [:]
        if let settings = try? GatewaySettings.load(path: plan.manifest.settings) {
            for wearable in settings.wearables { names[wearable.address] = wearable.id.text }
        }
        return Report(
            setAside: setAside, hasState: plan.entries[state] != nil,
            hasOpenAlarm: AlarmStateFile.mayHoldOpenAlarm(in: state),
            pairAgain: lost.compactMap { names[$0] }.sorted(), otherPairings: lost.count { names[$0] == nil },
            adaptersUnknown: adapters == nil && !reader.pairings.adapters.isEmpty)
    }
}

/// Owners of the files of a backup on this box, by their names. Blocking I/O.
private struct Owners {
    private let users: [String: uid_t]
    private let groups: [String: gid_t]
    private let isRoot = geteuid() == 0

    /// Errors: an account that this box does not have, or that this caller may not give a file to.
    init(of entries: some Collection<TarEntry>) throws(BackupFault) {
        var (users, groups): ([String: uid_t], [String: gid_t]) = ([:], [:])
        var missing: Set<String> = []
        for name in Set(entries.map(\.user)) where !name.isEmpty {
            users[name] = Accounts.user(named: name)
            if users[name] == nil { missing.insert("the user \(name)") }
        }
        for name in Set(entries.map(\.group)) where !name.isEmpty {
            groups[name] = Accounts.group(named: name)
            if groups[name] == nil { missing.insert("the group \(name)") }
        }
        guard missing.isEmpty else {
            throw BackupFault(
                "this box has not \(missing.sorted().joined(separator: ", ")): install the packages homegateway and homegateway-console, which make their accounts. Nothing was changed"
            )
        }
        (self.users, self.groups) = (users, groups)
        guard !isRoot else { return }
        for entry in entries where owner(entry).user != geteuid() {
            throw BackupFault(
                "the files of the backup belong to \(entry.user.isEmpty ? "another user" : entry.user): use sudo. Nothing was changed"
            )
        }
    }

    private func owner(_ entry: TarEntry) -> (user: uid_t, group: gid_t) {
        (users[entry.user] ?? entry.userID, groups[entry.group] ?? entry.groupID)
    }

    func give(_ path: String, _ entry: TarEntry, mode: UInt32) throws(BackupFault) {
        let owner = owner(entry)
        if isRoot, lchown(path, owner.user, owner.group) != 0 {
            throw BackupFault("setting the owner of", path)
        }
        // After the owner: a change of the owner takes some bits away. A program of a backup never runs as its owner, and
        // nothing is open to every account; a folder that programs share keeps its group.
        let allowed: UInt32 = entry.kind == .directory ? 0o2775 : 0o775
        guard chmod(path, mode & allowed) == 0 else { throw BackupFault("setting the mode of", path) }
    }
}
