import GatewayModel
import RealTime
import ServiceLifecycle
import Synchronization
package import Wearables
package import WireFormats

/// The raw scanner of one radio. It runs while some advert is wanted, and idles otherwise.
package final class AdvertService: Service {
    private struct State {
        var wanted: AdvertFilter?
        var isStopping = false
        var scanner: HCIScanner?
    }

    /// Before another try where the kernel had no descriptor or thread left.
    private static let pause = Duration.seconds(10)

    private let adapter: String?
    private let onAdverts: @Sendable ([Advert]) -> Void
    private let onEvent: @Sendable (HCIScanEvent) -> Void
    private let onFailure: @Sendable (String) -> Void
    private let state: Mutex<State>
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - adapter: `hci0`, or its address; nil for the first.
    ///   - onAdverts: called on the "hci" thread, as `onEvent`: hand on, never block.
    ///   - onFailure: why no scanner could be made. It is tried again.
    package init(
        adapter: String?, onAdverts: @escaping @Sendable ([Advert]) -> Void,
        onEvent: @escaping @Sendable (HCIScanEvent) -> Void, onFailure: @escaping @Sendable (String) -> Void
    ) {
        self.adapter = adapter
        self.onAdverts = onAdverts
        self.onEvent = onEvent
        self.onFailure = onFailure
        state = Mutex(State())
        // One pending change is enough: the state holds the rest.
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Replaces the filter; nil ends the scan. From any thread.
    package func setFilter(_ filter: AdvertFilter?) {
        let scanner = state.withLock { state in
            state.wanted = filter
            return state.scanner
        }
        if let filter { scanner?.want(filter) } else { scanner?.stop() }
        changed.yield()
    }

    package func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            changed.yield()
            for await _ in changes {
                while isWanted { await listen() }
                if state.withLock(\.isStopping) { return }
            }
        } onCancelOrGracefulShutdown: { [self] in
            stop()
        }
    }

    private func stop() {
        let scanner = state.withLock { state in
            state.isStopping = true
            return state.scanner
        }
        scanner?.stop()
        changed.yield()
    }

    private var isWanted: Bool { state.withLock { $0.wanted != nil && !$0.isStopping } }

    private func listen() async {
        do {
            guard let wanted = state.withLock(\.wanted) else { return }
            let scanner = try HCIScanner(
                adapter: adapter, filter: wanted, onAdverts: onAdverts, onEvent: onEvent)
            let newest = state.withLock { state in
                state.scanner = scanner
                return state.wanted
            }
            // The filter may have changed while the scanner was made.
            if let newest { scanner.want(newest) }
            if !isWanted { scanner.stop() }
            defer { state.withLock { $0.scanner = nil } }
            try await scanner.run()
        } catch {
            onFailure("\(error)")
            try? await Task.sleep(for: Self.pause)
        }
    }
}
