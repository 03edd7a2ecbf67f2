public import GatewayModel

/// What a person can accept or withdraw.
public enum ConsentSubject: String, CaseIterable, Hashable, Sendable {
    /// Readings may go to the TrackMe cloud (Data4Help).
    case dataPolicy = "data-policy"
    /// In an emergency help may be called with the person's name, readings and place (AutomatedSOS).
    /// Stands on the data policy: accepted only while that is, and ended with it.
    case automatedSOS = "automated-sos"
    /// Readings may be shown on the home's own dashboard. Stands by itself: none of it goes to the cloud.
    case homeDashboard = "home-dashboard"
}

/// One decision of one person, as it was taken.
public struct ConsentDecision: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable { case accepted, withdrawn }

    /// Where it was taken.
    public enum Means: String, Hashable, Sendable {
        case settings
        case commandLine = "command-line"
    }

    public let person: PersonID
    public let subject: ConsentSubject
    public let verdict: Verdict
    /// Who decided, as they named themselves.
    public let by: String
    public let means: Means
    public let at: WallTime

    public init(
        person: PersonID, subject: ConsentSubject, verdict: Verdict, by: String, means: Means, at: WallTime
    ) {
        self.person = person
        self.subject = subject
        self.verdict = verdict
        self.by = by
        self.means = means
        self.at = at
    }
}
