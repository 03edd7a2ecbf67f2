import Ciphers
package import GatewayModel
package import Logging
package import Settings
package import SettingsReading
import Synchronization
package import Vault
import Wearables
package import WireFormats

/// Broadcasters of the house and the state of each, shared by the threads that receive adverts.
package final class BroadcasterState: Sendable {
    private let machine: Mutex<BroadcasterMachine>

    /// Restores the state that the last run kept. Where that cannot be read, recordings count as new until each has been
    /// received once. Blocking I/O.
    ///
    /// Errors: the first key of a broadcaster that cannot be used.
    package init(
        of wearables: [GatewaySettings.Wearable], from database: StateDatabase,
        _ log: Logger
    ) throws(SettingsError) {
        let broadcasters = try Broadcaster.all(in: wearables)
        var memories: [BeaconMemory] = []
        do throws(DiskFailure) {
            memories = try database.rows(of: .broadcaster).compactMap(BeaconMemory.init)
        } catch {
            log.error("what was heard by advertising cannot be restored", metadata: ["reason": "\(error)"])
        }
        machine = Mutex(
            BroadcasterMachine(broadcasters, wearables, memories: memories, cipher: OpenSSLCipher()))
    }

    /// State that must survive a restart.
    package var memories: [BeaconMemory] { machine.withLock(\.allMemories) }

    var counts: BroadcasterMachine.Counts { machine.withLock(\.counts) }

    func withLock<Result: Sendable>(_ body: (inout sending BroadcasterMachine) -> sending Result) -> Result {
        machine.withLock(body)
    }

    // MARK: Search of an installer

    package func beginSearch() { machine.withLock { $0.search.begin() } }

    package func endSearch() { machine.withLock { $0.search.end() } }

    /// BTHome devices of the search that are no wearables of the house, the strongest first.
    package var found: [BroadcasterSearch.Found] { search.found }

    /// Judges a key for a device of the search, by its adverts.
    package func judge(_ key: AES128Key?, of address: DeviceAddress) -> BroadcasterSearch.KeyVerdict {
        search.judge(key, of: address, cipher: OpenSSLCipher())
    }

    /// A copy: the threads that receive adverts wait for no work on it.
    private var search: BroadcasterSearch { machine.withLock { $0.search } }

    /// Returns the facts about each broadcaster that supervision starts from.
    package func expected(of wearables: [GatewaySettings.Wearable]) -> [DeviceID: ExpectedBroadcaster] {
        machine.withLock { machine in
            var expected: [DeviceID: ExpectedBroadcaster] = [:]
            for wearable in wearables where wearable.heardBy == .advertising {
                expected[wearable.id] = ExpectedBroadcaster(
                    silence: wearable.silence, sendsRegularly: machine.sendsRegularly(wearable.id))
            }
            return expected
        }
    }
}
