public import GatewayModel

/// Policy that a person can accept or withdraw.
public enum ConsentSubject: String, CaseIterable, Hashable, Sendable {
    /// Readings may go to the TrackMe cloud (Data4Help).
    case dataPolicy = "data-policy"
    /// In an emergency, help may be called with the person's name, readings and location (AutomatedSOS). Requires the
    /// data policy: it can be accepted only while that policy is in force, and ends with it.
    case automatedSOS = "automated-sos"
    /// Readings may be shown on the home's own dashboard. Independent of the other policies: no data goes to the cloud.
    case homeDashboard = "home-dashboard"

    /// Whether the policy releases data to the cloud or to helpers.
    var leavesTheHouse: Bool { self != .homeDashboard }
}

/// Interface through which a decision was made.
public enum ConsentMeans: String, CaseIterable, Hashable, Sendable {
    case settings
    case commandLine = "command-line"
    /// A signed command from the cloud.
    case command
    /// The screen in the house.
    case console
    /// The gateway itself: it ends an expired grant, or acts after damage of its ledger.
    case gateway
}

/// One decision about one person's data.
public struct ConsentDecision: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable { case accepted, withdrawn }

    /// Maximum number of characters of a decider's name.
    public static let nameLength = 200

    public let person: PersonID
    public let act: ConsentAct
    /// Name of the decider, as the decider entered it.
    public let by: String
    public let means: ConsentMeans
    public let at: WallTime

    public init(_ act: ConsentAct, for person: PersonID, by: String, means: ConsentMeans, at: WallTime) {
        (self.person, self.act, self.by, self.means, self.at) = (person, act, by, means, at)
    }

    /// Creates a decision about a policy.
    public init(
        person: PersonID, subject: ConsentSubject, verdict: Verdict, by: String, means: ConsentMeans,
        at: WallTime
    ) {
        self.init(.policy(subject, verdict), for: person, by: by, means: means, at: at)
    }

    /// Returns a decision for the same person, by the same decider, with the same means and at the same instant.
    func followed(by act: ConsentAct) -> ConsentDecision {
        ConsentDecision(act, for: person, by: by, means: means, at: at)
    }
}
