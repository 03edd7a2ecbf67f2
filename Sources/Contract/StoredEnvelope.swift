import Consent
import GatewayModel

/// An envelope as plain columns, for a row of a database. What comes back is not cleared: it must pass
/// the gate again before it leaves.
public struct StoredEnvelope: Hashable, Sendable {
    /// A UUID; sorts by time of making.
    public let id: String
    /// `Envelope.Lane` as a number: a lower one leaves first.
    public let lane: Int
    /// A word of `Envelope.Retention`.
    public let retention: String
    /// `gateway`, `household`, `emergency` or `readings`: with `person` and `kind`, what the gate asks about.
    public let discloses: String
    /// Whom it speaks of; several of a household, sorted, with commas between. Nil for the box alone.
    public let person: String?
    /// Of readings, and of gaps in them.
    public let kind: String?
    public let topic: String
    /// UTF-8 JSON.
    public let payload: [UInt8]
    public let isRetained: Bool

    /// A row as it was read: nothing is checked before `envelope`.
    public init(
        id: String, lane: Int, retention: String, discloses: String, person: String?, kind: String?,
        topic: String, payload: [UInt8], isRetained: Bool
    ) {
        self.id = id
        self.lane = lane
        self.retention = retention
        self.discloses = discloses
        self.person = person
        self.kind = kind
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }

    /// Nil for what is of the moment: it is not kept.
    public init?(_ envelope: Envelope) {
        guard envelope.retention != .moment else { return nil }
        self.init(columnsOf: envelope)
    }

    init(columnsOf envelope: Envelope) {
        let disclosed = envelope.disclosure.columns
        self.init(
            id: envelope.id.description, lane: envelope.lane.rawValue, retention: envelope.retention.rawValue,
            discloses: disclosed.word, person: disclosed.person, kind: disclosed.kind, topic: envelope.topic,
            payload: envelope.payload, isRetained: envelope.isRetained)
    }

    /// Nil where a column holds a word that this version does not know.
    public var envelope: Envelope? {
        guard let id = MessageID(id), let lane = Envelope.Lane(rawValue: lane),
            let retention = Envelope.Retention(rawValue: retention),
            let disclosure = Disclosure(discloses, person: person, kind: kind)
        else { return nil }
        return Envelope(
            id: id, lane: lane, retention: retention, disclosure: disclosure, topic: topic, payload: payload,
            isRetained: isRetained)
    }
}

extension Disclosure {
    fileprivate var columns: (word: String, person: String?, kind: String?) {
        switch self {
        case .gateway: ("gateway", nil, nil)
        case .household(let persons): ("household", persons.map(\.text).sorted().joined(separator: ","), nil)
        case .emergency(let person): ("emergency", person.text, nil)
        case .readings(let person, let kind): ("readings", person.text, kind.rawValue)
        }
    }

    fileprivate init?(_ word: String, person: String?, kind: String?) {
        switch word {
        case "gateway":
            self = .gateway
        case "household":
            let names = (person ?? "").split(separator: ",").map(String.init)
            let persons = Set(names.compactMap { PersonID($0) })
            guard persons.count == names.count else { return nil }
            self = .household(persons)
        case "emergency":
            guard let person = person.flatMap({ PersonID($0) }) else { return nil }
            self = .emergency(of: person)
        case "readings":
            guard let person = person.flatMap({ PersonID($0) }), let kind = kind.flatMap(QuantityKind.init)
            else { return nil }
            self = .readings(of: person, kind: kind)
        default:
            return nil
        }
    }
}
