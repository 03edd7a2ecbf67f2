public import Accounts
import Background
public import CloudCommands
public import GatewayModel
import Houses
public import Logging
public import ServiceLifecycle
public import Store

/// Acts of organisers and runners on runs.
public struct RunService: Sendable {
    public let runs: RunStore
    private let fleets: FleetStore
    private let signer: CommandSigner
    private let operatorName: String
    private let clock: @Sendable () -> WallTime

    /// - Parameter operatorName: of the server, in the commands to the boxes. They name no account.
    public init(
        runs: RunStore, fleets: FleetStore, signer: IssuerSigner, issuer: IssuerID,
        operatorName: String, clock: @escaping @Sendable () -> WallTime
    ) {
        (self.runs, self.fleets, self.clock) = (runs, fleets, clock)
        (self.signer, self.operatorName) = (CommandSigner(signer, as: issuer), operatorName)
    }

    private init(_ other: RunService, runs: RunStore) {
        (self.runs, fleets, clock) = (runs, other.fleets, other.clock)
        (signer, operatorName) = (other.signer, other.operatorName)
    }

    /// The same service, whose acts are done once under a key.
    public func once(_ key: RunActKey) -> RunService { RunService(self, runs: runs.once(key)) }

    /// Adds the box that a code is of, or a box of the fleet of the account by its name.
    ///
    /// - Parameter text: code of `homegateway contract claim`, or the name of a box of the fleet.
    /// - Throws: `CommandRefusal` for a code that is none or too old, `RunActRefusal`.
    public func addBox(_ text: String, to run: RunID, by account: Account) async throws {
        let now = clock()
        if let gateway = GatewayID(text) {
            guard let fleet = try await fleets.fleet(of: account.id),
                try await fleets.box(gateway, of: fleet) != nil
            else { throw RunActRefusal.notAllowed }
            try await runs.add(gateway, to: run, by: account.id, at: now)
            return
        }
        let claim = try await BoxClaim(text, at: now)
        try await runs.add(
            House(gateway: claim.gateway, key: claim.jwk, added: now), to: run, by: account.id)
    }

    /// Queues the commands of all changes since the last call.
    public func sendChanges() async throws {
        try await runs.reconcile(at: clock()) { [signer, operatorName] command, gateway, sequence, at in
            try signer.command(
                command, about: nil, to: gateway, by: operatorName, sequence: sequence, at: at)
        }
    }

    /// Asks at home whether spectators may see heart rate and energy of the account's own runner until the end of the run.
    ///
    /// - Throws: `RunActRefusal`.
    public func share(_ subject: HousePerson, of bib: Bib, in run: RunID, by account: Account) async throws {
        try await runs.share(
            subject, of: bib, in: run, as: CommandSigner.newRequest("run"), by: account.id, at: clock())
    }

    /// Ends the sharing here at once; the house is told.
    public func endSharing(of bib: Bib, in run: RunID, by account: Account) async throws {
        try await runs.endSharing(of: bib, in: run, by: account.id, at: clock())
    }

    /// Queues the questions and withdrawals of sharings since the last call.
    public func sendSharings() async throws {
        let now = clock()
        try await runs.reconcileSharings(at: now) { [signer, operatorName] command, sharing, sequence in
            let (subject, request) = (sharing.subject, sharing.request)
            switch command {
            case .ask(let title, let until):
                return try signer.command(
                    DataRequest(
                        request, from: LinkService.spectators, named: operatorName, of: subject.person,
                        purpose: "Show them to everybody on the page of the run \(title), until its end",
                        kinds: RunSharing.kinds.map(\.rawValue), until: until),
                    about: request, to: subject.gateway, by: operatorName, sequence: sequence, at: now)
            case .withdraw:
                return try signer.command(
                    RequestWithdrawal(of: request, by: subject.person), about: request, to: subject.gateway,
                    by: operatorName, sequence: sequence, at: now)
            }
        }
    }

    public func sweep() async throws { try await runs.sweep(at: clock(), life: RunLoop.life) }
}

/// Sends the changes of runs to their boxes, and removes old runs.
public struct RunLoop: Service {
    /// Time for which a run stays after its end.
    static let life = Duration.seconds(31 * 86_400)
    private static let interval = Duration.seconds(1)
    private static let sweepInterval = Duration.seconds(60)

    private let service: RunService
    private let logger: Logger

    public init(_ service: RunService, logger: Logger) { (self.service, self.logger) = (service, logger) }

    public func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await Rounds(every: Self.sweepInterval, "old runs are not removed", logger: logger)
                    .run(service.sweep)
            }
            await Rounds(every: Self.interval, "commands of runs are not queued", logger: logger).run {
                try await service.sendChanges()
                try await service.sendSharings()
            }
            group.cancelAll()
        }
    }
}
