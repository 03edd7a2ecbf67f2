import GatewayModel
import Synchronization

/// When each wearable last gave a reading. From any thread.
final class LastReadings: Sendable {
    private let instants = Mutex<[DeviceID: BootInstant]>([:])

    func note(_ reading: Reading) {
        instants.withLock { $0[reading.device] = reading.arrival.boot }
    }

    func age(of device: DeviceID, at now: BootInstant) -> Duration? {
        instants.withLock { $0[device] }?.duration(to: now)
    }
}
