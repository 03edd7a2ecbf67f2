public import Accounts
public import GatewayModel

/// Request of this server to show heart rate and energy of a runner to the spectators of a run, and the answer of the
/// runner's house. The house sends the readings by the grant of this request alone.
public struct RunSharing: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The house has no answer yet.
        case asked
        case shared, refused, ended, expired
        /// The house has refused the command: `reason` has its code.
        case failed

        public var isOpen: Bool { self == .asked || self == .shared }
    }

    /// Kinds that spectators see.
    public static let kinds: [QuantityKind] = [.heartRate, .energyExpended]
    /// Requests for one person in a day: a person at home is not to be pestered.
    public static let mostInADay = 3

    public let subject: HousePerson
    public let request: RequestID
    public let state: State
    public let reason: String?

    public init(subject: HousePerson, request: RequestID, state: State, reason: String?) {
        (self.subject, self.request, self.state, self.reason) = (subject, request, state, reason)
    }
}

/// Message to a house about a sharing.
public enum RunSharingCommand: Hashable, Sendable {
    /// - Parameters:
    ///   - title: of the run.
    ///   - until: end of the run, which is that of the grant.
    case ask(title: String, until: WallTime)
    case withdraw
}

/// Reading of a runner as spectators see it.
public struct RunnerVital: Hashable, Sendable {
    /// A reading that is older is not shown: it says nothing of the runner any more.
    public static let life = Duration.seconds(300)

    public let kind: QuantityKind
    /// In the unit of the kind.
    public let value: Double
    public let time: WallTime

    public init(kind: QuantityKind, value: Double, time: WallTime) {
        (self.kind, self.value, self.time) = (kind, value, time)
    }
}
