public import GatewayModel
public import SettingsReading

/// Everything one gateway is told by its settings files: checked as a whole, nothing left to guess.
public struct GatewaySettings: Hashable, Sendable {
    /// Path of the settings file of an installed gateway.
    public static let standardFile = "/etc/homegateway/gateway.toml"

    public let gateway: Gateway
    public internal(set) var installed: InstalledPlace
    public let bluetooth: Bluetooth
    public let gpsd: GPSD
    public internal(set) var broker: Broker
    public let outbox: Outbox
    public let history: History
    public internal(set) var location: Location
    public internal(set) var house: House
    /// Nil where the home has no dashboard, or none that is written down.
    public let homeAssistant: HomeAssistant?
    public internal(set) var sos: SOS
    public let commands: Commands
    public let race: Race
    /// The ways to help besides the broker; ids differ.
    public internal(set) var channels: [Channel]
    /// At least one; ids differ.
    public internal(set) var persons: [Person]
    /// Of both files; ids and addresses differ; each belongs to one of `persons`.
    public internal(set) var wearables: [Wearable]
    /// Programs that hand over readings; ids differ, also from those of the wearables; each belongs to one of `persons`.
    public internal(set) var sources: [Source]
    /// Allowed, and yet doubtful. By line.
    public internal(set) var warnings: [SettingsProblem]
}

extension GatewaySettings {
    /// The name of the file, in the state directory, of devices that were added by command.
    private static let devicesFileName = "devices.toml"

    /// Where devices that were added by command are kept.
    public var devicesFile: String { GatewaySettings.devicesFile(in: gateway.stateDirectory) }

    static func devicesFile(in stateDirectory: String) -> String {
        (stateDirectory.hasSuffix("/") ? stateDirectory : stateDirectory + "/") + devicesFileName
    }

    /// Reads and checks the settings file, and the devices that were added by command.
    ///
    /// - Throws: `unreadable`, else `syntax` with the first place that is not TOML, else `problems`
    ///   with everything that is wrong in both files. A bad value is never replaced by a default. A
    ///   devices file that does not exist is no mistake; one that cannot be read is.
    public static func load(path: String) throws(SettingsError) -> GatewaySettings {
        try parse(SettingsFile.bytes(path: path, of: .gateway), file: path, devices: devicesBytes).warning(
            of: path)
    }

    /// The same with a warning where others can change the file. No start is refused for it: nobody would be watched.
    private func warning(of path: String) -> GatewaySettings {
        guard let danger = SettingsFiles.danger(of: path) else { return self }
        var settings = self
        settings.warnings.insert(
            SettingsProblem(file: path, line: 1, column: nil, key: "", message: danger), at: 0)
        return settings
    }

    /// The content of the devices file; nil where there is none.
    static func devicesBytes(path: String) throws(SettingsError) -> [UInt8]? {
        // Other users must not read the list of wearers, so the advice is not to open the directory.
        try SettingsFile.bytesIfPresent(
            path: path, of: .gateway,
            whenClosed: "only root and the gateway's user may enter its directory: run this as root, as in "
                + "sudo homegateway devices list")
    }

    /// The settings file alone: for a user that may not read the state directory, or must not be stopped by a
    /// mistake in it. To cancel an alarm takes no more.
    public static func loadWithoutDevices(path: String) throws(SettingsError) -> GatewaySettings {
        try parse(SettingsFile.bytes(path: path, of: .gateway), file: path)
    }

    /// Checks the content of a settings file. `file` is only for messages.
    public static func parse(_ bytes: [UInt8], file: String) throws(SettingsError) -> GatewaySettings {
        try parse(bytes, file: file) { _ in nil }
    }

