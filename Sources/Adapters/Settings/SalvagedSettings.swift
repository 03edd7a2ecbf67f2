internal import GatewayModel
import Glibc
public import SettingsReading

/// The usable parts of settings files with mistakes.
///
/// The smallest part that a mistake costs (`MistakeCost`) is taken out of the tree, and the rest is checked anew by the
/// same rules as a file without mistakes: every used value has passed every check.
public struct SalvagedSettings: Sendable {
    /// One mistake, and the part that is set aside for it.
    public struct SetAside: Hashable, Sendable {
        public let problem: SettingsProblem
        /// The part that is left out: `[[wearable]] "strap"`, `house.loudness_max`.
        public let part: String
        /// Somebody may be watched less, or called less, for it.
        public let concernsHelp: Bool

        public init(problem: SettingsProblem, part: String, concernsHelp: Bool) {
            self.problem = problem
            self.part = part
            self.concernsHelp = concernsHelp
        }
    }

    /// Nil where nobody can be watched by the remaining settings.
    public let settings: GatewaySettings?
    public let setAside: [SetAside]
    /// The remaining settings would weaken safety or security: earlier settings are better.
    public let isGrave: Bool
    /// Contents of both files; nil where the settings file could not be read.
    public let copy: SettingsCopy?
    /// The settings file without the parts that are set aside; nil where `settings` is.
    let remaining: TOMLTable?
    /// Why the devices file could not be read; nil where it could.
    public let devicesDamage: SettingsProblem?

    /// Reads both files. Blocking I/O.
    ///
    /// - Parameter earlier: the devices file of the last settings that worked, in a state directory. It takes the place
    ///   of one that cannot be read.
    public init(path: String, earlierDevices earlier: (_ stateDirectory: String) -> [UInt8]? = { _ in nil }) {
        let bytes: [UInt8]
        do throws(SettingsError) {
            bytes = try SettingsFile.bytes(path: path, of: .gateway)
        } catch {
            self.init(failure: error, file: path)
            return
        }
        let directory = GatewaySettings.stateDirectory(in: bytes, file: path)
        var devices: [UInt8]?
        var damage: SettingsProblem?
        let devicesPath = GatewaySettings.devicesFile(in: directory)
        do throws(SettingsError) {
            devices = try GatewaySettings.devicesBytes(path: devicesPath)
            if let devices { _ = try GatewaySettings.table(devices, file: devicesPath) }
        } catch {
            damage = error.problems(in: devicesPath).first
            devices = earlier(directory)
        }
        self.init(SettingsCopy(file: path, settings: bytes, devices: devices), damage: damage)
    }

    /// - Parameter damage: why the devices are not those of the file.
    public init(_ copy: SettingsCopy, damage: SettingsProblem? = nil) {
        var salvage = Salvage()
        if let damage {
            let part = copy.devices == nil ? "the devices file" : "the devices file; an earlier one is used"
            salvage.setAside.append(SetAside(problem: damage, part: part, concernsHelp: true))
        }
        do throws(SettingsError) {
            let root = try GatewaySettings.table(copy.settings, file: copy.file)
            let path = GatewaySettings.devicesFile(
                in: GatewaySettings.stateDirectory(in: copy.settings, file: copy.file))
            let devices = try copy.devices.map { bytes throws(SettingsError) in
                try GatewaySettings.table(bytes, file: path)
            }
            settings = try salvage.run(root, file: copy.file, devices: devices)
        } catch {
            settings = nil
            salvage.setAside += error.problems(in: copy.file).map {
                SetAside(problem: $0, part: "the whole file", concernsHelp: true)
            }
            salvage.isGrave = true
        }
        setAside = salvage.setAside.sorted {
            ($0.problem.file, $0.problem.line, $0.problem.key) < (
                $1.problem.file, $1.problem.line, $1.problem.key
            )
        }
        (isGrave, self.copy, devicesDamage) = (salvage.isGrave, copy, damage)
        remaining = salvage.remaining
    }

    private init(failure: SettingsError, file: String) {
        settings = nil
        setAside = failure.problems(in: file).map {
            SetAside(problem: $0, part: "the whole file", concernsHelp: true)
        }
        (isGrave, copy, devicesDamage, remaining) = (true, nil, nil, nil)
    }

    public var problems: [SettingsProblem] { setAside.map(\.problem) }
}

