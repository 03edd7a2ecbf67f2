import Crypto
import FoundationEssentials
public import GatewayModel
import JSONReading

/// Answer of a browser with a new passkey (`AuthenticatorAttestationResponse`).
public struct PasskeyRegistration: Sendable {
    public let clientData: [UInt8]
    public let attestation: [UInt8]

    public init(clientData: [UInt8], attestation: [UInt8]) {
        (self.clientData, self.attestation) = (clientData, attestation)
    }
}

/// Answer of a browser with the signature of a passkey (`AuthenticatorAssertionResponse`).
public struct PasskeyAssertion: Sendable {
    public let clientData: [UInt8]
    public let authenticatorData: [UInt8]
    public let signature: [UInt8]
    /// As `RelyingParty.userHandle` gave it with the registration.
    public let userHandle: [UInt8]

    public init(clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]) {
        (self.clientData, self.authenticatorData) = (clientData, authenticatorData)
        (self.signature, self.userHandle) = (signature, userHandle)
    }
}

/// The server as the party that passkeys are made for: gives challenges, and verifies the answers of browsers (WebAuthn Level 3
/// sections 7.1 and 7.2). Keeps no state and reads no clock.
///
/// Attestations are not asked for, and not verified: every model of a device is as good. Devices have to verify their user, since
/// a passkey stands in the place of a password.
public struct RelyingParty: Sendable {
    /// Reason for a challenge. An answer to one is none to another.
    public enum Purpose: Hashable, Sendable {
        case signIn
        case addition(to: AccountID)

        fileprivate var text: String {
            switch self {
            case .signIn: "sign-in"
            case .addition(let account): "addition to \(account)"
            }
        }
    }

    /// Time for an answer to a challenge. Browsers give up after five minutes as well (section 15.1).
    public static let challengeLifetime = Duration.seconds(300)
    /// Difference of the clocks of two servers of one database.
    private static let skew = Duration.seconds(60)

    private static let (timeLength, noiseLength, codeLength) = (8, 16, 32)
    /// Bytes of a client's data and its number of JSON values.
    private static let (clientDataLength, clientDataValues) = (4_096, 64)

    /// Host for which browsers keep the passkeys.
    public let id: String
    private let origin: String
    private let hash: [UInt8]
    private let challengeKey: SymmetricKey
    private let handleKey: SymmetricKey