    /// - Parameter devices: the content of the devices file at that path, nil where there is none. Not asked
    ///   where the state directory is not known.
    static func parse(
        _ bytes: [UInt8], file: String, devices: (_ path: String) throws(SettingsError) -> [UInt8]?
    ) throws(SettingsError) -> GatewaySettings {
        let root = try table(bytes, file: file)
        let verdict = try judge(root, file: file) { (path: String) throws(SettingsError) in
            guard let bytes = try devices(path) else { return nil }
            return try table(bytes, file: path)
        }
        guard let settings = verdict.settings, verdict.findings.isEmpty else {
            throw .problems(verdict.findings.map(\.problem))
        }
        return settings
    }

    /// Settings with their faults: of a mistake without settings, all of them by line.
    struct Judgement {
        let settings: GatewaySettings?
        let findings: [Finding]
    }

    /// Parts that were set aside, and are named elsewhere all the same.
    struct Absences {
        var hasBroker = true
        var channels: Set<ChannelID> = []
        /// The name of a channel could not be read.
        var isAnyChannelNameless = false
    }

    /// Checks the trees of both files.
    static func judge(
        _ root: TOMLTable, file: String, without absences: Absences = Absences(),
        devices: (_ path: String) throws(SettingsError) -> TOMLTable?
    ) throws(SettingsError) -> Judgement {
        let problems = Problems(file: file)
        let root = SectionReader(RootSection.section, root, at: .start, problems)
        let gateway = GatewaySection.read(root.child(GatewaySection.section))
        let installed = InstalledSection.read(root.child(InstalledSection.section))
        let bluetooth = BluetoothSection.read(root.child(BluetoothSection.section))
        let gpsd = GPSDSection.read(root.child(GPSDSection.section))
        let broker =
            absences.hasBroker ? BrokerSection.read(root.child(BrokerSection.section)) : Broker.setAside
        let outbox = OutboxSection.read(root.child(OutboxSection.section))
        let history = HistorySection.read(root.child(HistorySection.section))
        let location = LocationSection.read(root.child(LocationSection.section))
        let homeAssistant = HomeAssistantSection.read(root.child(HomeAssistantSection.section))
        let sos = HelpSection.read(root.child(HelpSection.section))
        let channels = ChannelSection.read(root)
        let known = absences.isAnyChannelNameless ? nil : channels.known.map { $0 + absences.channels }
        let persons = PersonSection.read(
            root.children(PersonSection.section), home: installed, channels: known)
        let house = HouseSection.read(root.child(HouseSection.section), persons: persons)
        let commands = CommandsSection.read(root.child(CommandsSection.section))
        let race = RaceSection.read(
            root.child(RaceSection.section), trackside: bluetooth?.tracksideAdapter)
        var added: SectionReader?
        if let path = gateway.map({ devicesFile(in: $0.stateDirectory) }), let table = try devices(path) {
            added = SectionReader(DevicesRootSection.section, table, at: .start, Problems(file: path))
        }
        let readers = [root, added].compactMap(\.self).flatMap { $0.children(WearableSection.section) }
        let wearables = WearableSection.read(readers, persons: persons)
        let sources = SourceSection.read(
            root.children(SourceSection.section), gateway: gateway, persons: persons, wearables: wearables)
        let findings = problems.findings.byLine + (added?.problems.findings.byLine ?? [])
        guard findings.isEmpty, let gateway, let installed, let bluetooth, let gpsd, let broker, let outbox,
            let history, let location, let house, let sos, let commands, let race
        else { return Judgement(settings: nil, findings: findings) }
        WearableSection.warn(root, persons, wearables)
        ChannelSection.warn(root, channels.channels, persons)
        HomeAssistantSection.warn(persons, homeAssistant)
        let settings = GatewaySettings(
            gateway: gateway, installed: installed, bluetooth: bluetooth, gpsd: gpsd, broker: broker,
            outbox: outbox, history: history, location: location, house: house,
            homeAssistant: homeAssistant, sos: sos, commands: commands, race: race,
            channels: channels.channels, persons: persons.compactMap(\.person),
            wearables: wearables, sources: sources,
            warnings: problems.warnings.byLine + (added?.problems.warnings.byLine ?? []))
        return Judgement(settings: settings, findings: [])
    }

