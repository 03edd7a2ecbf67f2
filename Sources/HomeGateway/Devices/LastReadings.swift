import GatewayModel
import Synchronization

/// What wearables were last heard to measure: when each device, and what of each person. In memory, since the start.
final class LastReadings: Sendable {
    private struct Series: Hashable {
        let person: PersonID
        let kind: QuantityKind
    }

    private struct State {
        var instants: [DeviceID: BootInstant] = [:]
        var latest: [Series: Reading] = [:]
    }

    private let state = Mutex(State())

    func note(_ reading: Reading) {
        let tellsOfNow = reading.currency != .history && !reading.isDisowned
        state.withLock { state in
            state.instants[reading.device] = reading.arrival.boot
            if tellsOfNow {
                state.latest[Series(person: reading.person, kind: reading.quantity.kind)] = reading
            }
        }
    }

    func age(of device: DeviceID, at now: BootInstant) -> Duration? {
        state.withLock { $0.instants[device] }?.duration(to: now)
    }

    /// The last that tells how the person is: no stored record, and no value that the sensor disowns.
    func latest(_ kind: QuantityKind, of person: PersonID) -> Reading? {
        state.withLock { $0.latest[Series(person: person, kind: kind)] }
    }
}