extension SettingsError {
    /// As mistakes with a place; of a file that cannot be read, its first line.
    public func problems(in file: String) -> [SettingsProblem] {
        switch self {
        case .unreadable(let path, let reason):
            [SettingsProblem(file: path, line: 1, column: nil, key: "", message: reason)]
        case .syntax(let problem): [problem]
        case .problems(let problems): problems
        }
    }
}

extension GatewaySettings {
    /// As `stateDirectory(in:file:)`; the default of a file that cannot be read. Blocking I/O.
    public static func stateDirectory(of path: String) -> String {
        (try? SettingsFile.bytes(path: path, of: .gateway)).map { stateDirectory(in: $0, file: path) }
            ?? defaultStateDirectory
    }

    /// The state directory as far as the file tells, also one that is not TOML: the last settings that worked lie there.
    public static func stateDirectory(in bytes: [UInt8], file: String) -> String {
        let key = GatewaySection.stateDirectory
        if let root = try? table(bytes, file: file) {
            guard case .table(let gateway)? = root[GatewaySection.section.name]?.value,
                let node = gateway[key.name], case .accepted(let path) = key.form.judge(node.value)
            else { return defaultStateDirectory }
            return path
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == key.name else { continue }
            let text = parts[1].split(separator: "\"", omittingEmptySubsequences: false)
            if text.count >= 2, case .accepted(let path) = key.form.judge(.string(String(text[1]))) {
                return path
            }
        }
        return defaultStateDirectory
    }

    /// Where the service manager made one, else the default of the settings.
    public static var defaultStateDirectory: String {
        // Several are separated by colons (systemd.exec(5)).
        if let path = getenv("STATE_DIRECTORY") {
            if let first = String(cString: path).split(separator: ":").first { return String(first) }
        }
        guard case .standard(.string(let path)) = GatewaySection.stateDirectory.presence else { return "/" }
        return path
    }
}

/// Takes parts with mistakes out of the trees of both files, until the rest passes every check.
private struct Salvage {
    var setAside: [SalvagedSettings.SetAside] = []
    var isGrave = false
    /// The tree that has passed every check; nil where none has.
    private(set) var remaining: TOMLTable?
    private var absences = GatewaySettings.Absences()
    /// Headers of the repeated sections of which an entry was taken out.
    private var thinned: Set<String> = []

    private struct Trees {
        var root: TOMLTable
        var devices: TOMLTable?
    }

    /// Each round takes out at least one part; a house has fewer than this.
    private static let mostRounds = 1_000

    mutating func run(
        _ root: TOMLTable, file: String, devices: TOMLTable?
    ) throws(SettingsError) -> GatewaySettings? {
        var trees = Trees(root: root, devices: devices)
        for _ in 0..<Self.mostRounds {
            let verdict = try GatewaySettings.judge(trees.root, file: file, without: absences) { _ in
                trees.devices
            }
            if let settings = verdict.settings {
                remaining = trees.root
                return settings
            }
            guard takeOut(verdict.findings, from: &trees, file) else { return nil }
        }
        return nil
    }

    /// A section or entry that is taken out, and the mistakes that ask for it.
    private struct Entry {
        let section: Section
        let path: [TOMLStep]
        let isOfDevices: Bool
        var findings: [Finding]

