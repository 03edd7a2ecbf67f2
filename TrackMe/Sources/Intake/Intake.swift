public import GatewayModel
public import Live
public import Logging
public import MQTTBridge
public import Store
import Synchronization

/// Commits the batches of the broker. Each call is one transaction; the broker gets its acknowledgements after it.
public final class Intake: Sendable {
    /// Reason for which a batch has to come again.
    enum Fault: Error, CustomStringConvertible {
        case houseIsNew(GatewayID)

        var description: String {
            switch self {
            case .houseIsNew(let gateway):
                "the house \(gateway) is registered, and its key is not read yet; the batch comes again"
            }
        }
    }

    private let store: any IntakeStore
    private let reader: MessageReader
    private let hub: LiveHub
    private let logger: Logger
    private let clock: @Sendable () -> WallTime
    private let state = Mutex(IntakeCounts())

    public init(
        store: any IntakeStore, houses: HouseDirectory, hub: LiveHub, logger: Logger,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.store, self.hub, self.logger, self.clock) = (store, hub, logger, clock)
        reader = MessageReader { gateway in
            if let check = houses.check(of: gateway) { return .registered(check) }
            guard try store.houseKey(of: gateway) == nil else {
                houses.requestRefresh()
                throw Fault.houseIsNew(gateway)
            }
            return .unknown
        }
    }

    public var counts: IntakeCounts { state.withLock { $0 } }

    /// Commits a batch. Blocks until the disk has it; on the thread of the broker.
    ///
    /// - Throws: nothing of the batch is kept then, and it has to come again.
    public func commit(_ batch: [InboundMessage]) throws {
        let now = clock()
        do {
            let items = try batch.flatMap { try reader.items(of: $0, at: now) }
            let result = try store.keep(items, at: now)
            state.withLock { $0.add(result, messages: batch.count) }
            for (reason, count) in result.setAside {
                logger.notice(
                    "messages were set aside", metadata: ["reason": "\(reason)", "count": "\(count)"])
            }
            hub.publish(result.fresh)
            // A link may have ended: its pages connect again and are checked again.
            for case .decision(let decision) in items { hub.endPages(of: decision.subject) }
        } catch {
            logger.error("a batch is not kept and comes again", metadata: ["error": "\(error)"])
            throw error
        }
    }
}
