import Consent
import FoundationEssentials
import GatewayModel

/// An envelope as a line of text for the disk. What comes back is not cleared: it must pass the gate
/// again before it leaves.
public enum StoredEnvelope {
    private struct Record: Codable {
        var id: String
        var lane: Int
        /// `gateway`, `household`, `emergency` or `readings`.
        var discloses: String
        /// Several of a household, with commas between.
        var person: String?
        var kind: String?
        var topic: String
        /// Base64.
        var payload: Data
        var retained: Bool
        /// Whole seconds; absent where it does not expire.
        var expiry: Int64?
    }

    public static func line(_ envelope: Envelope) -> [UInt8] {
        var record = Record(
            id: envelope.id.description, lane: envelope.lane.rawValue, discloses: "gateway",
            topic: envelope.topic, payload: Data(envelope.payload), retained: envelope.isRetained,
            expiry: envelope.expiry?.components.seconds)
        switch envelope.disclosure {
        case .gateway: break
        case .household(let persons):
            record.discloses = "household"
            record.person = persons.map(\.text).sorted().joined(separator: ",")
        case .emergency(let person):
            record.discloses = "emergency"
            record.person = person.text
        case .readings(let person, let kind):
            record.discloses = "readings"
            record.person = person.text
            record.kind = kind.rawValue
        }
        return WireJSON.encode(record)
    }

    /// Nil for a line this version did not write, a torn one among them.
    public static func envelope(line: some Collection<UInt8>) -> Envelope? {
        guard let record = try? JSONDecoder().decode(Record.self, from: Data(line)),
            let id = MessageID(record.id), let lane = Envelope.Lane(rawValue: record.lane),
            let disclosure = disclosure(of: record)
        else { return nil }
        return Envelope(
            id: id, lane: lane, disclosure: disclosure, topic: record.topic, payload: [UInt8](record.payload),
            isRetained: record.retained, expiry: record.expiry.map { .seconds($0) })
    }

    private static func disclosure(of record: Record) -> Disclosure? {
        let person = record.person.flatMap { PersonID($0) }
        switch record.discloses {
        case "gateway":
            return .gateway
        case "household":
            let names = (record.person ?? "").split(separator: ",").map(String.init)
            let persons = Set(names.compactMap { PersonID($0) })
            return persons.count == names.count ? .household(persons) : nil
        case "emergency":
            return person.map { .emergency(of: $0) }
        case "readings":
            guard let person, let kind = record.kind.flatMap(QuantityKind.init) else { return nil }
            return .readings(of: person, kind: kind)
        default:
            return nil
        }
    }
}
