public import Consent
public import GatewayModel
import ModelSamples

/// Values of the suites about consent.
public enum ConsentSample {
    public static let maria = PersonID(sample: "maria")
    public static let paolo = PersonID(sample: "paolo")
    public static let clinic = PartyID(sample: "clinic")
    public static let study = PartyID(sample: "study")

    public static func wall(_ seconds: Int) -> WallTime { Sample.moment(Double(seconds)).wall }

    public static func key(_ number: UInt8) -> ThirdParty.SealingKey {
        ThirdParty.SealingKey(id: KeyID("key-\(number)")!, bytes: [UInt8](repeating: number, count: 32))!
    }

    public static func party(
        _ id: PartyID = clinic, sealing: ThirdParty.SealingKey? = nil, isSigning: Bool = false
    ) -> ThirdParty {
        ThirdParty(
            id: id, name: "The \(id)", sealingKey: sealing,
            signingKey: isSigning ? ThirdParty.SigningKey(bytes: [UInt8](repeating: 9, count: 32)) : nil)!
    }

    public static func request(
        _ id: String = "r1", by party: ThirdParty = party(), of person: PersonID = maria,
        for kinds: Set<QuantityKind> = [.heartRate], role: LinkRole = .looks,
        as format: ReadingFormat = .samples, from: Int? = nil,
        until: Int? = nil, purpose: String = "Watching over her heart"
    ) throws -> DataRequest {
        try request(
            id, by: party, of: person, data: Set(kinds.map { .quantity($0) }), role: role, as: format,
            from: from,
            until: until, purpose: purpose)
    }

    public static func request(
        _ id: String = "r1", by party: ThirdParty = party(), of person: PersonID = maria,
        data kinds: Set<DataKind>, role: LinkRole = .looks,
        as format: ReadingFormat = .samples, precision: LocationPrecision = .coarse, from: Int? = nil,
        until: Int? = nil, purpose: String = "Watching over her heart"
    ) throws -> DataRequest {
        try DataRequest(
            id: RequestID(sample: id), party: party, person: person, purpose: purpose, kinds: kinds,
            role: role, format: format, precision: precision, from: from.map(wall), until: until.map(wall))
    }

    public static func id(_ text: String) -> RequestID { RequestID(sample: text) }
}

extension ConsentLedger {
    /// By whoever is at the box.
    @discardableResult
    public mutating func take(
        _ act: ConsentAct, for person: PersonID = ConsentSample.maria, by: String = "Maria",
        means: ConsentMeans = .commandLine, at seconds: Int = 0
    ) throws(Refusal) -> [ConsentAct] {
        let decision = ConsentDecision(act, for: person, by: by, means: means, at: ConsentSample.wall(seconds))
        return try record(decision).map(\.decision.act)
    }
}
