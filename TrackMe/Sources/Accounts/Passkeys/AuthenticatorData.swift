/// Data that an authenticator signs (WebAuthn Level 3 section 6.1).
struct AuthenticatorData {
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 1 << 0)
        static let userVerified = Flags(rawValue: 1 << 2)
        static let backupEligible = Flags(rawValue: 1 << 3)
        static let backedUp = Flags(rawValue: 1 << 4)
        static let hasCredential = Flags(rawValue: 1 << 6)
        static let hasExtensions = Flags(rawValue: 1 << 7)
    }

    private static let partyLength = 32
    private static let modelLength = 16

    /// SHA-256 of the ID of the relying party.
    let party: [UInt8]
    let flags: Flags
    let counter: UInt32
    /// The new passkey, in a registration alone.
    let credential: (id: PasskeyID, key: CBORItem)?

    init(_ bytes: [UInt8]) throws(PasskeyFault) {
        var rest = bytes[...]
        func take(_ count: Int) throws(PasskeyFault) -> ArraySlice<UInt8> {
            guard count <= rest.count else { throw .malformed("data of an authenticator that end too early") }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number(_ count: Int) throws(PasskeyFault) -> UInt32 {
            try take(count).reduce(0) { $0 << 8 | UInt32($1) }
        }
        party = Array(try take(Self.partyLength))
        flags = Flags(rawValue: UInt8(try number(1)))
        counter = try number(4)
        if flags.contains(.hasCredential) {
            _ = try take(Self.modelLength)
            guard let id = PasskeyID(Array(try take(Int(try number(2))))) else {
                throw .malformed("an ID of a passkey without 16 to 1,023 bytes")
            }
            var reader = CBORReader(rest)
            credential = (id, try reader.item())
            rest = reader.rest
        } else {
            credential = nil
        }
        if flags.contains(.hasExtensions) {
            var reader = CBORReader(rest)
            guard case .map = try reader.item() else { throw .malformed("extensions that are no map") }
            rest = reader.rest
        }
        guard rest.isEmpty else { throw .malformed("bytes behind the data of an authenticator") }
    }
}