        /// The deepest first, then the last: taking one out moves no other that is still to come.
        static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
            guard left.path.count == right.path.count else { return left.path.count > right.path.count }
            return right.path.map(\.index).lexicographicallyPrecedes(left.path.map(\.index))
        }
    }

    /// - Returns: whether there is less than before.
    private mutating func takeOut(_ findings: [Finding], from trees: inout Trees, _ file: String) -> Bool {
        var isProgress = false
        var entries: [Entry] = []
        for finding in findings {
            let isOfDevices = finding.problem.file != file
            guard let place = finding.place else {
                note(finding, part: "the whole file", isGrave: true)
                return false
            }
            let cost = Self.cost(of: place)
            isGrave = isGrave || cost.isGrave
            // Where all entries of a section were taken out before, that it is missing is no mistake of the file.
            if isEmptied(place) { continue }
            guard cost.part != .none else {
                note(finding, part: "the whole file", isGrave: true)
                return false
            }
            var tree = isOfDevices ? trees.devices ?? TOMLTable() : trees.root
            if let part = takeKeys(of: place, cost, from: &tree) {
                if isOfDevices { trees.devices = tree } else { trees.root = tree }
                note(finding, part: part, isGrave: cost.isGrave)
                isProgress = true
                continue
            }
            let (section, path) = Self.entry(of: place, cost)
            let same = entries.firstIndex { $0.path == path && $0.isOfDevices == isOfDevices }
            if let same {
                entries[same].findings.append(finding)
            } else {
                entries.append(
                    Entry(section: section, path: path, isOfDevices: isOfDevices, findings: [finding]))
            }
        }
        for entry in entries.sorted(by: Entry.isBefore) {
            var tree = entry.isOfDevices ? trees.devices ?? TOMLTable() : trees.root
            let part = takeEntry(entry.section, entry.path, from: &tree)
            if entry.isOfDevices { trees.devices = tree } else { trees.root = tree }
            isProgress = isProgress || part != nil
            for finding in entry.findings {
                let isGrave = part == nil || finding.place.map { Self.cost(of: $0).isGrave } ?? true
                note(finding, part: part ?? "the whole file", isGrave: isGrave)
            }
        }
        return isProgress
    }

    private func isEmptied(_ place: Finding.Place) -> Bool {
        Self.child(of: place).map { thinned.contains($0.header) } ?? false
    }

    private static func entry(of place: Finding.Place, _ cost: MistakeCost) -> (Section, [TOMLStep]) {
        if cost.part == .person, let person = place.path.first { return (PersonSection.section, [person]) }
        if let child = child(of: place) { return (child, place.path + [.key(place.key)]) }
        return (place.section, place.path)
    }

    /// A place that names a section means that section.
    private static func child(of place: Finding.Place) -> Section? {
        guard !place.section.keys.contains(where: { $0.name == place.key }) else { return nil }
        return place.section.children.first { $0.name == place.key }
    }

    private static func cost(of place: Finding.Place) -> MistakeCost {
        if let child = child(of: place) { return child.cost }
        return place.section.costs[place.key] ?? place.section.cost
    }

    private mutating func note(_ finding: Finding, part: String, isGrave: Bool) {
        self.isGrave = self.isGrave || isGrave
        let root = finding.place?.path.first?.name ?? finding.place?.key ?? ""
        setAside.append(
            SalvagedSettings.SetAside(
                problem: finding.problem, part: part, concernsHelp: isGrave || Self.ofHelp.contains(root)))
    }

    private static let ofHelp: Set = ["wearable", "channel", "person", "broker", "bluetooth"]

    /// - Returns: the removed part; nil where the entry as a whole has to be removed.
    private func takeKeys(
        of place: Finding.Place, _ cost: MistakeCost, from tree: inout TOMLTable
    ) -> String? {
        // A section that cannot be read at all, as it stands where a key would.
        guard Self.child(of: place) == nil else { return nil }
        let full = place.section.full(place.key)
        switch cost.part {
        case .key:
            return takeKeys([place.key], of: place.section, at: place.path, from: &tree) ? full : nil
        case .keys(let names):
            guard takeKeys(names, of: place.section, at: place.path, from: &tree) else { return nil }
            return "\(names.joined(separator: ", ")) of \(place.section.header)"
        case .elements:
            if let part = takeElements(place, from: &tree) { return part }
            guard !cost.isGrave, !isNeeded(place) else { return nil }
            return takeKeys([place.key], of: place.section, at: place.path, from: &tree) ? full : nil
        case .entry, .person, .none: return nil
        }
    }

    /// Without the key the section says less than it has to.
    private func isNeeded(_ place: Finding.Place) -> Bool {
        place.section.cost.part == .entry
    }

    private func takeKeys(
        _ names: [String], of section: Section, at path: [TOMLStep], from tree: inout TOMLTable
    ) -> Bool {
        var isDone = false
        tree.change(at: path[...]) { table in
            for name in names {
                let isThere = table[name] != nil
                table.remove(name)
                if let substitute = section.substitutes[name] {
                    table.set(name, to: substitute)
                    isDone = true
                }
                isDone = isDone || isThere
            }
        }
        return isDone
    }

    private func takeElements(_ place: Finding.Place, from tree: inout TOMLTable) -> String? {
        guard let key = place.section.keys.first(where: { $0.name == place.key }) else { return nil }
        var part: String?
        tree.change(at: place.path[...]) { table in
            guard let node = table[place.key], case .array(let all) = node.value else { return }
            let right = key.rightElements(of: node.value)
            guard !right.isEmpty, right.count < all.count else { return }
            table.remove(place.key)
            table.set(place.key, to: .array(right), at: node.position)
            part = "\(all.count - right.count) of \(all.count) in \(place.section.full(place.key))"
        }
        return part
    }

    private mutating func takeEntry(
        _ section: Section, _ path: [TOMLStep], from tree: inout TOMLTable
    ) -> String? {
        guard let last = path.last else { return nil }
        let title = Self.title(section, tree.table(at: path[...]))
        if section.name == "channel", path.count == 1 { noteChannel(tree.table(at: path[...])) }
        var isDone = false
        tree.change(at: path.dropLast()) { parent in
            isDone = parent.remove(last)
            // An array of entries that is missing as a whole has nothing to substitute.
            guard !section.repeats, !section.substitutes.isEmpty, case .key(let name) = last else { return }
            let entries = section.substitutes.map { key, value in
                TOMLTable.Entry(key: key, node: TOMLNode(value: value, position: .start))
            }
            parent.set(name, to: .table(TOMLTable(entries: entries)))
            isDone = true
        }
        if section.title == BrokerSection.section.title, path.count == 1, absences.hasBroker {
            absences.hasBroker = false
            isDone = true
        }
        if isDone, section.repeats { thinned.insert(section.header) }
        return isDone ? title : nil
    }

    /// Persons go on naming a channel that was set aside: it is the one to be called once it is mended.
    private mutating func noteChannel(_ table: TOMLTable?) {
        guard case .string(let text)? = table?[ChannelSection.id.name]?.value, let id = ChannelID(text) else {
            absences.isAnyChannelNameless = true
            return
        }
        absences.channels.insert(id)
    }

    private static func title(_ section: Section, _ table: TOMLTable?) -> String {
        section.header + (section.name(in: table).map { " " + $0 } ?? "")
    }
}

