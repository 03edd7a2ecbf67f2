import AmbulanceService
import CareCentre
import GatewayModel
import HelpLine
import Logging
import ServiceLifecycle
import Settings
import TextMessages

/// The ways to help that the settings name, besides the broker. They run, and stop, side by side: together they
/// take no longer to end than one of them may, `HelpChannelLimits.stop`.
final class HelpChannels: Service {
    let all: [any HelpChannel]

    /// Opens no connection.
    ///
    /// Errors: `SettingsError` with every channel that cannot be made (a file that is missing or does not fit):
    /// an alarm must not find out. Whatever the system refuses, as it is.
    init(
        _ settings: GatewaySettings, log: Logger, reports: (ChannelID) -> ChannelReports
    ) throws {
        var problems: [SettingsProblem] = []
        var channels: [any HelpChannel] = []
        for channel in settings.channels {
            do {
                channels.append(
                    try Self.make(
                        channel, of: settings.gateway.id, log: log, reports: reports(channel.id)))
            } catch {
                guard Self.isMistake(error) else { throw error }
                problems.append(channel.problem("\(error)"))
            }
        }
        guard problems.isEmpty else { throw SettingsError.problems(problems) }
        all = channels
    }

    /// One alone: to see whether it can be made.
    static func make(
        _ channel: GatewaySettings.Channel, of gateway: GatewayID, log: Logger, reports: ChannelReports
    ) throws -> any HelpChannel {
        switch channel.way {
        case .https(let way):
            return try HTTPSChannel(
                HTTPSChannel.Settings(way, id: channel.id, sender: gateway.text), reports: reports,
                ignored: { alarm, reason in
                    log.warning(
                        "an answer is not believed",
                        metadata: [
                            "channel": "\(channel.id)", "alarm": "\(alarm)", "reason": "\(reason)",
                        ])
                })
        case .scaip(let way):
            return try SCAIPChannel(
                settings: SCAIPChannel.Settings(way, id: channel.id), reports: reports,
                onNote: { note in
                    let level: Logger.Level = if case .registered = note { .info } else { .warning }
                    log.log(
                        level: level, "care centre",
                        metadata: ["channel": "\(channel.id)", "note": "\(note)"])
                })
        case .sms(let way):
            return try TextMessagesChannel(
                TextMessagesChannel.Settings(way, id: channel.id), reports: reports,
                onNote: { note in
                    log.warning(
                        "text messages",
                        metadata: [
                            "channel": "\(channel.id)", "alarm": "\(note.alarm)", "note": "\(note)",
                        ])
                })
        }
    }

    /// What the installer mends, not the system.
    private static func isMistake(_ error: any Error) -> Bool {
        switch error {
        case AmbulanceServiceError.unusableSetting, AmbulanceServiceError.unusableFile,
            SCAIPError.unusableSetting, TextMessagesError.unusableSetting:
            true
        default: false
        }
    }

    func run() async throws {
        guard !all.isEmpty else { return try await gracefulShutdown() }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await withThrowingTaskGroup { group in
                for channel in all { group.addTask { try await channel.run() } }
                try await group.waitForAll()
            }
        } onCancelOrGracefulShutdown: { [all] in
            for channel in all { channel.stop() }
        }
    }
}

extension GatewaySettings.Channel {
    fileprivate func problem(_ message: String) -> SettingsProblem {
        SettingsProblem(
            file: place.file, line: place.line, column: nil, key: "channel",
            message: "\"\(id)\" cannot be used. \(message)")
    }
}
