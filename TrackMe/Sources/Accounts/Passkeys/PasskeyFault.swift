/// Reason for which the answer of a browser is refused. The texts have no value of the answer.
public enum PasskeyFault: Error, Hashable, Sendable {
    /// The bytes are not of the form that the specification gives them.
    case malformed(StaticText)
    /// The answer is of a registration instead of a sign-in, or the other way round.
    case wrongCeremony
    /// The challenge is not of this server, or was given for another browser or purpose.
    case wrongChallenge
    /// The challenge is older than `RelyingParty.challengeLifetime`.
    case tooLate
    /// The page of the answer is not of this server, or was in a frame of another site.
    case wrongOrigin
    case wrongParty
    case userNotPresent
    /// The device has not checked its user by a PIN, a finger or a face.
    case userNotVerified
    /// The flags of a backup contradict each other.
    case wrongBackupFlags
    /// The key is not of ES256 or Ed25519.
    case unknownAlgorithm
    case wrongSignature
    /// The passkey was made for another account.
    case wrongUser

    /// Text of the program.
    public struct StaticText: Hashable, Sendable, ExpressibleByStringLiteral {
        public let text: String

        public init(stringLiteral value: StaticString) { text = value.description }
    }
}