    /// The tree of a file. Errors: `syntax`.
    static func table(_ bytes: [UInt8], file: String) throws(SettingsError) -> TOMLTable {
        try SettingsFile.table(bytes, file: file, of: RootSection.section)
    }
}

extension SettingsFile.Kind {
    /// The settings file of a gateway.
    static let gateway = SettingsFile.Kind(
        whenAbsent: "check the path, or answer the questions of: sudo homegateway init", group: "homegateway")
}

/// Parts of new settings that a running gateway applies.
extension GatewaySettings {
    /// The same without some wearables.
    public func without(wearables gone: Set<DeviceID>) -> GatewaySettings {
        var settings = self
        settings.wearables.removeAll { gone.contains($0.id) }
        return settings
    }

    /// These settings, with all of `fresh` that can change while the gateway runs: persons, wearables, sources, channels,
    /// broker, the place, sampling of positions, the tests of channels, waking hours.
    public func following(_ fresh: GatewaySettings) -> GatewaySettings {
        var settings = self
        settings.installed = fresh.installed
        settings.broker = fresh.broker
        settings.channels = fresh.channels
        settings.persons = fresh.persons
        settings.wearables = fresh.wearables
        settings.sources = fresh.sources
        settings.location = fresh.location
        settings.warnings = fresh.warnings
        settings.sos = SOS(
            channelTests: fresh.sos.channelTests, buttonTests: fresh.sos.buttonTests,
            noticesAfter: fresh.sos.noticesAfter, drill: sos.drill)
        settings.house = house.with(fresh.house.wakingHours)
        return settings
    }

    /// The same with more persons and channels, for alarms that are still open.
    public func with(persons more: [Person], channels others: [Channel]) -> GatewaySettings {
        var settings = self
        settings.persons += more
        settings.channels = others
        return settings
    }

    /// Changed parts of `fresh` that are read at a start only.
    public func partsForRestart(_ fresh: GatewaySettings) -> [String] {
        var parts: [String] = []
        func compare<Value: Equatable>(_ part: String, _ value: (GatewaySettings) -> Value) {
            if value(self) != value(fresh) { parts.append(part) }
        }
        compare("gateway.id") { $0.gateway.id }
        compare("gateway.state_directory") { $0.gateway.stateDirectory }
        compare("gateway.control_socket") { $0.gateway.controlSocket }
        compare("gateway.log_level") { $0.gateway.logLevel }
        compare("gateway.heartbeat_seconds") { $0.gateway.heartbeat }
        compare("[bluetooth]") { $0.bluetooth }
        compare("[gpsd]") { $0.gpsd }
        compare("[outbox]") { $0.outbox }
        compare("[history]") { $0.history }
        compare("[house]") { $0.house.with(house.wakingHours) }
        compare("[home_assistant]") { $0.homeAssistant }
        compare("[sos.drill]") { $0.sos.drill }
        compare("[commands]") { $0.commands.anywhere }
        compare("[race]") { $0.race }
        return parts
    }
}

/// The whole file.
enum RootSection {
    static let section = Section(
        [], "The settings of one gateway.",
        children: [
            GatewaySection.section, InstalledSection.section, BluetoothSection.section, GPSDSection.section,
            BrokerSection.section, OutboxSection.section, HistorySection.section, LocationSection.section,
            HouseSection.section,
            HomeAssistantSection.section, HelpSection.section, CommandsSection.section, RaceSection.section,
            PersonSection.section,
            WearableSection.section, SourceSection.section,
        ] + ChannelSection.variants.map(\.section))
}

/// The whole file that the command line writes.
enum DevicesRootSection {
    static let section = Section([], "The devices added by command.", children: [WearableSection.section])
}
