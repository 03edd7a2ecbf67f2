public import Accounts
import Dispatch
public import GatewayModel
public import Houses
public import Logging
public import MQTTBridge
public import Store
import Synchronization

/// Commits the batches of the broker, each in one transaction or in several at the same time. The broker gets its
/// acknowledgements after the last one.
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

    private let store: IntakeStore
    private let reader: MessageReader
    private let hub: LiveHub
    private let logger: Logger
    private let clock: @Sendable () -> WallTime
    private let state = Mutex(IntakeCounts())

    public init(
        store: IntakeStore, houses: HouseDirectory, hub: LiveHub, sealer: IdentitySealer, logger: Logger,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.store, self.hub, self.logger, self.clock) = (store, hub, logger, clock)
        reader = MessageReader(sealer: sealer) { gateway in
            if let check = houses.check(of: gateway) { return .registered(check) }
            guard try store.houseKey(of: gateway) == nil else {
                houses.requestRefresh()
                throw Fault.houseIsNew(gateway)
            }
            return .unknown
        }
    }

    public var counts: IntakeCounts { state.withLock { $0 } }

    /// Messages of a batch that are worth a transaction of their own.
    private static let leastOfPart = 50

    /// Commits a batch. Blocks until the disk has it; on the thread of the broker.
    ///
    /// - Throws: at least a part of the batch is not kept then, and all of it has to come again. The store keeps one of an
    ///   ID.
    public func commit(_ batch: [InboundMessage]) throws {
        let parts = parts(of: batch)
        guard parts.count > 1 else { return try commit(part: batch) }
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: parts.count) { index in
            do { try commit(part: parts[index]) } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock(\.self) { throw error }
    }

    /// All messages of a house are in one part, in their order.
    private func parts(of batch: [InboundMessage]) -> [[InboundMessage]] {
        let count = min(store.batchesAtOnce, batch.count / Self.leastOfPart)
        guard count > 1 else { return [batch] }
        var parts = [[InboundMessage]](repeating: [], count: count)
        for message in batch {
            // `trackme/v1/<house>/…`; the messages of a topic that is none are of no house.
            let house = message.topic.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3).dropFirst(2).first
            let sum = house?.reduce(into: UInt32(0)) { $0 = $0 &* 31 &+ UInt32($1) } ?? 0
            parts[Int(sum % UInt32(count))].append(message)
        }
        return parts.filter { !$0.isEmpty }
    }

    private func commit(part batch: [InboundMessage]) throws {
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
