import ControlSocket
import GatewayModel
import Hub
import MQTTBridge

/// The state of the connection to the broker, as the house is told of it. Decisions only.
///
/// Each reason is worth one warning until a connection has lasted: a back-off would repeat it twice a minute, and a
/// reason that follows another one helps an installer most.
struct BrokerHealth: Sendable {
    enum Action: Hashable, Sendable {
        case set(HealthCode, Bool)
        /// The reason that `status` shows with the condition; nil for none.
        case explain(HealthCode, String?)
        case log(Failure, isNews: Bool)
    }

    /// One line of the log.
    struct Failure: Hashable, Sendable {
        let message: String
        let reason: String
        let remedy: String
        let retryIn: Duration
    }

    /// More reasons than that are variants of one.
    private static let rememberedReasons = 32
    /// One stray message is none of the house's business; ten are a broker or a cloud that is set up wrongly.
    private static let toleratedFaults = 10

    /// Reasons that were told, without their numbers.
    private var told: Set<String> = []
    /// The process of the session ended on this broker's bytes, and no connection has lasted since.
    private var hasCrashed = false

    mutating func actions(for event: BrokerEvent) -> [Action] {
        switch event {
        case .connected:
            let faults: [Action] = hasCrashed ? [] : [.set(.brokerMisbehaves, false)]
            return [.set(.brokerUnreachable, false), .set(.brokerRefused, false)] + faults
        case .held(let duration):
            told = []
            hasCrashed = false
            let isUndisputed = duration >= BrokerEvent.undisputed
            return [.set(.brokerMisbehaves, false)] + (isUndisputed ? [.set(.brokerSessionTaken, false)] : [])
        case .disconnected(let reason, let retryIn):
            return fail(.brokerUnreachable, "broker not connected", reason, Self.remedy(for: reason), retryIn)
        case .refused(let code, let text, let retryIn):
            let isLogin = [0x85, 0x86, 0x87, 0x8A, 0x8C].contains(code)
            let remedy =
                isLogin
                ? "check username_file, password_file and client_certificate_file in [broker], and the "
                    + "gateway's rights at the broker"
                : HealthCode.brokerRefused.declaration.remedy
            return fail(.brokerRefused, "broker refuses", text, remedy, retryIn)
        case .sessionTaken(let reason, let retryIn):
            return fail(
                .brokerSessionTaken, "another client took the session", reason,
                HealthCode.brokerSessionTaken.declaration.remedy, retryIn)
        case .fault(.endsTheProcess, let count):
            hasCrashed = true
            return count >= BrokerEvent.toleratedCrashes ? [.set(.brokerMisbehaves, true)] : []
        case .fault(_, let count):
            return count >= Self.toleratedFaults ? [.set(.brokerMisbehaves, true)] : []
        case .subscribed, .subscriptionRefused: return []
        }
    }

    private mutating func fail(
        _ code: HealthCode, _ message: String, _ reason: String, _ remedy: String, _ retryIn: Duration
    ) -> [Action] {
        let kind = reason.filter { !$0.isNumber }
        if told.count >= Self.rememberedReasons { told = [] }
        let isNews = told.insert(kind).inserted
        let failure = Failure(message: message, reason: reason, remedy: remedy, retryIn: retryIn)
        return [.explain(code, reason), .set(code, true), .log(failure, isNews: isNews)]
    }

    /// By the words of libmosquitto, OpenSSL, the resolver and the kernel.
    private static func remedy(for reason: String) -> String {
        if reason.contains("certificate") || reason.contains("SSL") || reason.contains("TLS") {
            return
                "check ca_file in [broker]: it must hold the authority that signed the broker's certificate, and "
                + "that certificate must name the host as the settings do; check client_certificate_file too"
        }
        if reason.contains("look up") || reason.contains("name server") {
            return "check the network, its name server, and the host in [broker]"
        }
        if reason.contains("refused") {
            return "check that the broker runs, and the host and port in [broker]"
        }
        if reason.contains("process of the broker session") {
            return "show the operator of the broker this line: it sends what the MQTT library does not survive"
        }
        return HealthCode.brokerUnreachable.declaration.remedy
    }
}
