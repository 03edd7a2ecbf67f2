package import GatewayModel
import Synchronization

/// Latest readings since the start: the arrival of each device's last one, and the last value of each person. In memory.
package final class LastReadings: Sendable {
    private struct Series: Hashable {
        let person: PersonID
        let kind: QuantityKind
    }

    private struct State {
        var instants: [DeviceID: BootInstant] = [:]
        var latest: [Series: Reading] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package func record(_ reading: Reading) {
        let isCurrent = reading.currency != .history && !reading.isDisowned
        state.withLock { state in
            state.instants[reading.device] = reading.arrival.boot
            if isCurrent {
                state.latest[Series(person: reading.person, kind: reading.quantity.kind)] = reading
            }
        }
    }

    /// Time since the last reading of a device; nil where none came.
    package func age(of device: DeviceID, at now: BootInstant) -> Duration? {
        state.withLock { $0.instants[device] }?.duration(to: now)
    }

    /// The last readings that describe each person now, by person and kind.
    package var all: [Reading] {
        state.withLock { Array($0.latest.values) }.sorted {
            ($0.person.text, $0.quantity.kind.rawValue) < ($1.person.text, $1.quantity.kind.rawValue)
        }
    }

    /// The last reading that describes the person now: no stored record, and no value that its sensor disowns.
    package func latest(_ kind: QuantityKind, of person: PersonID) -> Reading? {
        state.withLock { $0.latest[Series(person: person, kind: kind)] }
    }
}
