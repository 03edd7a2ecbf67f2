import Hub
import ServiceLifecycle
import UnixSignals

/// Reads the settings again at each SIGHUP.
struct ReloadSignal: Service {
    let reload: @Sendable () -> Void

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { reload() }
    }
}
