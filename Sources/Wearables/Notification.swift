import GatewayModel
import WireFormats

/// One value of a wearable's characteristic, on its way to readings.
struct Notification: Sendable {
    let wearable: Wearable
    let characteristic: BluetoothUUID
    let bytes: [UInt8]
    let origin: WearableTracker.Origin
    /// When it was taken from the bus or the socket.
    let arrival: Moment

    /// What it says, in the order in which it is told; the reading that rules judge comes first.
    func events(
        knowing memory: inout DeviceMemory, using random: inout some RandomNumberGenerator
    ) -> [WearableEvent] {
        switch CharacteristicRole(characteristic, service: nil) {
        case .battery: memory.battery(bytes, of: wearable.id)
        case .button: signal(using: &random)
        case .detail: memory.detail(characteristic, bytes, of: wearable.id)
        case .measurement: measurement(using: &random)
        default: []
        }
    }

    private func signal(using random: inout some RandomNumberGenerator) -> [WearableEvent] {
        // Cheap tags send 01 for a press; some send 00 at its end.
        guard bytes.first == 1, let kind = wearable.signals[.tagButton] else { return [] }
        let id = MessageID(wall: arrival.wall, using: &random)
        return [
            .signal(
                WearableSignal(
                    id: id, person: wearable.person, device: wearable.id, kind: kind, arrival: arrival))
        ]
    }

    private func measurement(using random: inout some RandomNumberGenerator) -> [WearableEvent] {
        var reader = ByteReader(bytes)
        do throws(DecodeError) {
            return [.reading(reading(of: try HeartRateMeasurement(from: &reader), using: &random))]
        } catch {
            return [
                .undecodable(
                    device: wearable.id, characteristic: characteristic.description, bytes: bytes,
                    reason: error.description)
            ]
        }
    }

    private func reading(
        of measurement: HeartRateMeasurement, using random: inout some RandomNumberGenerator
    ) -> Reading {
        let contact: SensorContact =
            switch measurement.contact {
            case .unsupported: .unknown
            case .detected: .detected
            case .lost: .lost
            }
        return Reading(
            id: MessageID(wall: arrival.wall, using: &random), person: wearable.person, device: wearable.id,
            quantity: Quantity(.heartRate, Double(measurement.rate)), contact: contact, arrival: arrival)
    }
}
