public import GatewayModel
import SettingsReading

/// `[gateway]`: the box itself.
enum GatewaySection {
    static let id = Key<GatewayID>(
        "id", .name, .required, "The name of this box in topics and at the broker.")
    static let stateDirectory = Key(
        "state_directory", .directoryPath, .standard("/var/lib/homegateway"),
        "Where the outbox and all else that survives a restart is kept. Another one has to be the gateway's own, and "
            + "the systemd unit may not write there until `systemctl edit homegateway` adds it to `ReadWritePaths=`."
    )
    // sun_path in unix(7) holds 108 bytes, the last of them NUL.
    static let controlSocket = Key(
        "control_socket", .filePath(bytes: 107, content: .free),
        .standard(.string(GatewaySettings.Gateway.standardControlSocket)),
        "Where the command line reaches the running gateway.")
    static let consoleSocket = Key(
        "console_socket", .filePath(bytes: 107, content: .free),
        .optional("`console.sock` beside `control_socket`"),
        "Where the console, the process with the pages, reaches the running gateway.")
    static let logLevel = Key<GatewaySettings.LogLevel>(
        "log_level", .choice, .standard("info"), "The least serious messages that are logged.")

    // 10 s tells of a dead box as fast as anybody could act on it; a day is a sign of life and no more.
    static let heartbeat = Key(
        "heartbeat_seconds", .wholeSeconds(10...86400), .standard(60),
        "How often a heartbeat is sent, once anyone has accepted the data policy.")

    static let section = Section(
        ["gateway"], isRequired: true, "The box itself.",
        keys: [id, stateDirectory, controlSocket, consoleSocket, logLevel, heartbeat],
        // A misspelt key may be the state directory: bonds and open alarms would be looked for elsewhere.
        cost: .grave(.key),
        costs: [
            id.name: .grave(.none), stateDirectory.name: .grave(.none), logLevel.name: .key,
            heartbeat.name: .key,
        ])

    static func read(_ reader: SectionReader) -> GatewaySettings.Gateway? {
        let id = reader.value(id)
        let stateDirectory = reader.value(stateDirectory)
        let controlSocket = reader.value(controlSocket)
        let written = reader.value(consoleSocket)
        let logLevel = reader.value(logLevel)
        let heartbeat = reader.value(heartbeat)
        guard let id, let stateDirectory, let controlSocket, let logLevel, let heartbeat else { return nil }
        if written == controlSocket {
            reader.report(
                "saw the path of control_socket, expected another one: the console's socket has rights of its own; "
                    + "write another path, or remove it", consoleSocket.name)
            return nil
        }
        guard written != nil || !reader.isWritten(consoleSocket) else { return nil }
        return GatewaySettings.Gateway(
            id: id, stateDirectory: stateDirectory, controlSocket: controlSocket,
            consoleSocket: written ?? GatewaySettings.Gateway.consoleSocket(beside: controlSocket),
            logLevel: logLevel, heartbeat: heartbeat)
    }
}

extension GatewaySettings {
    public struct Gateway: Hashable, Sendable {
        /// Path of the control socket where the settings name none.
        public static let standardControlSocket = "/run/homegateway/control.sock"

        /// Path of the console's socket where the settings name none.
        public static func consoleSocket(beside controlSocket: String) -> String {
            controlSocket.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
                separator: "/")
                + "/console.sock"
        }

        public let id: GatewayID
        /// Absolute.
        public let stateDirectory: String
        /// Absolute; short enough for a socket address.
        public let controlSocket: String
        /// Absolute. Whether it is short enough is seen when it is made.
        public let consoleSocket: String
        public let logLevel: LogLevel
        public let heartbeat: Duration
    }

    /// The levels of swift-log, by their names.
    public enum LogLevel: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }
}
