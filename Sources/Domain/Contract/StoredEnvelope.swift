import Consent
public import GatewayModel

/// An envelope as the columns of a row. A stored envelope is not cleared: it must pass the gate again before it leaves.
public struct StoredEnvelope: Hashable, Sendable {
    public let id: MessageID
    public let lane: Envelope.Lane
    public let retention: Envelope.Retention
    /// `emergency`, `emergency-over`, `notice`, `question`, `readings`, `share`, `sealed-share`, `receipt`, `runner` or `runner-left`. An earlier version
    /// does not know `sealed-share`, and so does not send such a copy unsealed.
    public let discloses: String
    public let person: String?
    public let kind: String?
    /// Only for a share: the third party, and the number of the entry that granted it.
    public let party: String?
    public let epoch: Int64?
    /// Only for a runner: the run and the bib number.
    public let run: String?
    public let bib: Int?
    public let topic: String
    public let payload: [UInt8]
    public let isRetained: Bool
    /// Milliseconds since 1970; nil if it is the time of the ID.
    public let arrived: Int64?

    public init(
        id: MessageID, lane: Envelope.Lane, retention: Envelope.Retention, discloses: String,
        person: String?, kind: String?, party: String? = nil, epoch: Int64? = nil,
        run: String? = nil, bib: Int? = nil, topic: String, payload: [UInt8], isRetained: Bool,
        arrived: Int64? = nil
    ) {
        (self.id, self.lane, self.retention) = (id, lane, retention)
        (self.discloses, self.person, self.kind) = (discloses, person, kind)
        (self.party, self.epoch, self.run, self.bib) = (party, epoch, run, bib)
        (self.topic, self.payload, self.isRetained, self.arrived) = (topic, payload, isRetained, arrived)
    }

    /// Returns nil for a message that is not stored: one about the box at one moment.
    public init?(_ envelope: Envelope) {
        guard envelope.retention != .moment else { return nil }
        guard let columns = Columns(envelope.disclosure) else { return nil }
        self.init(
            id: envelope.id, lane: envelope.lane, retention: envelope.retention,
            discloses: envelope.awaitsSealing ? Self.sealedShare : columns.discloses,
            person: columns.person?.text, kind: columns.kind?.rawValue,
            party: columns.party?.text, epoch: columns.epoch?.number, run: columns.run?.text,
            bib: columns.bib?.number, topic: envelope.topic, payload: envelope.payload,
            isRetained: envelope.isRetained,
            arrived: envelope.arrived == envelope.id.wall ? nil : envelope.arrived.millisecondsSince1970)
    }

    /// A third party's copy that is sealed when it leaves.
    private static let sealedShare = "sealed-share"

    private struct Columns {
        let discloses: String
        var person: PersonID?
        var kind: DataKind?
        var party: PartyID?
        var epoch: LedgerSequence?
        var run: RunID?
        var bib: Bib?

        init?(_ disclosure: Disclosure) {
            switch disclosure {
            case .severalReadings, .gateway, .household, .dashboard, .dashboardEmptied: return nil
            case .emergency(let of): (discloses, person) = ("emergency", of)
            case .emergencyOver(let of): (discloses, person) = ("emergency-over", of)
            case .notice(let of): (discloses, person) = ("notice", of)
            case .question(let of): (discloses, person) = ("question", of)
            case .receipt(let of): (discloses, person) = ("receipt", of)
            case .runner(let of, let who): (discloses, run, bib) = ("runner", of, who)
            case .runnerLeft(let of, let who): (discloses, run, bib) = ("runner-left", of, who)
            case .readings(let of, let what): (discloses, person, kind) = ("readings", of, .quantity(what))
            case .share(let with, let of, let what, let by):
                (discloses, person, kind, party, epoch) = ("share", of, what, with, by)
            }
        }
    }

    /// The envelope; nil if the row is not of this version.
    public var envelope: Envelope? {
        guard let disclosure else { return nil }
        return Envelope(
            id: id, lane: lane, retention: retention, disclosure: disclosure, topic: topic, payload: payload,
            isRetained: isRetained, awaitsSealing: discloses == Self.sealedShare,
            arrived: arrived.map { WallTime(millisecondsSince1970: $0) })
    }

    private var disclosure: Disclosure? {
        let of = person.flatMap { PersonID($0) }
        guard discloses != "receipt" else { return (person == nil) == (of == nil) ? .receipt(of: of) : nil }
        if discloses == "runner" || discloses == "runner-left" {
            guard let run = run.flatMap({ RunID($0) }), let bib = bib.flatMap({ Bib($0) }) else { return nil }
            return discloses == "runner" ? .runner(run, bib) : .runnerLeft(run, bib)
        }
        guard let of else { return nil }
        switch discloses {
        case "emergency": return .emergency(of: of)
        case "emergency-over": return .emergencyOver(of: of)
        case "notice": return .notice(of: of)
        case "question": return .question(of: of)
        case "readings": return kind.flatMap(QuantityKind.init).map { .readings(of: of, kind: $0) }
        case "share", Self.sealedShare:
            guard let kind = kind.flatMap(DataKind.init), let party = party.flatMap({ PartyID($0) }),
                let epoch
            else { return nil }
            return .share(with: party, of: of, kind: kind, epoch: LedgerSequence(epoch))
        default: return nil
        }
    }
}