extension TOMLTable {
    func table(at path: ArraySlice<TOMLStep>) -> TOMLTable? {
        guard let step = path.first else { return self }
        switch (step, self[step.name]?.value) {
        case (.key, .table(let table)?): return table.table(at: path.dropFirst())
        case (.element(_, let index), .array(let nodes)?) where nodes.indices.contains(index):
            guard case .table(let table) = nodes[index].value else { return nil }
            return table.table(at: path.dropFirst())
        default: return nil
        }
    }

    /// Does nothing where there is no such table. A section that is not written is made.
    mutating func change(at path: ArraySlice<TOMLStep>, _ body: (inout TOMLTable) -> Void) {
        guard let step = path.first else { return body(&self) }
        let node = self[step.name]
        switch (step, node?.value) {
        case (.key(let name), .table(var table)?):
            table.change(at: path.dropFirst(), body)
            set(name, to: .table(table), at: node?.position ?? .start)
        case (.key(let name), nil):
            var table = TOMLTable()
            table.change(at: path.dropFirst(), body)
            if !table.entries.isEmpty { set(name, to: .table(table)) }
        case (.element(let name, let index), .array(var nodes)?) where nodes.indices.contains(index):
            guard case .table(var table) = nodes[index].value else { return }
            table.change(at: path.dropFirst(), body)
            nodes[index] = TOMLNode(value: .table(table), position: nodes[index].position)
            set(name, to: .array(nodes), at: node?.position ?? .start)
        default: return
        }
    }

    mutating func remove(_ key: String) {
        entries.removeAll { $0.key == key }
    }

    /// - Returns: whether it was there.
    mutating func remove(_ step: TOMLStep) -> Bool {
        switch (step, self[step.name]?.value) {
        case (.key(let name), .some):
            remove(name)
            return true
        case (.element(let name, let index), .array(var nodes)?) where nodes.indices.contains(index):
            let position = self[name]?.position ?? .start
            nodes.remove(at: index)
            // Of an array without elements nothing is left: as if it were not written.
            if nodes.isEmpty { remove(name) } else { set(name, to: .array(nodes), at: position) }
            return true
        default: return false
        }
    }

    mutating func set(_ key: String, to value: TOMLValue, at position: TOMLPosition = .start) {
        let entry = Entry(key: key, node: TOMLNode(value: value, position: position))
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return entries.append(entry) }
        entries[index] = entry
    }
}
