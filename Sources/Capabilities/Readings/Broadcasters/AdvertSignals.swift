package import GatewayModel
import Synchronization

/// Signal strengths of the adverts of one wearable, for the walk of an installer. From any thread; while nobody listens it
/// costs one look at a flag.
package final class AdvertSignals: Sendable {
    private struct State {
        var address: DeviceAddress?
        var signals: [Int] = []
    }

    /// A walk takes them each second; a tag sends ten adverts in it.
    private static let most = 200

    private let isListening = Atomic(false)
    private let state = Mutex(State())

    package init() {}

    /// - Parameter address: nil ends it.
    package func listen(to address: DeviceAddress?) {
        state.withLock { $0 = State(address: address) }
        isListening.store(address != nil, ordering: .releasing)
    }

    /// - Parameter signal: in dBm; nil where the controller does not know it.
    func record(_ signal: Int?, from address: DeviceAddress) {
        guard isListening.load(ordering: .acquiring), let signal else { return }
        state.withLock { state in
            if state.address == address, state.signals.count < Self.most { state.signals.append(signal) }
        }
    }

    /// All since the last call.
    package func take() -> [Int] {
        state.withLock { state in
            defer { state.signals = [] }
            return state.signals
        }
    }
}
