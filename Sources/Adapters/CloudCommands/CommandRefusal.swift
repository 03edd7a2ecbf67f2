public import GatewayModel

/// Why a command was not done: a stable word for programs, and one for people.
public struct CommandRefusal: Error, Hashable, Sendable {
    /// The words of the contract; one is never given another meaning.
    public enum Reason: String, CaseIterable, Codable, Sendable {
        // Found before the signature: anybody may have sent it.
        case tooLarge = "too-large"
        case malformed
        case unknownHeader = "unknown-header"
        case wrongType = "wrong-type"
        case algorithmRefused = "algorithm-refused"
        case unknownKey = "unknown-key"
        case badSignature = "bad-signature"
        // Signed by an issuer that is known.
        case duplicateMember = "duplicate-member"
        case unknownMember = "unknown-member"
        case wrongValue = "wrong-value"
        case wrongIssuer = "wrong-issuer"
        case wrongAudience = "wrong-audience"
        case lifetimeTooLong = "lifetime-too-long"
        case issuedInFuture = "issued-in-future"
        case issuedBeforeMemory = "issued-before-memory"
        case expired
        case clockNotSet = "clock-not-set"
        case sequenceNotRising = "sequence-not-rising"
        case idUsed = "id-used"
        case notAllowed = "not-allowed"
        case unknownCommand = "unknown-command"
        case notSupported = "not-supported"
        // Found in doing it.
        case notKept = "not-kept"
        case busy
        case interrupted
        case unknownDevice = "unknown-device"
        case unknownAlarm = "unknown-alarm"
        case nothingOpen = "nothing-open"
        case notPossible = "not-possible"
        case outOfBounds = "out-of-bounds"
        // Of the book of runs, by its own words.
        case unknownRun = "unknown-run"
        case runExists = "run-exists"
        case runOver = "run-over"
        case runBegun = "run-begun"
        case runCancelled = "run-cancelled"
        case notEnrolled = "not-enrolled"
        case tooManyRuns = "too-many-runs"
        case wrongRun = "wrong-run"
        // Of the ledger of consent, by its own words.
        case unknownPerson = "unknown-person"
        case dataPolicyFirst = "data-policy-first"
        case unknownRequest = "unknown-request"
        case requestDiffers = "request-differs"
        case requestOver = "request-over"
        case requestGranted = "request-granted"
        case requestNotGranted = "request-not-granted"
        case tooManyRequests = "too-many-requests"
        case linkCodeMissing = "link-code-missing"
        case linkCodeWrong = "link-code-wrong"
        case linkCodeOver = "link-code-over"
        case partyDiffers = "party-differs"
        case unknownParty = "unknown-party"
        case partyKeyFixed = "party-key-fixed"
        case partySignature = "party-signature"
    }

    public let reason: Reason
    /// The observation and the expectation, for the author of the cloud side. Names no person.
    public let detail: String

    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

extension CommandRefusal {
    /// Refusal where the disk did not answer in time, or failed. A write that was already on its way may still arrive: the
    /// command is carried out then, at the latest by the next run.
    public static let notKept = CommandRefusal(
        .notKept, "the disk does not take it; it may still be done: look before you ask anew")

    public static func unsupported(_ kind: CommandKind) -> CommandRefusal {
        CommandRefusal(.notSupported, "this gateway does not do \(kind.rawValue)")
    }
}
