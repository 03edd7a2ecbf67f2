package import GatewayModel
import Synchronization

/// Marks of the dated measurements that were reported, by wearable, on their way to the disk. With them a meter that
/// sends its whole memory after a restart causes no duplicates.
///
/// Marks are written a minute after their records, and only when no record waits for the disk. A kill in between
/// reports a record twice, under one id; in the other order a record could be lost.
package final class SeenRecords: Sendable {
    package typealias Marks = [DeviceID: [UInt64]]

    private struct State {
        var marks: Marks
        var hasChanged = false
        var waiting: (marks: Marks, since: BootInstant)?
    }

    /// Longer than a sync of the outbox takes; the history is written once a minute too.
    private static let delay = Duration.seconds(60)

    private let state: Mutex<State>

    /// - Parameters:
    ///   - kept: the marks of the previous run.
    ///   - devices: marks of other devices are dropped.
    package init(_ kept: [String: [UInt64]], of devices: [DeviceID]) {
        let marks = devices.compactMap { device in kept[device.text].map { (device, $0) } }
        state = Mutex(State(marks: Dictionary(marks) { first, _ in first }))
    }

    package var marks: Marks { state.withLock(\.marks) }

    /// - Parameter marks: all marks of the device. Their readings are already in the queue to the disk.
    package func note(_ marks: [UInt64], of device: DeviceID) {
        state.withLock { state in
            state.marks[device] = marks
            state.hasChanged = true
        }
    }

    /// Returns the marks to write now; call it once a second.
    /// - Parameter isAllKept: no record waits for the disk.
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

    /// Marks to write at the end, when no record waits for the disk; nil if they have not changed.
    package var last: Marks? {
        state.withLock { $0.hasChanged || $0.waiting != nil ? $0.marks : nil }
    }
}
