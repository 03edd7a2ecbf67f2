internal import GatewayModel

/// A compact JWS (RFC 7515 section 3.1) as commands have it, before anything in it is believed.
struct CommandToken: Sendable {
    /// Bytes; a data request with all its texts has some 2,000.
    static let largest = 16_384
    /// Of the header, which is read before anybody is known to have signed it: the longest `kid` of 100 characters,
    /// each of them escaped, takes half of it.
    private static let largestHeader = 512
    /// `typ`: a token made for something else is no command (RFC 8725 section 3.11).
    static let type = "trackme-command+jwt"

    let keyID: String
    let algorithm: String
    /// Signed bytes: header and claims as they came.
    let signed: [UInt8]
    let signature: [UInt8]
    /// JSON, not looked into yet.
    let claims: [UInt8]

    /// - Parameter types: values of `typ` that are taken; nil for a header without one.
    init(_ bytes: [UInt8], types: Set<String?> = [CommandToken.type]) throws(CommandRefusal) {
        guard bytes.count <= Self.largest else {
            throw CommandRefusal(.tooLarge, "\(bytes.count) bytes, expected at most \(Self.largest)")
        }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]),
            let claims = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]),
            !signature.isEmpty
        else {
            throw CommandRefusal(
                .malformed, "expected a compact JWS: three parts of canonical base64url without padding")
        }
        (keyID, algorithm) = try Self.read(header, types)
        signed = Array(bytes[..<parts[1].endIndex])
        (self.claims, self.signature) = (claims, signature)
    }

    /// Exactly `alg`, `kid` and `typ`: any other member (`jwk`, `jku`, `x5c`, `crit`, `b64`, …) would change
    /// which key counts, or which bytes are signed.
    private static func read(
        _ header: [UInt8], _ types: Set<String?>
    ) throws(CommandRefusal) -> (key: String, algorithm: String) {
        guard header.count <= largestHeader else {
            throw CommandRefusal(
                .tooLarge, "a header of \(header.count) bytes, expected at most \(largestHeader)")
        }
        let json: StrictJSON
        do throws(StrictJSON.Fault) {
            json = try StrictJSON(header)
        } catch {
            throw CommandRefusal(.malformed, "expected a header of strict JSON")
        }
        guard case .object(let members) = json else {
            throw CommandRefusal(.malformed, "expected a header that is an object")
        }
        guard members.allSatisfy({ ["alg", "kid", "typ"].contains($0.name) }) else {
            throw CommandRefusal(.unknownHeader, "expected a header of alg, kid and typ, and nothing else")
        }
        guard types.contains(json.text("typ")) else {
            let expected = types.compactMap { $0 }.sorted().joined(separator: " or ")
            throw CommandRefusal(.wrongType, "expected typ \(expected)")
        }
        guard let algorithm = json.text("alg"), PinnedKey.Algorithm(rawValue: algorithm) != nil else {
            throw CommandRefusal(.algorithmRefused, "expected alg EdDSA or ES256")
        }
        guard let key = json.text("kid") else { throw CommandRefusal(.unknownKey, "expected a kid") }
        return (key, algorithm)
    }
}
