import Alarms
import AmbulanceService
import GatewayModel
import HelpLine
import Hub
import Logging
import RealTime
import Settings
import SettingsService
import TextMessages

/// The ways to call for help. Nothing is said through them: nobody at their other end notices.
extension Probe {
    static func channels(of settings: GatewaySettings) -> [Probe] {
        settings.channels.map { channel in
            Probe(title: "channel \(channel.id)") { await finding(channel, of: settings.gateway.id) }
        }
    }

    private static func finding(_ channel: GatewaySettings.Channel, of gateway: GatewayID) async -> Finding {
        do {
            // With its files, as the gateway would at its start.
            let made = try HelpChannels.make(
                channel, of: gateway, log: Logger(label: "check") { _ in SwiftLogNoOpLogHandler() },
                reports: ChannelReports(about: { _ in }, tested: { _ in }))
            switch channel.way {
            case .https:
                guard let server = (made as? HTTPSChannel)?.server else { return .well("usable") }
                return reach(server.host, server.port, hint: "check the network, and url in its [[channel]]")
            case .scaip(let way):
                if case .udp = way.transport {
                    return .well(
                        "usable; over UDP nothing tells whether \(way.host) listens until it is called")
                }
                return reach(
                    way.host, way.port ?? way.registeredPort,
                    hint: "check the network, and server and port in its [[channel]]")
            case .sms(let way): return try await look(way, id: channel.id)
            }
        } catch {
            return .problem("\(error)")
        }
    }

    /// What a test of the gateway itself would find, but for a text and a modem that it would switch on.
    private static func look(_ sms: GatewaySettings.SMS, id: ChannelID) async throws -> Finding {
        var settings = TextMessagesChannel.Settings(sms, id: id)
        settings.isLookOnly = true
        settings.testRecipient = nil
        settings.attemptLimit = .seconds(5)
        let (findings, found) = AsyncStream<Finding>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let channel = try TextMessagesChannel(
            settings,
            reports: ChannelReports(
                about: { _ in },
                tested: { test in
                    switch test {
                    case .works(let detail): found.yield(.well("would text \(sms.reached): \(detail)"))
                    case .fails(let reason): found.yield(.problem(reason))
                    }
                }))
        async let running: Void = channel.run()
        channel.test()
        // Above the channel's own limit.
        let finding = await first(of: findings, within: .seconds(8))
        channel.stop()
        try await running
        return finding ?? .problem("no answer within 8 s; see: journalctl -u ModemManager")
    }
}

extension GatewaySettings.SMS {
    /// Whom, and by what; no number, for what `check` says is shown to others.
    fileprivate var reached: String {
        let count = recipients.count == 1 ? "1 number" : "\(recipients.count) numbers"
        switch way {
        case .modemManager: return "\(count) through ModemManager"
        case .gammu: return "\(count) through gammu-smsd"
        }
    }
}

extension GatewaySettings.SCAIP {
    /// By IANA assignment.
    fileprivate var registeredPort: Int { if case .tls = transport { 5061 } else { 5060 } }
}
