import AmbulanceService
import GatewayModel
import HelpLine
import Logging
import RealTime
import Settings

/// The ways to call for help. Nothing is said through them: nobody at their other end notices.
extension Probe {
    static func channels(of settings: GatewaySettings) -> [Probe] {
        settings.channels.map { channel in
            Probe(title: "channel \(channel.id)") { finding(channel, of: settings.gateway.id) }
        }
    }

    private static func finding(_ channel: GatewaySettings.Channel, of gateway: GatewayID) -> Finding {
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
            }
        } catch {
            return .problem("\(error)")
        }
    }
}

extension GatewaySettings.SCAIP {
    /// By IANA assignment.
    fileprivate var registeredPort: Int { if case .tls = transport { 5061 } else { 5060 } }
}
