package import GatewayModel
import Synchronization

/// What the dated measurements of each wearable are known by that have been told, on its way to the disk: so that a
/// meter that gives all of its memory after a restart doubles none of it.
///
/// Written a minute after what it stands for, and where nothing waits for the disk any more. A kill in between has
/// a record told twice, under one id; the other way round it could be forgotten.
package final class SeenRecords: Sendable {
    package typealias Marks = [DeviceID: [UInt64]]

    private struct State {
        var marks: Marks
        var hasChanged = false
        var waiting: (marks: Marks, since: BootInstant)?
    }

    /// Longer than an outbox takes for a sync; the history is written once a minute too.
    private static let delay = Duration.seconds(60)

    private let state: Mutex<State>

    /// - Parameters:
    ///   - kept: of the run before.
    ///   - devices: of others nothing is kept any longer.
    package init(_ kept: [String: [UInt64]], of devices: [DeviceID]) {
        let marks = devices.compactMap { device in kept[device.text].map { (device, $0) } }
        state = Mutex(State(marks: Dictionary(marks) { first, _ in first }))
    }

    package var marks: Marks { state.withLock(\.marks) }

    /// - Parameter marks: all of the device. Their readings are in the queue of what is to be kept by now.
    package func note(_ marks: [UInt64], of device: DeviceID) {
        state.withLock { state in
            state.marks[device] = marks
            state.hasChanged = true
        }
    }

    /// What is to be written now; call it once a second.
    /// - Parameter isAllKept: nothing waits for the disk.
    package func due(at now: BootInstant, isAllKept: Bool) -> Marks? {
        state.withLock { state in
            if let waiting = state.waiting {
                guard isAllKept, waiting.since.duration(to: now) >= Self.delay else { return nil }
                state.waiting = nil
                return waiting.marks
            }
            if state.hasChanged { state.waiting = (state.marks, now) }
            state.hasChanged = false
            return nil
        }
    }

    /// What is to be written at the end, where nothing waits for the disk; nil where nothing has changed.
    package var last: Marks? {
        state.withLock { $0.hasChanged || $0.waiting != nil ? $0.marks : nil }
    }
}
