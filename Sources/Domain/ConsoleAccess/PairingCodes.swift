package import ControlContract
package import GatewayModel

/// Codes that pair a device with the console, each for one session, and the limit of the tries. Pure.
package struct PairingCodes: Sendable {
    package typealias Codes = OneTimeCodes<ControlSession>

    /// Result of a try.
    package enum Outcome: Hashable, Sendable {
        case tried(Codes.Outcome)
        /// Too many tries in the last minute. The code was not looked at.
        case throttled(retryAfter: Duration, byOther: Bool)
    }

    /// Validity of a code: time to walk to the device with it. With 40 bits and 10 tries a minute, the chance to guess one of
    /// 16 codes in that time is below 10⁻⁹.
    package static let rules = Codes.Rules(validity: .seconds(300), most: 16)
    /// Tries in one minute, of all visitors: they bound the work of a flood, also while no code is open.
    private static let triesPerMinute = 10

    private var codes = Codes(PairingCodes.rules)
    private var recent = RateWindow(limit: PairingCodes.triesPerMinute, interval: .seconds(60))
    /// Visitors of the last tries that were looked at, the latest last.
    private var visitors: [String] = []

    package init() {}

    /// Opens a pairing: the device that gives the code first gets the session.
    package mutating func open(_ code: OneTimeCode, for session: ControlSession, at now: BootInstant) {
        codes.open(code, for: session, at: now)
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
        return .tried(codes.tryCode(OneTimeCode(text, of: .letters), from: visitor, at: now))
    }
}
