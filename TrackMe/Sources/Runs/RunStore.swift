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

/// Runs with their organisers, boxes, participants and messages. Each act is one commit.
public protocol RunStore: Sendable {
    /// Runs that an account organises and that are not over; boxes of a run, those taken out among them.
    static var mostRuns: Int { get }
    static var mostBoxes: Int { get }

    /// The same store, whose acts are done once under a key: an act that comes again under it changes nothing. A key is
    /// known for a day.
    func once(_ key: RunActKey) -> any RunStore

    func create(_ definition: RunDefinition, by account: AccountID, at now: WallTime) async throws
    /// - Parameter version: that the change is based on.
    func change(
        _ definition: RunDefinition, from version: Int, by account: AccountID, at now: WallTime) async throws
    func cancel(_ run: RunID, by account: AccountID, at now: WallTime) async throws
    func addOrganiser(_ user: UserName, to run: RunID, by account: AccountID, at now: WallTime) async throws
    func removeOrganiser(
        _ user: UserName, from run: RunID, by account: AccountID, at now: WallTime) async throws
    /// Registers the house if it is new.
    func add(_ house: House, to run: RunID, by account: AccountID) async throws
    /// Adds a registered house. The caller has checked the account's right on it.
    func add(_ gateway: GatewayID, to run: RunID, by account: AccountID, at now: WallTime) async throws
    /// Takes a box out of the run, and ends the run there. Messages of the box count no more from now on.
    ///
    /// - Parameter discarding: removes the messages of the box that came until now; else they stay.
    func remove(
        _ gateway: GatewayID, from run: RunID, discarding: Bool, by account: AccountID, at now: WallTime
    ) async throws
    /// - Parameters:
    ///   - isOwn: the account enrols itself; else it is an organiser.
    func enrol(
        _ participant: RunParticipant, in run: RunID, isOwn: Bool, by account: AccountID, at now: WallTime
    ) async throws
    /// Ends an enrolment, by the runner or an organiser, and removes the messages about it.
    func leave(_ bib: Bib, of run: RunID, by account: AccountID, at now: WallTime) async throws

    /// Asks the person at home whether spectators may see the readings of the account's own runner. Does nothing if a request
    /// is open. The question leaves with the next round of `reconcileSharings`.
    ///
    /// - Throws: `RunActRefusal.notAllowed` for another's runner or a person without a link to the account,
    ///   `RunActRefusal.tooMany` after three questions in a day.
    func share(
        _ subject: HousePerson, of bib: Bib, in run: RunID, as request: RequestID, by account: AccountID,
        at now: WallTime
    ) async throws
    /// Ends the sharing of the account's own runner here at once.
    func endSharing(of bib: Bib, in run: RunID, by account: AccountID, at now: WallTime) async throws
    /// Newest request for the runner; nil if there was none.
    func sharing(of bib: Bib, in run: RunID) async throws -> RunSharing?

    func run(_ id: RunID) async throws -> OrganisedRun?
    /// By their starts, the newest first.
    func runs(most: Int) async throws -> [OrganisedRun]
    /// Those that the account organises or runs in, by their names, after a name.
    func ownRuns(of account: AccountID, after: RunID?, most: Int) async throws -> [OwnRun]
    /// Those that the account organises, with its role.
    func runs(of account: AccountID) async throws -> [(run: OrganisedRun, role: RunRole)]
    /// Those in which the account runs.
    func enrolments(of account: AccountID) async throws -> [(run: OrganisedRun, bib: Bib)]
    func role(of account: AccountID, in run: RunID) async throws -> RunRole?
    /// Sorted by name.
    func organisers(of run: RunID) async throws -> [(user: UserName, role: RunRole)]
    func boxes(of run: RunID) async throws -> [GatewayID]
    /// Those that have not left, sorted by bib.
    func participants(of run: RunID) async throws -> [RunParticipant]
    func messages(of run: RunID) async throws -> RunMessages
    /// Newest first.
    func commands(of run: RunID, most: Int) async throws -> [RunCommandRecord]

    /// Queues the commands that bring each box from the revision that it was sent to the present one.
    func reconcile(
        at now: WallTime,
        sign:
            @escaping @Sendable (
                _ command: RunCommand, _ gateway: GatewayID, _ sequence: Int64, _ at: WallTime
            ) throws -> OutgoingCommand
    ) async throws
    /// Queues the questions and withdrawals of sharings, and ends those of accounts that are not linked any more.
    func reconcileSharings(
        at now: WallTime,
        sign:
            @escaping @Sendable (
                _ command: RunSharingCommand, _ sharing: RunSharing, _ sequence: Int64
            ) throws -> OutgoingCommand
    ) async throws
    /// Ends the enrolments of removed accounts, and removes the runs that have been over for `life`.
    func sweep(at now: WallTime, life: Duration) async throws
}
