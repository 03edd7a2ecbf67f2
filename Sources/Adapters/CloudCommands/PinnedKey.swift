internal import Crypto
internal import FoundationEssentials
internal import GatewayModel
internal import JWTKit

/// A public key by which an issuer signs, bound to the one algorithm that it is for.
public struct PinnedKey: Sendable {
    /// The two that commands may be signed with (RFC 7518 section 3.1, RFC 8037).
    public enum Algorithm: String, Sendable {
        case ed25519 = "EdDSA"
        case p256 = "ES256"
    }

    /// Why a key cannot be used: the observation and the expectation.
    public struct Fault: Error, Hashable, CustomStringConvertible, Sendable {
        public let description: String

        public init(description: String) {
            self.description = description
        }
    }

    /// The `kid` by which a command names it: 1 to 100 printable ASCII characters.
    public let id: String
    public let algorithm: Algorithm
    /// RFC 7638, SHA-256: the same key has the same thumbprint with any `kid`.
    public let thumbprint: String
    /// Its JWK, with the members in a fixed order, as it is kept and shown.
    public let jwk: String
    private let verifier: any JWTAlgorithm

    /// - Parameter bytes: one JWK as JSON.
    public init(jwk bytes: [UInt8]) async throws(Fault) {
        let json: StrictJSON
        do throws(StrictJSON.Fault) {
            json = try StrictJSON(bytes)
        } catch {
            throw Fault(description: "saw something else, expected a JWK as JSON")
        }
        try await self.init(json)
    }

    init(_ json: StrictJSON) async throws(Fault) {
        guard case .object(let members) = json else {
            throw Fault(description: "saw something else, expected a JWK, an object")
        }
        guard !members.contains(where: { $0.name == "d" || $0.name == "k" }) else {
            throw Fault(
                description:
                    "saw a private or a shared key, expected a public one: keep that key where it is used")
        }
        algorithm = try Self.algorithm(json)
        guard let id = json.text("kid"), (1...100).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw Fault(
                description: "saw no usable kid, expected 1 to 100 printable ASCII characters without spaces")
        }
        self.id = id
        let x = try Self.coordinate("x", json)
        let y = algorithm == .p256 ? try Self.coordinate("y", json) : nil
        let required = Self.required(algorithm, x, y)
        thumbprint = Base64URL.encode(Array(SHA256.hash(data: Array("{\(required)}".utf8))))
        // `kid` is printable ASCII, of which JSON escapes two.
        let quoted = id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        jwk = #"{"alg":"\#(algorithm.rawValue)",\#(required),"kid":"\#(quoted)","use":"sig"}"#
        verifier = try await Self.verifier(jwk, id)
    }

    /// Whether it signed `input`. For a signature of another form too: false.
    func verifies(_ signature: [UInt8], of input: [UInt8]) -> Bool {
        // Both algorithms have 64 bytes: R and S, r and s.
        guard signature.count == 64 else { return false }
        return (try? verifier.verify(signature, signs: input)) ?? false
    }

    /// The collection holds this one key: which key and which algorithm is never the message's choice.
    private static func verifier(_ jwk: String, _ id: String) async throws(Fault) -> any JWTAlgorithm {
        do {
            let collection = JWTKeyCollection()
            try await collection.add(jwk: JWK(json: jwk))
            return try await collection.getKey(for: JWKIdentifier(string: id))
        } catch {
            throw Fault(description: "saw coordinates that are no point of the curve, expected a public key")
        }
    }

    private static func algorithm(_ json: StrictJSON) throws(Fault) -> Algorithm {
        let algorithm: Algorithm
        switch (json.text("kty"), json.text("crv")) {
        case ("OKP", "Ed25519"): algorithm = .ed25519
        case ("EC", "P-256"): algorithm = .p256
        default:
            throw Fault(
                description:
                    "saw a key of another kind, expected kty OKP with crv Ed25519, or kty EC with crv P-256")
        }
        guard json.text("alg") ?? algorithm.rawValue == algorithm.rawValue else {
            throw Fault(description: "saw an alg that is not the key's, expected \(algorithm.rawValue) or none")
        }
        guard json.text("use") ?? "sig" == "sig" else {
            throw Fault(description: "saw a use that is not signing, expected sig or none")
        }
        return algorithm
    }

    private static func coordinate(_ name: String, _ json: StrictJSON) throws(Fault) -> String {
        guard let text = json.text(name), Base64URL.decode(text)?.count == 32 else {
            throw Fault(description: "saw no usable \(name), expected 32 bytes as base64url without padding")
        }
        return text
    }

    /// The members that make the key, in the order of RFC 7638 section 3.
    private static func required(_ algorithm: Algorithm, _ x: String, _ y: String?) -> String {
        switch (algorithm, y) {
        case (.p256, let y?): #""crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)""#
        default: #""crv":"Ed25519","kty":"OKP","x":"\#(x)""#
        }
    }
}
