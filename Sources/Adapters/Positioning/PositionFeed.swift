public import GatewayModel
public import RealTime
import Synchronization

/// The satellite receiver's fixes by way of gpsd, on a thread of its own named "gpsd".
///
/// Connects again for as long as it runs; nobody else waits for it.
public final class PositionFeed: Sendable {
    private let host: String
    private let port: UInt16
    private let onEvent: @Sendable (PositionEvent) -> Void
    private let onTime: @Sendable (SatelliteTime) -> Void
    private let wakeup: Wakeup
    private let isStopped = Mutex(false)

    /// - Parameters:
    ///   - host: where gpsd runs; normally `127.0.0.1`.
    ///   - port: 2947 by IANA assignment.
    ///   - onEvent: called on the gpsd thread; must not block.
    ///   - onTime: the same; of each epoch with a fix once, and of each pulse.
    public init(
        host: String, port: UInt16, onEvent: @escaping @Sendable (PositionEvent) -> Void,
        onTime: @escaping @Sendable (SatelliteTime) -> Void = { _ in }
    ) throws(SystemCallError) {
        self.host = host
        self.port = port
        self.onEvent = onEvent
        self.onTime = onTime
        wakeup = try Wakeup()
    }

    /// Runs until `stop`, or until its task is cancelled. Returns when the thread has ended.
    /// - Throws: where no thread can be made.
    public func run() async throws(SystemCallError) {
        let thread = try NamedThread("gpsd") { self.loop() }
        await withTaskCancellationHandler {
            await thread.finished()
        } onCancel: {
            stop()
        }
    }

    /// Callable from any thread; never blocks.
    public func stop() {
        isStopped.withLock { $0 = true }
        wakeup.signal()
    }

    private var isRunning: Bool { isStopped.withLock { !$0 } }

    /// Why a connection ended.
    private enum End {
        case lost(String)
        case misbehaved(String)
    }

    private func loop() {
        let client = GPSDClient()
        var state = FeedState()
        while isRunning {
            let end = client.open(host: host, port: port).map { End.lost($0) } ?? follow(client, &state)
            client.close()
            guard isRunning else { break }
            let (events, wait) =
                switch end {
                case .lost(let reason): state.disconnected(reason)
                case .misbehaved(let reason): state.misbehaved(reason)
                }
            events.forEach(onEvent)
            pause(wait)
        }
    }

    /// Takes reports until the connection is lost, and says why; or until the stop.
    private func follow(_ client: GPSDClient, _ state: inout FeedState) -> End {
        state.connected(at: Clock.boot())
        while isRunning {
            wait(upTo: .seconds(1), for: client.descriptor)
            if let end = take(client, &state) { return end }
            state.judge(at: Clock.boot()).forEach(onEvent)
        }
        return .lost("stopped")
    }

    /// All that has come; a flood ends the connection, so this ends.
    private func take(_ client: GPSDClient, _ state: inout FeedState) -> End? {
        while isRunning {
            switch client.read(at: Clock.boot()) {
            case .reports(let reports):
                // Each has an instant of its own: two of the same count as one.
                for report in reports { take(report, arrival: Clock.moment(), &state) }
            case .nothing: return nil
            case .lost(let reason): return .lost(reason)
            case .misbehaved(let reason): return .misbehaved(reason)
            }
        }
        return nil
    }

    private func take(_ report: GPSDClient.Report, arrival: Moment, _ state: inout FeedState) {
        switch report {
        case .fix(let report):
            if let time = state.newTime(of: report) {
                onTime(SatelliteTime(message: time, arrival: arrival.boot))
            }
            state.reported(report, arrival: arrival).forEach(onEvent)
        case .time(let means, let pair):
            SatelliteTime(means, pair, seenBy: KernelClock.look()).map(onTime)
        }
    }

    private func pause(_ duration: Duration) {
        let end = Clock.boot().advanced(by: duration)
        while isRunning, Clock.boot() < end {
            wait(upTo: Clock.boot().duration(to: end), for: nil)
        }
    }

    private func wait(upTo timeout: Duration, for descriptor: Int32?) {
        let descriptors = [wakeup.descriptor] + (descriptor.map { [$0] } ?? [])
        _ = Poll.wait(descriptors.map { Poll.Interest($0) }, timeout: timeout)
        wakeup.drain()
    }
}

/// Event of the satellite receiver. Reported on the gpsd thread: hand it on, do not work in it.
public enum PositionEvent: Hashable, Sendable {
    case fix(Fix)
    /// Fixes come again. Once a change, before the first fix.
    case available
    /// No fixes come: the reason and the remedy. Once for each change of the reason.
    case unavailable(reason: String)
}
