public import GatewayModel

/// Identity of a command: unique for one issuer, for any request.
public struct CommandName: Hashable, Sendable {
    public let issuer: IssuerID
    /// `jti`: used once.
    public let id: String
    /// `seq`: rises with each command of an issuer.
    public let sequence: Int64
}

/// Claims that an issuer has signed, read and of the right form; `CommandVerifier` decides on them.
struct CommandClaims: Hashable, Sendable {
    let name: CommandName
    let audience: String
    /// Seconds since 1970.
    let issued: Int64
    let expires: Int64
    /// Requester in words; the issuer where no requester is named.
    let by: String
    let kind: CommandKind
    let command: CloudCommand

    /// Until the year 36812: far off, and no sum of two overflows.
    private static let times: ClosedRange<Int64> = 0...1 << 40
    /// The whole numbers that every JSON reader takes as they are (RFC 8259 section 6).
    private static let sequences: ClosedRange<Int64> = 1...(1 << 53 - 1)

    /// The name as far as it can be read, for a receipt about a command that cannot.
    struct Unreadable: Error {
        let refusal: CommandRefusal
        let name: CommandName?
    }

    init(_ bytes: [UInt8]) throws(Unreadable) {
        let json: StrictJSON
        do throws(StrictJSON.Fault) {
            json = try StrictJSON(bytes)
        } catch {
            let reason: CommandRefusal.Reason =
                if case .duplicate = error { .duplicateMember } else { .malformed }
            throw Unreadable(refusal: CommandRefusal(reason, "the claims: \(error)"), name: nil)
        }
        var name: CommandName?
        do throws(CommandRefusal) {
            var claims = try Members(json, of: "the claims")
            let issuer = try claims.parsed("iss", expected: "the issuer: \(IssuerID.form)") { IssuerID($0) }
            let id = try claims.parsed(
                "jti", expected: "1 to 64 letters, digits and . _ : -", Self.commandID)
            let sequence = try claims.whole("seq", Self.sequences)
            let read = CommandName(issuer: issuer, id: id, sequence: sequence)
            name = read
            self.name = read
            guard case .text(let audience) = try claims.take("aud") else {
                throw CommandRefusal(.wrongAudience, "expected aud to be one gateway's id, a text")
            }
            self.audience = audience
            issued = try claims.whole("iat", Self.times)
            expires = try claims.whole("exp", Self.times)
            by = try claims.textIfAny("by", 1...100) ?? issuer.text
            (kind, command) = try CloudCommand.read(try claims.take("cmd"))
            try claims.end()
        } catch {
            throw Unreadable(refusal: error, name: name)
        }
    }

    private static func commandID(_ text: String) -> String? {
        let isSound = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isSound && (1...64).contains(text.utf8.count) ? text : nil
    }
}
