import ControlContract
import GatewayModel
import Synchronization

/// The last measurement of each shared cuff or scale by a user without a name, while somebody may still name its person.
/// Its values are shown to nobody. From any thread.
final class UnnamedMeasurements: Sendable {
    /// Time after which a measurement is nobody's for good: people remember for some minutes that they sat at the cuff.
    static let lifetime = Duration.seconds(600)

    /// The readings of one measurement; never empty.
    private let latest = Mutex<[DeviceID: [Reading]]>([:])

    /// Keeps the readings of one measurement in place of those of the measurement before. Records of the past are left
    /// out: nobody remembers them.
    func put(_ measured: [Reading]) {
        let live = measured.filter { $0.currency != .history }
        guard let device = live.first?.device else { return }
        latest.withLock { $0[device] = live }
    }

    /// Returns the measurements that wait for an answer, the oldest first.
    func waiting(at now: BootInstant) -> [HouseSnapshot.UnnamedMeasurement] {
        latest.withLock { latest in
            Self.prune(&latest, at: now)
            return latest.values.compactMap(\.first).sorted { $0.arrival.boot < $1.arrival.boot }.map {
                HouseSnapshot.UnnamedMeasurement($0, at: now)
            }
        }
    }

    /// Takes a measurement out; nil where it waits no more.
    func take(_ id: MessageID, at now: BootInstant) -> [Reading]? {
        latest.withLock { latest in
            Self.prune(&latest, at: now)
            guard let device = latest.first(where: { $0.value.first?.id == id })?.key else { return nil }
            return latest.removeValue(forKey: device)
        }
    }

    private static func prune(_ latest: inout [DeviceID: [Reading]], at now: BootInstant) {
        latest = latest.filter { $0.value.first.map { $0.arrival.boot.advanced(by: lifetime) > now } ?? false }
    }
}
