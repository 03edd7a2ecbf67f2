import CloudCommands
import GatewayModel

/// Decides whether somebody is at the desk of one issuer, by its signed statuses and by their absence. Pure.
struct DeskMachine: Sendable {
    enum Finding: Hashable, Sendable {
        case attended
        case unattended
        /// No valid status has come for `silence`, although the broker is connected.
        case silent
    }

    /// Four statuses: one that is lost, or a server that is started again, is no news.
    static let silence = SignedDeskStatus.interval * 4
    /// Seconds. A status is 30 s old when its successor comes; two clocks that are set differ by less than one. The limit
    /// also holds for a status of the future, as for a command.
    static let longestAge: Int64 = 60

    /// Nil until the desk is known.
    private(set) var finding: Finding?
    private var newest: WallTime?
    private var heard: BootInstant?
    /// Start of the session with the broker; nil without one.
    private var connected: BootInstant?

    /// Begins or ends the session with the broker. Without one the finding stays: another condition tells of the broker.
    mutating func session(isUp: Bool, at now: BootInstant) {
        connected = isUp ? now : nil
    }

    /// Takes a status whose signature holds. A status that is refused changes nothing.
    ///
    /// - Parameter isClockRight: whether the time of `now` may be believed.
    mutating func receive(
        _ status: SignedDeskStatus, at now: Moment, isClockRight: Bool
    ) throws(CommandRefusal) {
        guard isClockRight else {
            throw CommandRefusal(
                .clockNotSet, "the gateway does not know the time, so not the status's age either")
        }
        let age = (now.wall.millisecondsSince1970 - status.issued.millisecondsSince1970) / 1_000
        guard age <= Self.longestAge else {
            throw CommandRefusal(.expired, "iat was \(age) s ago, expected at most \(Self.longestAge)")
        }
        guard age >= -Self.longestAge else {
            throw CommandRefusal(.issuedInFuture, "iat is \(-age) s ahead, expected at most \(Self.longestAge)")
        }
        if let newest, status.issued <= newest {
            throw CommandRefusal(.sequenceNotRising, "iat is not later than that of the status before")
        }
        (newest, heard) = (status.issued, now.boot)
        finding = status.state == .attended ? .attended : .unattended
    }

    /// Returns the finding. To be called about once a second.
    mutating func look(at now: BootInstant) -> Finding? {
        guard let connected else { return finding }
        let since = max(connected, heard ?? connected)
        if since.duration(to: now) >= Self.silence { finding = .silent }
        return finding
    }
}
