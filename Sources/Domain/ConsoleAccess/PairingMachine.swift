package import ControlContract
package import GatewayModel

/// Open pairing codes and the tries against them. Pure.
///
/// Every code works once. A wrong try counts against all open codes, because it can be meant for any of them.
package struct PairingMachine: Sendable {
    /// Result of a try. A wrong, an expired and a used code give the same answer.
    package enum Outcome: Hashable, Sendable {
        case paired(ControlSession)
        case refused
        /// Too many tries in the last minute. The code was not looked at.
        case throttled(retryAfter: Duration)
    }

    private struct Opening: Sendable {
        let code: PairingCode
        let session: ControlSession
        let expires: BootInstant
        var triesLeft: Int
    }

    /// Validity of a code: time to walk to the device with it.
    package static let validity = Duration.seconds(300)
    /// Wrong tries that void a code.
    package static let tries = 5
    /// Tries in one minute, of all visitors. With 40 bits, the chance to guess a code in its 5 minutes is below 10⁻¹⁰.
    package static let triesPerMinute = 10
    /// Maximum number of open codes. The oldest gives way.
    package static let openings = 16

    private var open: [Opening] = []
    private var recent = RateWindow(limit: PairingMachine.triesPerMinute, interval: .seconds(60))

    package init() {}

    /// Opens a pairing: the device that gives the code first gets the session.
    package mutating func open(_ code: PairingCode, for session: ControlSession, at now: BootInstant) {
        removeExpired(at: now)
        open.removeAll { $0.code.matches(code) }
        if open.count >= Self.openings { open.removeFirst() }
        open.append(
            Opening(
                code: code, session: session, expires: now.advanced(by: Self.validity), triesLeft: Self.tries))
    }

    /// Tries a text that a visitor sent.
    package mutating func tryCode(_ text: String, at now: BootInstant) -> Outcome {
        guard recent.take(at: now) else { return .throttled(retryAfter: recent.wait(at: now)) }
        removeExpired(at: now)
        let code = PairingCode(text)
        var found: Int?
        // Every code is compared, so that the time does not tell a place in the list.
        for (index, opening) in open.enumerated() {
            if let code, opening.code.matches(code) { found = index }
        }
        if let found { return .paired(open.remove(at: found).session) }
        for index in open.indices { open[index].triesLeft -= 1 }
        open.removeAll { $0.triesLeft <= 0 }
        return .refused
    }

    private mutating func removeExpired(at now: BootInstant) {
        open.removeAll { $0.expires <= now }
    }
}
