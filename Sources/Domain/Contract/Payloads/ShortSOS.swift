import GatewayModel
import JSONReading

/// The short form of a call for help, and of the word that it no longer holds: for a broker that takes small packets
/// only.
///
/// It is made from the payload of the full form, so that also one that was read back from the disk can be sent so.
struct ShortSOS {
    /// The members of the full form that count here. A payload of another version may lack each but the first two.
    private struct Full: Decodable {
        struct Cause: Decodable {
            let rule: String
            let value: Double?
            let unit: String?
            let doubt: [String]?
        }
        struct Location: Decodable {
            let source: String?
            let latitude: Double?
            let longitude: Double?
            let ageSeconds: Double?
            let address: String?
        }
        struct Profile: Decodable {
            struct Contact: Decodable {
                let phone: String
            }
            let name: String?
            let address: String?
            let contacts: [Contact]?
        }
        struct Ending: Decodable {
            let how: String?
            let by: String?
        }

        let alarm: String
        let state: String
        let drill: Bool?
        let certainty: String?
        let person: String?
        let cause: Cause?
        let location: Location?
        let profile: Profile?
        let ending: Ending?
        let round: Int?
        let time: String?
    }

    private let full: Full
    private let id: MessageID

    /// Nil for a payload that is no call.
    init?(payload: [UInt8], id: MessageID) {
        guard let full = try? JSONReader.decode(Full.self, from: payload, limit: 1 << 16, names: .snakeCase)
        else { return nil }
        self.full = full
        self.id = id
    }

    /// Always there. The id begins with the time.
    private var essentials: [FlatJSON.Member] {
        var members: [FlatJSON.Member] = [
            .init("alarm", .text(full.alarm)), .init("id", .text(id.description)), .init("short", .flag(true)),
            .init("state", .text(full.state)),
        ]
        if let person = full.person { members.append(.init("person", .text(person))) }
        // A rehearsal must never be taken for an emergency.
        if full.drill == true { members.append(.init("drill", .flag(true))) }
        return members
    }

    /// The most important first. Members of one line stand together or not at all.
    private var wishes: [[FlatJSON.Member]] {
        var wishes: [[FlatJSON.Member]] = []
        func wish(_ members: [(StaticString, FlatJSON.Value?)]) {
            let present = members.compactMap { key, value in value.map { FlatJSON.Member(key, $0) } }
            if present.count == members.count { wishes.append(present) }
        }
        let place = full.location
        var coordinates: FlatJSON.Value?
        if let latitude = place?.latitude, let longitude = place?.longitude {
            coordinates = .numbers([Self.rounded(latitude), Self.rounded(longitude)])
        }
        wish([("rule", (full.cause?.rule).map { .text($0) })])
        wish([("how", (full.ending?.how).map { .text($0) })])
        wish([("at", coordinates), ("place", (place?.source).map { .text($0) })])
        wish([("certainty", full.certainty.map { .text($0) })])
        wish([("time", full.time.map { .text($0) })])
        wish([("age_seconds", (place?.ageSeconds).map { .number($0) })])
        wish([
            ("value", (full.cause?.value).map { .number($0) }), ("unit", (full.cause?.unit).map { .text($0) }),
        ])
        wish([("doubt", (full.cause?.doubt).map { .texts($0) })])
        wish([("by", (full.ending?.by).map { .text($0) })])
        wish([("name", (full.profile?.name).map { .text($0) })])
        wish([("address", (full.profile?.address ?? place?.address).map { .text($0) })])
        for count in stride(from: full.profile?.contacts?.count ?? 0, to: 0, by: -1) {
            let phones = full.profile?.contacts?.prefix(count).map(\.phone) ?? []
            wish([("phones", .texts(Array(phones)))])
        }
        wish([("round", full.round.map { .number(Double($0)) })])
        return wishes
    }

    /// Five digits are a metre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }

    /// As much as fits into `limit` bytes.
    /// - Returns: nil where not even the essentials do.
    func payload(within limit: Int) -> [UInt8]? {
        var members = essentials
        var payload = FlatJSON.encode(members)
        guard payload.count <= limit else { return nil }
        for wish in wishes where !members.contains(where: { $0.name == wish.first?.name }) {
            let longer = FlatJSON.encode(members + wish)
            guard longer.count <= limit else { continue }
            members += wish
            payload = longer
        }
        return payload
    }
}
