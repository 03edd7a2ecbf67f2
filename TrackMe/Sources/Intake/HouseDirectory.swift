import Background
public import CloudCommands
public import GatewayModel
public import Logging
public import ServiceLifecycle
public import Store
import Synchronization

/// Keys of the registered houses, for the thread of the broker.
public final class HouseDirectory: Service {
    private struct Entry {
        let key: String
        let check: ReceiptCheck
    }

    private let store: HouseStore
    private let logger: Logger
    private let interval: Duration
    private let entries = Mutex<[GatewayID: Entry]>([:])
    private let wishes: AsyncStream<Void>
    private let wish: AsyncStream<Void>.Continuation

    /// - Parameter interval: of reads without a `requestRefresh`.
    public init(store: HouseStore, every interval: Duration = .seconds(1), logger: Logger) {
        (self.store, self.interval, self.logger) = (store, interval, logger)
        (wishes, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Asks for a read soon. Callable from any thread; never blocks.
    public func requestRefresh() { wish.yield(()) }

    /// Check of the receipts of a house; nil for one that is not registered, or not yet known here.
    public func check(of gateway: GatewayID) -> ReceiptCheck? {
        entries.withLock { $0[gateway]?.check }
    }

    /// Reads new and changed keys until the shutdown.
    public func run() async throws {
        await Rounds(every: interval, "the houses cannot be read", logger: logger).run(on: wishes) {
            try await self.refresh()
        }
    }

    /// Reads the houses once. A house whose key cannot be used is left out and logged.
    public func refresh() async throws {
        let known = entries.withLock { $0 }
        var next: [GatewayID: Entry] = [:]
        for house in try await store.houses() {
            if let entry = known[house.gateway], entry.key == house.key {
                next[house.gateway] = entry
                continue
            }
            do throws(PinnedKey.Fault) {
                next[house.gateway] = Entry(
                    key: house.key, check: try await ReceiptCheck(jwk: Array(house.key.utf8)))
            } catch {
                logger.error(
                    "the key of a house cannot be used: register the house again",
                    metadata: ["gateway": "\(house.gateway)", "reason": "\(error)"])
            }
        }
        entries.withLock { [next] in $0 = next }
    }
}
