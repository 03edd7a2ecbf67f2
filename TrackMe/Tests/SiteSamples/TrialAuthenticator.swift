import Crypto
import Foundation
import GatewayModel

/// An authenticator in memory, and the browser in front of it: answers the options of a page as fields of its form.
public final class TrialAuthenticator {
    public enum Algorithm: CaseIterable, Sendable { case es256, ed25519 }

    private enum Key {
        case es256(P256.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    private struct Options: Decodable {
        struct User: Decodable { let id: String }

        let challenge: String?
        let user: User?
    }

    /// Address of the page as the browser tells it.
    public var origin = TrialSite.origin
    /// Whether the device checks the user by a PIN or a finger.
    public var verifiesUser = true
    /// Signatures until now. 0 for a device that does not count.
    public var counter: UInt32

    private let key: Key
    private let id: [UInt8]
    private var handle: [UInt8] = []

    public init(_ algorithm: Algorithm = .es256, counter: UInt32 = 0) {
        self.counter = counter
        switch algorithm {
        case .es256: key = .es256(P256.Signing.PrivateKey())
        case .ed25519: key = .ed25519(Curve25519.Signing.PrivateKey())
        }
        id = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// Fields of the form that adds a passkey.
    ///
    /// - Parameters:
    ///   - page: with the challenge.
    ///   - options: JSON of the server.
    public func make(at page: Seen, _ options: Seen) throws -> [(String, String)] {
        let challenge = page.text.firstMatch(of: /id="passkey-challenge" value="([^"]+)"/).map { String($0.1) }
        let options = try Self.options(options.text)
        handle = Base64URL.decode(options.user?.id ?? "") ?? []
        let data = authenticatorData(credential: true)
        let attestation =
            [0xA3] + Self.text("fmt") + Self.text("none") + Self.text("attStmt") + [0xA0]
            + Self.text("authData") + [0x58, UInt8(data.count)] + data
        return [
            ("client", Base64URL.encode(clientData("webauthn.create", challenge))),
            ("attestation", Base64URL.encode(attestation)),
        ]
    }

    /// Returns whether the options of the server exclude this authenticator, which has a passkey of the account.
    public func isExcluded(by options: Seen) -> Bool { options.text.contains(Base64URL.encode(id)) }

    /// Fields of the form that signs in.
    public func sign(_ options: Seen) throws -> [(String, String)] { try sign(optionsOf: options.text) }

    /// - Parameter json: options of the server.
    public func sign(optionsOf json: String) throws -> [(String, String)] {
        let client = clientData("webauthn.get", try Self.options(json).challenge)
        if counter > 0 { counter += 1 }
        let data = authenticatorData(credential: false)
        let message = data + Array(SHA256.hash(data: client))
        let signature: Data =
            switch key {
            case .es256(let key): try key.signature(for: message).derRepresentation
            case .ed25519(let key): try key.signature(for: message)
            }
        return [
            ("credential", Base64URL.encode(id)), ("client", Base64URL.encode(client)),
            ("authenticator", Base64URL.encode(data)), ("signature", Base64URL.encode(Array(signature))),
            ("handle", Base64URL.encode(handle)),
        ]
    }

    private static func options(_ json: String) throws -> Options {
        try JSONDecoder().decode(Options.self, from: Data(json.utf8))
    }

    private func clientData(_ type: String, _ challenge: String?) -> [UInt8] {
        Array(
            #"{"type":"\#(type)","challenge":"\#(challenge ?? "")","origin":"\#(origin)","crossOrigin":false}"#
                .utf8)
    }

    private func authenticatorData(credential: Bool) -> [UInt8] {
        let flags: UInt8 = 0x01 | (verifiesUser ? 0x04 : 0) | (credential ? 0x40 : 0)
        let head =
            Array(SHA256.hash(data: Array("trackme.example".utf8))) + [flags]
            + withUnsafeBytes(of: counter.bigEndian) { Array($0) }
        guard credential else { return head }
        return head + [UInt8](repeating: 0, count: 16) + [0, UInt8(id.count)] + id + publicKey
    }

    /// COSE.
    private var publicKey: [UInt8] {
        switch key {
        case .es256(let key):
            let point = Array(key.publicKey.rawRepresentation)
            return [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.prefix(32)
                + [0x22, 0x58, 0x20] + point.suffix(32)
        case .ed25519(let key):
            return [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20]
                + Array(key.publicKey.rawRepresentation)
        }
    }

    private static func text(_ text: String) -> [UInt8] { [0x60 | UInt8(text.utf8.count)] + Array(text.utf8) }
}

extension TrialBrowser {
    /// Adds a passkey to the account of the session. Returns the answer to the last form.
    @discardableResult
    public func addPasskey(
        _ device: TrialAuthenticator, named name: String = "phone", password: String = TrialSite.password
    ) async throws -> Seen {
        await get("/account/passkeys")
        let page = await post("/account/passkeys/new", [("name", name), ("current", password)])
        guard page.text.contains("passkey-challenge") else { return page }
        let fields = try device.make(at: page, await get("/account/passkeys/options"))
        return await post("/account/passkeys", [("name", name)] + fields)
    }

    /// Loads the page to sign in, and signs in by a passkey.
    @discardableResult
    public func signIn(by device: TrialAuthenticator) async throws -> Seen {
        await get("/sign-in")
        return await post("/sign-in/passkey", try device.sign(await get("/sign-in/passkey/options")))
    }
}
