import Audio
public import GatewayModel
import Glibc
import RealTime
public import SOSLocal
import Synchronization

/// One part of the alarm in the house.
public enum HousePart: String, CaseIterable, Hashable, Sendable {
    case sound, voice, lamp, button
}

/// Receiver of reports on the alarm in the house. Called on threads of its own; must return at once.
public struct HouseReports: Sendable {
    /// The first sound of an alarm has been accepted by the device, or its lamp is lit: once per alarm and part.
    public let annunciated: @Sendable (AlarmID, HousePart, BootInstant) -> Void
    /// Whether a part works, when that changes, at the first try too. `reason` is for the installer: the
    /// observation and the remedy; it names no person. Without `.sound` nothing can be heard.
    public let works: @Sendable (HousePart, Bool, _ reason: String?) -> Void
    public let pressed: @Sendable (ButtonPress) -> Void

    public init(
        annunciated: @escaping @Sendable (AlarmID, HousePart, BootInstant) -> Void,
        works: @escaping @Sendable (HousePart, Bool, _ reason: String?) -> Void,
        pressed: @escaping @Sendable (ButtonPress) -> Void
    ) {
        self.annunciated = annunciated
        self.works = works
        self.pressed = pressed
    }
}

typealias HouseFailure = DeviceFailure

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
        // The present state will be reported again.
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
