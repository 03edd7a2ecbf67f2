import Background
public import GatewayModel
public import Logging
public import ServiceLifecycle
public import Store

/// Sends the commands of the outbox until each has its receipt. A command keeps its `jti` and its `seq`, so the gateway
/// carries it out once.
public struct CommandLoop: Service {
    /// Commands of one round.
    private static let most = 100
    private static let roundInterval = Duration.milliseconds(500)
    /// A gateway answers within seconds if it is there. A house that is away gets the command again less and less often,
    /// although the broker keeps the first copy as well.
    private static let shortestWait: Int64 = 30_000
    private static let longestWait: Int64 = 600_000

    private let commands: LinkStore
    private let signer: CommandSigner
    private let publish: @Sendable (_ payload: [UInt8], _ gateway: GatewayID) async throws -> Void
    private let clock: @Sendable () -> WallTime
    private let logger: Logger

    /// - Parameter publish: returns when the broker has the message.
    public init(
        commands: LinkStore, signer: CommandSigner, logger: Logger,
        clock: @escaping @Sendable () -> WallTime,
        publish: @escaping @Sendable (_ payload: [UInt8], _ gateway: GatewayID) async throws -> Void
    ) {
        (self.commands, self.signer, self.publish) = (commands, signer, publish)
        (self.logger, self.clock) = (logger, clock)
    }

    public func run() async throws {
        await Rounds(every: Self.roundInterval, "commands are not sent", logger: logger).run(sendDue)
    }

    /// One round: sends the commands that are due. A withdrawal that has ended without an answer is signed anew first: the
    /// permission in the house must end, however long the house was away.
    public func sendDue() async throws {
        let now = clock()
        for command in try await commands.endedWithdrawals(at: now, most: Self.most) {
            do {
                try await commands.replace(command.id, at: now) { [signer] sequence in
                    try signer.renewed(command, sequence: sequence, at: now)
                }
            } catch {
                // It must not hold up the others.
                logger.error(
                    "a withdrawal cannot be signed anew",
                    metadata: ["gateway": "\(command.gateway)", "error": "\(error)"])
            }
        }
        for command in try await commands.due(at: now, most: Self.most) {
            try await publish(command.token, command.gateway)
            try await commands.markSent(command.id, next: Self.next(of: command, at: clock()))
        }
    }

    static func next(of command: OutgoingCommand, at now: WallTime) -> WallTime {
        let age = now.millisecondsSince1970 - command.created.millisecondsSince1970
        let wait = min(max(age, shortestWait), longestWait)
        return WallTime(millisecondsSince1970: now.millisecondsSince1970 + wait)
    }
}
