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
        try parse(SettingsFile.bytes(path: path), file: path) { (path: String) throws(SettingsError) in
            // It is nobody else's business who wears what, so the directory is not to be opened for them.
            try SettingsFile.bytesIfPresent(
                path: path,
                whenClosed: "only root and the gateway's user may enter its directory: run this as root, as in "
                    + "sudo homegateway devices list")
        }
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
        let problems = Problems(file: file)
        let root = try reader(RootSection.section, bytes, problems)
        let gateway = GatewaySection.read(root.child(GatewaySection.section))
        let installed = InstalledSection.read(root.child(InstalledSection.section))
        let bluetooth = BluetoothSection.read(root.child(BluetoothSection.section))
        let gpsd = GPSDSection.read(root.child(GPSDSection.section))
        let broker = BrokerSection.read(root.child(BrokerSection.section))
        let outbox = OutboxSection.read(root.child(OutboxSection.section))
        let history = HistorySection.read(root.child(HistorySection.section))
        let homeAssistant = HomeAssistantSection.read(root.child(HomeAssistantSection.section))
        let sos = HelpSection.read(root.child(HelpSection.section))
        let channels = ChannelSection.read(root)
        let persons = PersonSection.read(
            root.children(PersonSection.section), home: installed, channels: channels.known)
        let house = HouseSection.read(root.child(HouseSection.section), persons: persons)
        let commands = CommandsSection.read(root.child(CommandsSection.section))
        let race = RaceSection.read(
            root.child(RaceSection.section), trackside: bluetooth?.tracksideAdapter)
        var added: SectionReader?
        if let path = gateway.map({ devicesFile(in: $0.stateDirectory) }), let bytes = try devices(path) {
            added = try reader(DevicesRootSection.section, bytes, Problems(file: path))
        }
        let readers = [root, added].compactMap(\.self).flatMap { $0.children(WearableSection.section) }
        let wearables = WearableSection.read(readers, persons: persons)
        let found = problems.errors.byLine + (added?.problems.errors.byLine ?? [])
        guard found.isEmpty, let gateway, let installed, let bluetooth, let gpsd, let broker, let outbox,
            let history, let house, let sos, let commands, let race
        else {
            throw .problems(found)
        }
        WearableSection.warn(root, persons, wearables)
        ChannelSection.warn(root, channels.channels, persons)
        HomeAssistantSection.warn(persons, homeAssistant)
        return GatewaySettings(
            gateway: gateway, installed: installed, bluetooth: bluetooth, gpsd: gpsd, broker: broker,
            outbox: outbox, history: history, house: house, homeAssistant: homeAssistant, sos: sos,
            commands: commands, race: race,
            channels: channels.channels, persons: persons.compactMap(\.person),
            wearables: wearables,
            warnings: problems.warnings.byLine + (added?.problems.warnings.byLine ?? []))
    }

    static func reader(
        _ section: Section, _ bytes: [UInt8], _ problems: Problems
    ) throws(SettingsError) -> SectionReader {
        do {
            return SectionReader(section, try TOMLDocument(parsing: bytes).root, at: .start, problems)
        } catch {
            throw .syntax(
                SettingsProblem(
                    file: problems.file, line: error.position.line, column: error.position.column, key: "",
                    message: "is not TOML: \(error.message): look there and at the end of the line before; "
                        + "a text stands in straight quotes, a number without, each key and section once"))
        }
    }
}
