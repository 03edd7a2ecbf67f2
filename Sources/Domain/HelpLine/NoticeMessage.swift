public import Consent
public import GatewayModel

/// A notice on its way through one channel. It is no call: nobody accepts it, and no alarm knows of it.
public struct NoticeMessage: Disclosable, Hashable {
    public let notice: PersonNotice
    public let profile: PersonProfile
    /// Number to be texted; nil for a channel that has one recipient.
    public let phone: String?

    public init(_ notice: PersonNotice, of profile: PersonProfile, phone: String? = nil) {
        (self.notice, self.profile, self.phone) = (notice, profile, phone)
    }

    public var disclosure: Disclosure { notice.disclosure }
    public var text: String { notice.text.in(profile.language) }
}

/// Outcome of one attempt of a notice.
public enum NoticeOutcome: Hashable, Sendable {
    case handedOver
    /// `reason` is for the log; it names nobody.
    case failed(reason: String)

    /// Reason of a notice that waits beside calls for help when the gateway stops, or behind too many others.
    public static let stopped = "the gateway was stopped before the notice had left"
}
