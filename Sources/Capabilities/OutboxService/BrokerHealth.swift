import GatewayModel
import MQTTBridge

/// Decides the conditions and log lines that follow from the events of a broker's session. Pure.
///
/// Each reason is logged once as a warning until a connection has lasted: the back-off would repeat it twice a minute.
struct BrokerHealth: Sendable {
    enum Action: Hashable, Sendable {
        case set(HealthCode, Bool)
        /// Reason that `status` shows with the condition; nil removes it.
        case explain(HealthCode, String?)
        case log(Failure, isNews: Bool)
    }

    /// Line of the log.
    struct Failure: Hashable, Sendable {
        let message: String
        let reason: String
        let remedy: String
        let retryIn: Duration
    }

    /// Bound of `told`: more reasons than these are variants of one.
    private static let rememberedReasons = 32
    /// Faults before the house is told: one is a stray message; ten are a broker or a cloud that is set up wrongly.
    private static let toleratedFaults = 10

    /// Reasons that were logged, without their digits.
    private var told: Set<String> = []
    /// The session's process crashed on this broker's bytes, and no connection has lasted since.
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

    /// Looks the remedy up by the words of libmosquitto, OpenSSL, the resolver and the kernel.
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
        if reason.contains("ended from outside") {
            return "nothing at the broker: another process was started. If nobody sent the signal, look with "
                + "journalctl -k whether the kernel did, for want of memory"
        }
        if reason.contains("process of the broker session") {
            return "show the operator of the broker this line: it sends what the MQTT library does not survive"
        }
        return HealthCode.brokerUnreachable.declaration.remedy
    }
}
