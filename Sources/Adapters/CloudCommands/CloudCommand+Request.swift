internal import Consent
internal import GatewayModel

// What a third party asks, and by which keys it is known.
extension CloudCommand {
    static func request(_ members: inout Members) throws(CommandRefusal) -> DataRequest {
        let id: RequestID = try members.name("request")
        let party = try party(try members.take("party"))
        let person: PersonID = try members.name("person")
        let purpose = try members.text("purpose", DataRequest.purposeLength)
        let kinds = try kinds(&members)
        let format = try members.parsedIfAny("format", expected: "samples or fhir") {
            ReadingFormat(rawValue: $0)
        }
        let (from, until) = (try members.timeIfAny("from"), try members.timeIfAny("until"))
        do throws(DataRequest.Flaw) {
            return try DataRequest(
                id: id, party: party, person: person, purpose: purpose, kinds: kinds,
                format: format ?? .samples, from: from, until: until)
        } catch {
            throw CommandRefusal(.wrongValue, "cmd: \(error.rawValue)")
        }
    }

    private static func kinds(_ members: inout Members) throws(CommandRefusal) -> Set<QuantityKind> {
        guard case .array(let elements) = try members.take("kinds") else {
            throw members.wrong("kinds", expected: "a list of kinds of the contract, each once")
        }
        var kinds: Set<QuantityKind> = []
        for element in elements {
            guard case .text(let text) = element, let kind = QuantityKind(rawValue: text),
                kinds.insert(kind).inserted
            else { throw members.wrong("kinds", expected: "a list of kinds of the contract, each once") }
        }
        return kinds
    }

    private static func party(_ json: StrictJSON) throws(CommandRefusal) -> ThirdParty {
        var members = try Members(json, of: "party")
        let id: PartyID = try members.name("id")
        let name = try members.text("name", ThirdParty.nameLength)
        var (sealing, signing): (ThirdParty.SealingKey?, ThirdParty.SigningKey?)
        if let key = members.takeIfAny("sealing_key") { sealing = try sealingKey(key) }
        if let bytes = try members.keyIfAny("signing_key") { signing = ThirdParty.SigningKey(bytes: bytes) }
        try members.end()
        guard let party = ThirdParty(id: id, name: name, sealingKey: sealing, signingKey: signing) else {
            throw CommandRefusal(.wrongValue, "party: name is no plain text")
        }
        return party
    }

    /// `{"kid": …, "x25519": …}`
    static func sealingKey(_ json: StrictJSON) throws(CommandRefusal) -> ThirdParty.SealingKey {
        var members = try Members(json, of: "sealing_key")
        let id = try members.parsed("kid", expected: KeyID.form) { KeyID($0) }
        let bytes = try members.keyIfAny("x25519")
        try members.end()
        guard let bytes, let key = ThirdParty.SealingKey(id: id, bytes: bytes) else {
            throw CommandRefusal(.wrongValue, "sealing_key: x25519 is missing")
        }
        return key
    }
}

extension Members {
    /// Seconds since 1970, as `iat` and `exp`.
    mutating func timeIfAny(_ name: String) throws(CommandRefusal) -> WallTime? {
        guard let value = takeIfAny(name) else { return nil }
        guard case .whole(let seconds) = value, (0...1 << 40).contains(seconds) else {
            throw wrong(name, expected: "seconds since 1970")
        }
        return WallTime(millisecondsSince1970: seconds * 1_000)
    }

    /// 32 bytes, base64url.
    mutating func keyIfAny(_ name: String) throws(CommandRefusal) -> [UInt8]? {
        try parsedIfAny(name, expected: "32 bytes as base64url without padding") { text in
            Base64URL.decode(text).flatMap { $0.count == 32 ? $0 : nil }
        }
    }
}
