package import ControlContract
package import GatewayModel

/// Pairing codes and the tries against them. Pure.
///
/// Every code works once. A wrong try counts against all open codes, because it can be meant for any of them. A code that no
/// longer works is kept for a while, so that its owner learns why: a stranger may have used it or voided it.
package struct PairingMachine: Sendable {
    /// Result of a try.
    package enum Outcome: Hashable, Sendable {
        case paired(ControlSession)
        /// No code that was given out a short time ago.
        case unknown
        case expired
        /// It has paired a device already.
        case used(byOther: Bool)
        /// Wrong tries have voided the code.
        case void(byOther: Bool)
        /// Too many tries in the last minute. The code was not looked at.
        case throttled(retryAfter: Duration, byOther: Bool)
    }

    private struct Opening: Sendable {
        let code: PairingCode
        let session: ControlSession
        let expires: BootInstant
        /// Visitors that have tried a wrong code since it was opened.
        var wrong: [String] = []
        /// Visitor that has paired a device with it.
        var user: String?

        func isOpen(at now: BootInstant) -> Bool {
            user == nil && wrong.count < PairingMachine.tries && now < expires
        }
    }

    /// Validity of a code: time to walk to the device with it.
    package static let validity = Duration.seconds(300)
    /// Time after its validity in which its owner still learns why it does not work.
    private static let memory = Duration.seconds(600)
    /// Wrong tries that void a code.
    package static let tries = 5
    /// Tries in one minute, of all visitors. With 40 bits, the chance to guess a code in its 5 minutes is below 10⁻¹⁰.
    package static let triesPerMinute = 10
    /// Maximum number of codes. The oldest gives way, and one that no longer works before it.
    package static let openings = 16

    private var openings: [Opening] = []
    private var recent = RateWindow(limit: PairingMachine.triesPerMinute, interval: .seconds(60))
    /// Visitors of the last tries that were looked at, the latest last.
    private var visitors: [String] = []

    package init() {}

    /// Opens a pairing: the device that gives the code first gets the session.
    package mutating func open(_ code: PairingCode, for session: ControlSession, at now: BootInstant) {
        openings.removeAll { $0.code.matches(code) || $0.expires.advanced(by: Self.memory) <= now }
        if openings.count >= Self.openings {
            openings.remove(at: openings.firstIndex { !$0.isOpen(at: now) } ?? 0)
        }
        openings.append(
            Opening(code: code, session: session, expires: now.advanced(by: Self.validity)))
    }

    /// Tries a text that a visitor sent.
    ///
    /// - Parameter visitor: tells visitors apart.
    package mutating func tryCode(_ text: String, from visitor: String, at now: BootInstant) -> Outcome {
        guard recent.take(at: now) else {
            return .throttled(
                retryAfter: recent.wait(at: now), byOther: visitors.contains { $0 != visitor })
        }
        visitors = visitors.suffix(Self.triesPerMinute - 1) + [visitor]
        let code = PairingCode(text)
        var found: Int?
        // Every code is compared, so that the time does not tell a place in the list.
        for (index, opening) in openings.enumerated() {
            if let code, opening.code.matches(code) { found = index }
        }
        guard let found else {
            for index in openings.indices where openings[index].isOpen(at: now) {
                openings[index].wrong.append(visitor)
            }
            return .unknown
        }
        let opening = openings[found]
        if let user = opening.user { return .used(byOther: user != visitor) }
        if opening.wrong.count >= Self.tries { return .void(byOther: opening.wrong.contains { $0 != visitor }) }
        guard opening.isOpen(at: now) else { return .expired }
        openings[found].user = visitor
        return .paired(opening.session)
    }
}
