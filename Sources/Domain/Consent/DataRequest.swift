public import GatewayModel

/// A third party's question for a person's data, whole, as the person is shown it.
///
/// A request of the party `PartyID.accounts` asks instead to link an account to the person: the name of the party is
/// that of the account, there are no kinds, and the grant discloses nothing. Each account is a party of its own.
public struct DataRequest: Hashable, Sendable {
    /// Characters.
    public static let purposeLength = 1...500

    /// Why a request cannot be put to a person.
    public enum Flaw: String, Error, Hashable, Sendable {
        case purpose = "bad-purpose"
        case kinds = "no-kinds"
        /// A request to link an account names no kinds, and its party has no keys.
        case account = "bad-account"
        /// Only an account has a role.
        case role = "bad-role"
        /// FHIR is a form of readings alone.
        case format = "bad-format"
        /// Only a location has a precision.
        case precision = "bad-precision"
        case period = "bad-period"
    }

    public let id: RequestID
    public let party: ThirdParty
    public let person: PersonID
    /// Why, in the party's words.
    public let purpose: String
    public let kinds: Set<DataKind>
    /// Of the account, where an account asks to be linked.
    public let role: LinkRole
    /// In which form the party wants readings.
    public let format: ReadingFormat
    /// Of the positions, where the party asks for the location.
    public let precision: LocationPrecision
    /// Readings measured from then on; nil: from the grant on.
    public let from: WallTime?
    /// The grant ends then by itself; nil: when it is withdrawn.
    public let until: WallTime?

    /// Errors: purpose that is not plain text of `purposeLength`; nothing asked for; an account with kinds or keys; another party that
    /// acts; other data than readings as FHIR; exact positions without the location; a period that ends before it begins.
    public init(
        id: RequestID, party: ThirdParty, person: PersonID, purpose: String, kinds: Set<DataKind>,
        role: LinkRole = .looks, format: ReadingFormat = .samples, precision: LocationPrecision = .coarse,
        from: WallTime? = nil,
        until: WallTime? = nil
    ) throws(Flaw) {
        guard PlainText.holds(purpose, Self.purposeLength) else { throw .purpose }
        if party.id == .accounts {
            guard kinds.isEmpty, party.sealingKey == nil, party.signingKey == nil else { throw .account }
        } else {
            guard !kinds.isEmpty else { throw .kinds }
            guard role == .looks else { throw .role }
        }
        guard format == .samples || kinds.allSatisfy({ $0.quantity != nil }) else { throw .format }
        guard precision == .coarse || kinds.contains(.location) else { throw .precision }
        if let from, let until, from >= until { throw .period }
        (self.id, self.party, self.person, self.purpose) = (id, party, person, purpose)
        (self.kinds, self.role, self.format, self.precision) = (kinds, role, format, precision)
        (self.from, self.until) = (from, until)
    }

    /// Whether it asks to link an account instead of for data.
    public var linksAccount: Bool { party.id == .accounts }

    /// Whether its time is over.
    public func isOver(at wall: WallTime) -> Bool { until.map { wall >= $0 } ?? false }
}
