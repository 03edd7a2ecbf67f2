public import CloudCommands
public import GatewayModel
public import Logging
public import ServiceLifecycle
public import Store
import Synchronization

/// Keys of the registered houses, for the thread of the broker.
public final class HouseDirectory: Service {
    private static let interval = Duration.seconds(1)

    private struct Entry {
        let key: String
        let check: ReceiptCheck
    }

    private let store: any HouseStore
    private let logger: Logger
    private let entries = Mutex<[GatewayID: Entry]>([:])

    public init(store: any HouseStore, logger: Logger) {
        (self.store, self.logger) = (store, logger)
    }

    /// Check of the receipts of a house; nil for one that is not registered, or not yet known here.
    public func check(of gateway: GatewayID) -> ReceiptCheck? {
        entries.withLock { $0[gateway]?.check }
    }

    /// Reads new and changed keys until the shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await self.refresh() } catch is CancellationError { return } catch {
                    self.logger.error("the houses cannot be read", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
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
