import CloudCommands
import Contract
import GatewayModel
import Hub
import SOSLocal
import Settings
import Synchronization

/// Decides whether an acceptance that came over the broker counts.
///
/// An acceptance ends the calling for help. It has to be signed with a pinned key, unless the settings allow it
/// without. Every other acceptance is refused, and the alarm goes on.
final class AcceptanceDoor: Sendable {
    /// An acceptance that counts.
    struct Accepted: Hashable, Sendable {
        let alarm: AlarmID
        let by: String
    }

    /// Number of consecutive refused acceptances that raises a condition. One may be a stray message; three indicate a
    /// wrongly configured service or an attack.
    static let mostRefusals = 3

    private let gateway: GatewayID
    private let takesUnsigned: Bool
    /// Number of refused acceptances since the last valid one.
    private let refused = Mutex(0)

    init(gateway: GatewayID, takesUnsigned: Bool) {
        (self.gateway, self.takesUnsigned) = (gateway, takesUnsigned)
    }

    /// Returns the acceptance, or the reason for its refusal. On the broker's thread; verifies one signature, and waits
    /// for nothing.
    func judge(_ payload: [UInt8], of person: PersonID, from issuers: [PinnedIssuer]) -> Result<
        Accepted, Refused
    > {
        let result = check(payload, of: person, from: issuers)
        refused.withLock { count in
            if case .success = result { count = 0 } else { count += 1 }
        }
        return result
    }

    /// Whether the refusals have become a condition.
    var isRefusing: Bool { refused.withLock { $0 >= Self.mostRefusals } }

    /// The reason for which an acceptance does not count; for the log.
    struct Refused: Error, Hashable, Sendable, CustomStringConvertible {
        let description: String
    }

    private func check(
        _ payload: [UInt8], of person: PersonID, from issuers: [PinnedIssuer]
    ) -> Result<Accepted, Refused> {
        // A compact JWS has no brace, and an acceptance in JSON has one.
        let isSigned = !payload.contains(UInt8(ascii: "{"))
        guard isSigned else { return unsigned(payload) }
        do throws(CommandRefusal) {
            let acceptance = try SignedAcceptance(payload, of: person, to: gateway, from: issuers)
            return .success(Accepted(alarm: acceptance.alarm, by: acceptance.by))
        } catch {
            return .failure(Refused(description: "\(error.reason.rawValue): \(error.detail)"))
        }
    }

    private func unsigned(_ payload: [UInt8]) -> Result<Accepted, Refused> {
        guard takesUnsigned else {
            return .failure(
                Refused(
                    description:
                        "not signed: expected a compact JWS by a key of [[commands.issuers]]; without a "
                        + "signature only with unsigned_acceptances = true in [broker]"))
        }
        do throws(Acceptance.Malformed) {
            let acceptance = try Acceptance(payload: payload)
            return .success(Accepted(alarm: acceptance.alarm, by: acceptance.by))
        } catch {
            return .failure(Refused(description: "\(error)"))
        }
    }
}
