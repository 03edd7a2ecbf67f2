import GatewayModel
import Glibc
import MQTTBridge
import RealTime
import Settings
import Systemd
import Wearables

/// One thing the gateway needs, tried from here. It changes nothing and leaves nothing behind.
struct Probe: Sendable {
    struct Finding: Sendable {
        let isWell: Bool
        /// What was seen, and where it is a problem, what to do.
        let text: String

        static func well(_ text: String) -> Finding { Finding(isWell: true, text: text) }
        static func problem(_ text: String) -> Finding { Finding(isWell: false, text: text) }
    }

    let title: String
    let run: @Sendable () async -> Finding

    static func all(for settings: GatewaySettings) -> [Probe] {
        var probes = [
            Probe(title: "state directory") { directory(settings.gateway.stateDirectory) },
            Probe(title: "control socket") { directory(parent(of: settings.gateway.controlSocket)) },
            Probe(title: "bluetooth") { Self.bluetooth(settings) },
        ]
        if settings.gpsd.isEnabled {
            probes.append(
                Probe(title: "gpsd") {
                    reach(settings.gpsd.host, settings.gpsd.port, hint: "check that gpsd runs: systemctl status gpsd")
                })
        }
        probes.append(
            Probe(title: "broker") {
                reach(
                    settings.broker.host, settings.broker.port,
                    hint: "check the network, and [broker] host and port")
            })
        probes.append(Probe(title: "broker files") { brokerFiles(settings) })
        return probes
    }

    private static func directory(_ path: String) -> Finding {
        guard access(path, W_OK | X_OK) == 0 else {
            return .problem(
                "\(path): \(String(cString: strerror(errno))); create it for the user the gateway runs as "
                    + "(the systemd unit does so by itself)")
        }
        return .well(path)
    }

    private static func parent(of path: String) -> String {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + parent
    }

    private static func reach(_ host: String, _ port: Int, hint: String) -> Finding {
        do throws(TCPProbe.Failure) {
            try TCPProbe.connect(host: host, port: port, within: .seconds(3))
            return .well("\(host):\(port) answers")
        } catch {
            return .problem("\(host):\(port): \(error.reason); \(hint)")
        }
    }

    private static func brokerFiles(_ settings: GatewaySettings) -> Finding {
        do {
            _ = try BrokerSession(
                settings: BrokerSettings(from: settings), subscriptions: [], source: NothingToSend()) { _ in }
            return .well(settings.broker.security == .none ? "no TLS: readings travel in the clear" : "usable")
        } catch {
            return .problem("\(error)")
        }
    }
}
