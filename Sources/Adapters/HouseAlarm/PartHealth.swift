import GatewayModel
import RealTime
import Synchronization

/// Whether one part works: told when it changes, and seen from outside when its thread does not come back from a
/// device. Any thread.
final class PartHealth: Sendable {
    private struct State {
        var works: Bool?
        /// Since when the part's thread has been in a call to its device.
        var busySince: BootInstant?
        var isHung = false
    }

    /// Longer than any call to a device takes by itself: those that wait, wait 2 s at most; a voice 6.
    static let patience = Duration.seconds(10)

    private let part: HousePart
    private let report: @Sendable (HousePart, Bool, String?) -> Void
    private let state = Mutex(State())

    init(_ part: HousePart, report: @escaping @Sendable (HousePart, Bool, String?) -> Void) {
        self.part = part
        self.report = report
    }

    /// Around each call that may not come back.
    func during<Value>(_ call: () throws(HouseFailure) -> Value) throws(HouseFailure) -> Value {
        state.withLock { $0.busySince = Clock.boot() }
        defer { leave() }
        return try call()
    }

    private func leave() {
        let wasHung = state.withLock { state in
            defer { (state.busySince, state.isHung) = (nil, false) }
            return state.isHung
        }
        // Whatever it is now will be told anew.
        if wasHung { state.withLock { $0.works = nil } }
    }

    func tell(_ failure: HouseFailure?) {
        let works = failure == nil
        let isNews = state.withLock { state in
            defer { state.works = works }
            return state.works != works
        }
        if isNews { report(part, works, failure?.description) }
    }

    /// From the watching thread.
    func check(at now: BootInstant) {
        let isNews = state.withLock { state in
            guard let since = state.busySince, since.duration(to: now) > Self.patience, !state.isHung else {
                return false
            }
            state.isHung = true
            return true
        }
        guard isNews else { return }
        report(
            part, false,
            "the \(part.rawValue) has not come back from its device for \(Self.patience); "
                + "unplug it and plug it in again, or restart the gateway")
    }
}
