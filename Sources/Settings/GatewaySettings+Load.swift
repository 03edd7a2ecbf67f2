extension GatewaySettings {
    /// Reads and checks the settings file.
    ///
    /// - Throws: `unreadable`, else `syntax` with the first place that is not TOML, else `problems`
    ///   with everything that is wrong. A bad value is never replaced by a default.
    public static func load(path: String) throws(SettingsError) -> GatewaySettings {
        try parse(SettingsFile.bytes(path: path), file: path)
    }

    /// Checks the content of a settings file. `file` is only for messages.
    public static func parse(_ bytes: [UInt8], file: String) throws(SettingsError) -> GatewaySettings {
        let document: TOMLDocument
        do {
            document = try TOMLDocument(parsing: bytes)
        } catch {
            throw .syntax(
                SettingsProblem(
                    file: file, line: error.position.line, column: error.position.column, key: "",
                    message: "is not TOML: \(error.message)"))
        }
        return try read(document, Problems(file: file))
    }

    private static func read(
        _ document: TOMLDocument, _ problems: Problems
    ) throws(SettingsError) -> GatewaySettings {
        let root = SectionReader(RootSection.section, document.root, at: .start, problems)
        let gateway = GatewaySection.read(root.child(GatewaySection.section))
        let installed = InstalledSection.read(root.child(InstalledSection.section))
        let bluetooth = BluetoothSection.read(root.child(BluetoothSection.section))
        let gpsd = GPSDSection.read(root.child(GPSDSection.section))
        let broker = BrokerSection.read(root.child(BrokerSection.section))
        let persons = PersonSection.read(root.children(PersonSection.section))
        let wearables = WearableSection.read(root, persons: persons)

        guard problems.errors.isEmpty, let gateway, let installed, let bluetooth, let gpsd, let broker else {
            throw .problems(problems.errors.byLine)
        }
        return GatewaySettings(
            gateway: gateway, installed: installed, bluetooth: bluetooth, gpsd: gpsd, broker: broker,
            persons: persons.compactMap(\.person), wearables: wearables,
            warnings: problems.warnings.byLine)
    }
}
