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

    /// Whether it opens the way to the cloud, and to whoever helps.
    var leavesTheHouse: Bool { self != .homeDashboard }
}

/// Where a decision was taken.
public enum ConsentMeans: String, CaseIterable, Hashable, Sendable {
    case settings
    case commandLine = "command-line"
    /// A signed command from the cloud.
    case command
    /// The screen in the house.
    case console
    /// The gateway itself: a grant whose time was over, or what it does where its ledger was damaged.
    case gateway
}

/// One decision about one person's data, as it was taken.
public struct ConsentDecision: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable { case accepted, withdrawn }

    /// Characters of a name that decides.
    public static let nameLength = 200

    public let person: PersonID
    public let act: ConsentAct
    /// Who decided, as they named themselves.
    public let by: String
    public let means: ConsentMeans
    public let at: WallTime

    public init(_ act: ConsentAct, for person: PersonID, by: String, means: ConsentMeans, at: WallTime) {
        (self.person, self.act, self.by, self.means, self.at) = (person, act, by, means, at)
    }

    /// About one of the two policies.
    public init(
        person: PersonID, subject: ConsentSubject, verdict: Verdict, by: String, means: ConsentMeans,
        at: WallTime
    ) {
        self.init(.policy(subject, verdict), for: person, by: by, means: means, at: at)
    }

    /// The same person's, by the same hand and at the same instant.
    func followed(by act: ConsentAct) -> ConsentDecision {
        ConsentDecision(act, for: person, by: by, means: means, at: at)
    }
}
