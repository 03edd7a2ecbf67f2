internal import GatewayModel

extension GatewaySettings {
    /// The name of the file, in the state directory, of devices that were added by command.
    static let devicesFileName = "devices.toml"

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
        try parse(SettingsFile.bytes(path: path), file: path, devices: devicesBytes)
    }

    /// The content of the devices file; nil where there is none.
    static func devicesBytes(path: String) throws(SettingsError) -> [UInt8]? {
        // It is nobody else's business who wears what, so the directory is not to be opened for them.
        try SettingsFile.bytesIfPresent(
            path: path,
            whenClosed: "only root and the gateway's user may enter its directory: run this as root, as in "
                + "sudo homegateway devices list")
    }

    /// The settings file alone: for whoever may not read the state directory, or must not be stopped by a
    /// mistake in it. To cancel an alarm takes no more.
    public static func loadWithoutDevices(path: String) throws(SettingsError) -> GatewaySettings {
        try parse(SettingsFile.bytes(path: path), file: path)
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

    /// Settings and what is wrong with them: of a mistake without settings, all of them by line.
    struct Judgement {
        let settings: GatewaySettings?
        let findings: [Finding]
    }

    /// Parts that were set aside, and are named elsewhere all the same.
    struct Absences {
        var hasBroker = true
        var channels: Set<ChannelID> = []
        /// A channel whose name could not be read.
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
        let findings = problems.findings.byLine + (added?.problems.findings.byLine ?? [])
        guard findings.isEmpty, let gateway, let installed, let bluetooth, let gpsd, let broker, let outbox,
            let history, let house, let sos, let commands, let race
        else { return Judgement(settings: nil, findings: findings) }
        WearableSection.warn(root, persons, wearables)
        ChannelSection.warn(root, channels.channels, persons)
        HomeAssistantSection.warn(persons, homeAssistant)
        let settings = GatewaySettings(
            gateway: gateway, installed: installed, bluetooth: bluetooth, gpsd: gpsd, broker: broker,
            outbox: outbox, history: history, house: house, homeAssistant: homeAssistant, sos: sos,
            commands: commands, race: race,
            channels: channels.channels, persons: persons.compactMap(\.person),
            wearables: wearables,
            warnings: problems.warnings.byLine + (added?.problems.warnings.byLine ?? []))
        return Judgement(settings: settings, findings: [])
    }

    /// The tree of a file. Errors: `syntax`.
    static func table(_ bytes: [UInt8], file: String) throws(SettingsError) -> TOMLTable {
        do {
            return try TOMLDocument(parsing: bytes).root
        } catch {
            throw .syntax(
                SettingsProblem(
                    file: file, line: error.position.line, column: error.position.column, key: "",
                    message: "is not TOML: \(error.message): look there and at the end of the line before; "
                        + "a text stands in straight quotes, a number without, each key and section once"))
        }
    }

    static func reader(
        _ section: Section, _ bytes: [UInt8], _ problems: Problems
    ) throws(SettingsError) -> SectionReader {
        SectionReader(section, try table(bytes, file: problems.file), at: .start, problems)
    }
}
