import Consent
import FoundationEssentials
import GatewayModel

/// One line of the ledger: a JSON object with its members in order, its number, and the hash of the line before.
struct LedgerLine: Codable {
    struct Request: Codable {
        var party: Party
        var purpose: String
        var kinds: [String]
        /// A `LinkRole`; nil: looks.
        var role: String?
        /// A `ReadingFormat`; nil: samples.
        var format: String?
        /// A `LocationPrecision`; nil: coarse.
        var precision: String?
        var from: Int64?
        var until: Int64?
    }

    struct Party: Codable {
        var id: String
        var name: String
        var sealing: Key?
        /// Ed25519, Base64.
        var signing: Data?
    }

    /// X25519, Base64.
    struct Key: Codable {
        var kid: String
        var x25519: Data
    }

    static let genesis = "genesis"
    /// Upper limit of lines and bytes. A number above it is damaged, and is not used for counting.
    static let longest = 1 << 40

    var seq: Int64
    var prev: String
    var act: String
    /// Milliseconds since 1970.
    var at: Int64
    /// Only in a genesis: the gateway of this ledger.
    var gateway: String?
    var person: String?
    var by: String?
    var means: String?
    var subject: String?
    var request: String?
    var asks: Request?
    var party: String?
    var key: Key?

    /// Creates the first line.
    init(beginning gateway: GatewayID, at wall: WallTime) {
        (seq, prev, act, at) = (0, LedgerHash.nothing, Self.genesis, wall.millisecondsSince1970)
        self.gateway = gateway.text
    }

    init(_ entry: ConsentEntry, after previous: String) {
        let decision = entry.decision
        (seq, prev, act) = (entry.sequence.number, previous, decision.act.word)
        (person, by, means) = (decision.person.text, decision.by, decision.means.rawValue)
        at = decision.at.millisecondsSince1970
        switch decision.act {
        case .policy(let subject, _): self.subject = subject.rawValue
        case .requested(let asked): (request, asks) = (asked.id.text, Request(asked))
        case .granted(let id), .refused(let id), .withdrawn(let id), .expired(let id): request = id.text
        case .partyKeyChanged(let party, let key): (self.party, self.key) = (party.text, Key(key))
        }
    }

    var bytes: [UInt8] { JSONLine.bytes(self) }

    /// Returns nil if the bytes are not a line of this version.
    init?(_ bytes: some Collection<UInt8>) {
        guard let line: LedgerLine = JSONLine.read(bytes),
            (0..<Int64(Self.longest)).contains(line.seq)
        else { return nil }
        self = line
    }

    /// Entry of this line; nil for a genesis, and for a line that this version does not understand.
    var entry: ConsentEntry? {
        guard let person = person.flatMap({ PersonID($0) }), let by, seq > 0,
            let means = means.flatMap(ConsentMeans.init), let act = consentAct(of: person)
        else { return nil }
        return ConsentEntry(
            LedgerSequence(seq),
            ConsentDecision(
                act, for: person, by: by, means: means, at: WallTime(millisecondsSince1970: at)))
    }

    private func consentAct(of person: PersonID) -> ConsentAct? {
        let id = request.flatMap { RequestID($0) }
        switch act {
        case "accepted": return subject.flatMap(ConsentSubject.init).map { .policy($0, .accepted) }
        case "withdrawn" where subject != nil:
            return subject.flatMap(ConsentSubject.init).map { .policy($0, .withdrawn) }
        case "withdrawn": return id.map { .withdrawn($0) }
        case "granted": return id.map { .granted($0) }
        case "refused": return id.map { .refused($0) }
        case "expired": return id.map { .expired($0) }
        case "requested": return id.flatMap { asks?.request($0, of: person) }.map { .requested($0) }
        case "party-key-changed":
            guard let party = party.flatMap({ PartyID($0) }), let key = key?.sealingKey else { return nil }
            return .partyKeyChanged(party, key)
        default: return nil
        }
    }
}

extension LedgerLine.Request {
    init(_ request: DataRequest) {
        (party, purpose) = (LedgerLine.Party(request.party), request.purpose)
        kinds = request.kinds.map(\.rawValue).sorted()
        role = request.role == .looks ? nil : request.role.rawValue
        format = request.format == .samples ? nil : request.format.rawValue
        precision = request.precision == .coarse ? nil : request.precision.rawValue
        (from, until) = (request.from?.millisecondsSince1970, request.until?.millisecondsSince1970)
    }

    func request(_ id: RequestID, of person: PersonID) -> DataRequest? {
        let known = kinds.compactMap(DataKind.init)
        guard known.count == kinds.count, let party = party.party,
            let role = role.map(LinkRole.init) ?? .looks,
            let format = format.map(ReadingFormat.init) ?? .samples,
            let precision = precision.map(LocationPrecision.init) ?? .coarse
        else { return nil }
        return try? DataRequest(
            id: id, party: party, person: person, purpose: purpose, kinds: Set(known),
            role: role, format: format, precision: precision,
            from: from.map { WallTime(millisecondsSince1970: $0) },
            until: until.map { WallTime(millisecondsSince1970: $0) })
    }
}

extension LedgerLine.Party {
    init(_ party: ThirdParty) {
        (id, name) = (party.id.text, party.name)
        sealing = party.sealingKey.map { LedgerLine.Key($0) }
        signing = party.signingKey.map { Data($0.bytes) }
    }

    /// Nil if an existing key is invalid: the party must not lose its key by this.
    var party: ThirdParty? {
        let sealingKey = sealing?.sealingKey
        let signingKey = signing.flatMap { ThirdParty.SigningKey(bytes: Array($0)) }
        guard let id = PartyID(id), (sealing == nil) == (sealingKey == nil),
            (signing == nil) == (signingKey == nil)
        else { return nil }
        return ThirdParty(id: id, name: name, sealingKey: sealingKey, signingKey: signingKey)
    }
}

extension LedgerLine.Key {
    init(_ key: ThirdParty.SealingKey) {
        (kid, x25519) = (key.id.text, Data(key.bytes))
    }

    var sealingKey: ThirdParty.SealingKey? {
        KeyID(kid).flatMap { ThirdParty.SealingKey(id: $0, bytes: Array(x25519)) }
    }
}
