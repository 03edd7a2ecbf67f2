internal import GatewayModel

/// `[gateway]`: the box itself.
enum GatewaySection {
    static let id = Key<GatewayID>(
        "id", .name, .required, "The name of this box in topics and at the broker.")
    static let stateDirectory = Key(
        "state_directory", .directoryPath, .standard("/var/lib/homegateway"),
        "Where the outbox and all else that survives a restart is kept.")
    // sun_path in unix(7) holds 108 bytes, the last of them NUL.
    static let controlSocket = Key(
        "control_socket", .filePath(bytes: 107), .standard("/run/homegateway/control.sock"),
        "Where the command line reaches the running gateway.")
    static let logLevel = Key<GatewaySettings.LogLevel>(
        "log_level", .choice, .standard("info"), "The least serious messages that are logged.")

    static let section = Section(
        ["gateway"], isRequired: true, "The box itself.", keys: [id, stateDirectory, controlSocket, logLevel])

    static func read(_ reader: SectionReader) -> GatewaySettings.Gateway? {
        let id = reader.value(id)
        let stateDirectory = reader.value(stateDirectory)
        let controlSocket = reader.value(controlSocket)
        let logLevel = reader.value(logLevel)
        guard let id, let stateDirectory, let controlSocket, let logLevel else { return nil }
        return GatewaySettings.Gateway(
            id: id, stateDirectory: stateDirectory, controlSocket: controlSocket, logLevel: logLevel)
    }
}
