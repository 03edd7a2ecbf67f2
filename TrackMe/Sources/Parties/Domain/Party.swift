public import GatewayModel

/// Company that asks persons for their data.
public struct Party: Hashable, Sendable {
    /// As the topics of the houses name it. It is also the client ID of its token requests.
    public let id: PartyID
    public let vat: VATNumber
    /// As the person at home reads it.
    public let name: String
    public let contact: PartyContact
    public let state: PartyState
    public let keys: PartyKeySet
    public let applied: WallTime
    /// Time of the newest change of the state.
    public let changed: WallTime

    public init(
        id: PartyID, vat: VATNumber, name: String, contact: PartyContact, state: PartyState,
        keys: PartyKeySet, applied: WallTime, changed: WallTime
    ) {
        (self.id, self.vat, self.name, self.contact, self.state) = (id, vat, name, contact, state)
        (self.keys, self.applied, self.changed) = (keys, applied, changed)
    }

    /// Whether the ID may be a company's.
    public static func allows(_ id: PartyID) -> Bool { !id.text.hasPrefix("trackme") }
}

/// Mail address of the company, for the operator of the server.
public struct PartyContact: Hashable, Sendable, CustomStringConvertible {
    /// Characters (RFC 5321 section 4.5.3.1).
    public static let longest = 254

    public let text: String

    /// - Returns: nil unless the text has one `@` between two parts without spaces and control characters.
    public init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
            parts[1].contains("."), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    public var description: String { text }
}

/// Application of a company.
public struct NewParty: Sendable {
    public let id: PartyID
    public let vat: VATNumber
    public let name: String
    public let contact: PartyContact
    public let key: PartyKey
    public let applied: WallTime

    /// - Returns: nil for an ID that is reserved, and for a name that a house would not show.
    public init?(
        id: PartyID, vat: VATNumber, name: String, contact: PartyContact, key: PartyKey, applied: WallTime
    ) {
        guard Party.allows(id), ThirdParty(id: id, name: name) != nil else { return nil }
        (self.id, self.vat, self.name, self.contact) = (id, vat, name, contact)
        (self.key, self.applied) = (key, applied)
    }
}