    /// - Parameters:
    ///   - host: of `origin`.
    ///   - origin: address of the server, as browsers write it.
    ///   - masterKey: 32 bytes, the same for each server of a database.
    /// - Returns: nil for the address of a machine: browsers keep passkeys for names alone (section 5.1.3, "effective domain").
    public init?(host: String, origin: String, masterKey: [UInt8]) {
        let last = host.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        guard !last.isEmpty, !host.contains("["), !last.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        func key(_ label: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: masterKey), info: Array("trackme passkey \(label)".utf8),
                outputByteCount: 32)
        }
        (id, self.origin, hash) = (host, origin, Array(SHA256.hash(data: Array(host.utf8))))
        (challengeKey, handleKey) = (key("challenges"), key("user handles"))
    }

    /// Numbers of COSE of the algorithms, the preferred one first.
    public var algorithms: [Int64] { PasskeyKey.algorithms }

    /// Name of an account for authenticators. It tells them nothing.
    public func userHandle(of account: AccountID) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("account \(account)".utf8), using: handleKey))
    }

    // MARK: Challenges

    /// Makes a challenge. It carries its time and a code of the server, so that the server need not keep it.
    ///
    /// - Parameter holder: text that is known to one browser alone.
    public func challenge(_ purpose: Purpose, for holder: String, at now: WallTime) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<Self.noiseLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let content = withUnsafeBytes(of: now.millisecondsSince1970.bigEndian) { Array($0) } + noise
        return content + Array(code(of: content, purpose, holder))
    }

    private func code(
        of content: [UInt8], _ purpose: Purpose, _ holder: String
    ) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: message(content, purpose, holder), using: challengeKey)
    }

    private func message(_ content: [UInt8], _ purpose: Purpose, _ holder: String) -> [UInt8] {
        content + Array("\(purpose.text) for \(holder)".utf8)
    }

    /// Time of a challenge of this server.
    private func time(
        of challenge: [UInt8], _ purpose: Purpose, for holder: String, at now: WallTime
    ) throws(PasskeyFault) -> WallTime {
        let content = Array(challenge.dropLast(Self.codeLength))
        guard content.count == Self.timeLength + Self.noiseLength,
            HMAC<SHA256>.isValidAuthenticationCode(
                challenge.suffix(Self.codeLength), authenticating: message(content, purpose, holder),
                using: challengeKey)
        else { throw .wrongChallenge }
        let time = WallTime(
            millisecondsSince1970: content.prefix(Self.timeLength).reduce(0) { $0 << 8 | Int64($1) })
        guard time <= now.advanced(by: Self.skew), now < time.advanced(by: Self.challengeLifetime) else {
            throw .tooLate
        }
        return time
    }

    // MARK: Answers

    /// Verifies a new passkey (section 7.1).
    ///
    /// - Returns: its ID, its key and its counter. The ID may be in the store already.
    public func verify(
        _ answer: PasskeyRegistration, of account: AccountID, for holder: String, at now: WallTime
    ) throws(PasskeyFault) -> (id: PasskeyID, key: PasskeyKey, counter: UInt32) {
        try verify(answer) { challenge throws(PasskeyFault) in
            _ = try time(of: challenge, .addition(to: account), for: holder, at: now)
        }
    }

    func verify(
        _ answer: PasskeyRegistration, challenge check: ([UInt8]) throws(PasskeyFault) -> Void
    ) throws(PasskeyFault) -> (id: PasskeyID, key: PasskeyKey, counter: UInt32) {
        try check(try self.challenge(of: answer.clientData, "webauthn.create"))
        let attestation = try CBORReader.item(of: answer.attestation)
        // The statement is any: it is not verified.
        guard case .text = attestation[.text("fmt")], case .map = attestation[.text("attStmt")],
            let bytes = attestation[.text("authData")]?.bytes
        else { throw .malformed("an attestation without fmt, attStmt and authData") }
        let data = try authenticatorData(bytes)
        guard let credential = data.credential else { throw .malformed("a registration without a passkey") }
        let key = try PasskeyKey(credential.key)
        guard data.flags.contains(.userVerified) else { throw .userNotVerified }
        return (credential.id, key, data.counter)
    }

    /// Verifies a sign-in by a passkey of the store (section 7.2), but for the counter and for the challenge of an earlier
    /// sign-in, which the store compares in the commit of the sign-in.
    ///
    /// - Returns: the counter of the device and the time of the challenge.
    public func verify(
        _ answer: PasskeyAssertion, of passkey: Passkey, for holder: String, at now: WallTime
    ) throws(PasskeyFault) -> (counter: UInt32, challenged: WallTime) {
        let challenge = try self.challenge(of: answer.clientData, "webauthn.get")
        let challenged = try time(of: challenge, .signIn, for: holder, at: now)
        guard answer.userHandle == userHandle(of: passkey.account) else { throw .wrongUser }
        return (try counter(of: answer, signedBy: passkey.key), challenged)
    }

    /// Verifies the signature with all that it covers but the challenge.
    func counter(of answer: PasskeyAssertion, signedBy key: PasskeyKey) throws(PasskeyFault) -> UInt32 {
        let data = try authenticatorData(answer.authenticatorData)
        guard data.credential == nil else { throw .malformed("a sign-in with another passkey within it") }
        let message = answer.authenticatorData + Array(SHA256.hash(data: answer.clientData))
        guard key.verifies(answer.signature, of: message) else { throw .wrongSignature }
        guard data.flags.contains(.userVerified) else { throw .userNotVerified }
        return data.counter
    }

    /// `CollectedClientData` (section 5.8.1).
    private struct ClientData: Decodable {
        let type: String
        let challenge: String
        let origin: String
        let crossOrigin: Bool?
        let topOrigin: String?
    }

    /// Checks a client's data, and returns their challenge.
    func challenge(of clientData: [UInt8], _ type: String) throws(PasskeyFault) -> [UInt8] {
        let client: ClientData
        do {
            client = try JSONReader.decode(
                from: clientData, limit: Self.clientDataLength, mostValues: Self.clientDataValues)
        } catch {
            throw .malformed("data of a client that are not of the specification")
        }
        guard client.type == type else { throw .wrongCeremony }
        guard client.origin == origin, client.crossOrigin != true, client.topOrigin == nil else {
            throw .wrongOrigin
        }
        guard let challenge = Base64URL.decode(client.challenge) else { throw .wrongChallenge }
        return challenge
    }

    private func authenticatorData(_ bytes: [UInt8]) throws(PasskeyFault) -> AuthenticatorData {
        let data = try AuthenticatorData(bytes)
        guard data.party == hash else { throw .wrongParty }
        guard data.flags.contains(.userPresent) else { throw .userNotPresent }
        guard data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp) else {
            throw .wrongBackupFlags
        }
        return data
    }
}
