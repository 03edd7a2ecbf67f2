public import Accounts
public import ContractReading
public import GatewayModel
public import RunBeacon
public import Store

/// Right of an account on a run.
public enum RunRole: String, Hashable, Sendable {
    /// Has created it. Names co-organisers and cancels it.
    case organiser
    /// Changes it, its boxes and its participants.
    case coOrganiser = "co-organiser"
}

/// A run of the server.
public struct OrganisedRun: Hashable, Sendable {
    public let definition: RunDefinition
    public let isCancelled: Bool
    /// Rises with each change of the definition.
    public let version: Int
    /// Participants that have not left.
    public let participants: Int

    public var id: RunID { definition.id }

    public init(definition: RunDefinition, isCancelled: Bool, version: Int, participants: Int) {
        (self.definition, self.isCancelled, self.version) = (definition, isCancelled, version)
        self.participants = participants
    }

    public func state(at now: WallTime) -> RunState {
        if isCancelled { return .cancelled }
        return now < definition.start ? .idle : now < definition.outline.end ? .underway : .over
    }
}

/// A runner of a run.
public struct RunParticipant: Hashable, Sendable {
    public let entrant: Entrant
    /// Nil for one that an organiser has enrolled, and after the removal of the account.
    public let account: AccountID?
    /// The runner lets the public see the name.
    public let showsName: Bool

    public init(entrant: Entrant, account: AccountID?, showsName: Bool) {
        (self.entrant, self.account, self.showsName) = (entrant, account, showsName)
    }
}

/// A run from the view of an account.
public struct OwnRun: Hashable, Sendable {
    public let run: OrganisedRun
    /// Nil for one that the account does not organise.
    public let role: RunRole?
    /// Nil for one in which the account does not run.
    public let bib: Bib?

    public init(run: OrganisedRun, role: RunRole?, bib: Bib?) {
        (self.run, self.role, self.bib) = (run, role, bib)
    }
}

/// Command to a box of a run, with its receipt.
public struct RunCommandRecord: Hashable, Sendable {
    public let gateway: GatewayID
    /// `type` of the command.
    public let type: String
    public let asked: WallTime
    public let state: CommandState
    /// Code of the house.
    public let reason: String?

    public init(gateway: GatewayID, type: String, asked: WallTime, state: CommandState, reason: String?) {
        (self.gateway, self.type, self.asked, self.state, self.reason) = (gateway, type, asked, state, reason)
    }
}

/// Messages of a run about its present participants.
public struct RunMessages: Sendable {
    public var passings: [PassingRecord] = []
    /// The newest of each runner.
    public var positions: [ContractReading.RunnerPosition] = []
    public var corrections: [CorrectionRecord] = []
    /// Last position of each runner with a lost tracker.
    public var lost: [Bib: WallTime] = [:]
    /// The newest reading of each kind of each runner with a grant.
    public var vitals: [Bib: [RunnerVital]] = [:]

    public init() {}
}

/// Reason for which an act on a run is not done. It left no trace.
public enum RunActRefusal: Error, Hashable, Sendable {
    case unknownRun
    /// The account has no such right on the run.
    case notAllowed
    case taken
    /// Somebody else has changed it since the page was loaded.
    case changedMeanwhile
    case over, cancelled
    /// The course of a run stays from its start on.
    case begun
    case unknownUser, unknownRunner, unknownBox
    /// The bib or the tracker is another runner's.
    case inUse
    case full
    case tooMany
    /// The server knows another key of this box.
    case otherKey
    /// The box stands at a checkpoint of the definition, or a runner carries it.
    case boxStands, boxIsCarried
    /// The box has been taken out, which ended the run there permanently.
    case boxTakenOut
    /// The idempotency key belongs to another act of the account.
    case keyUsed
}

/// Idempotency key of an account, with the act that it stands for.
public struct RunActKey: Hashable, Sendable {
    public let text: String
    /// Digest of the act and its values.
    public let digest: [UInt8]

    public init(_ text: String, digest: [UInt8]) { (self.text, self.digest) = (text, digest) }
}
