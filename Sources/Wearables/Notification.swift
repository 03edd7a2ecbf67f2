import GatewayModel
import WireFormats

/// One notification of a wearable, on its way to a reading.
struct Notification: Sendable {
    let wearable: Wearable
    let characteristic: BluetoothUUID
    let bytes: [UInt8]
    /// When its signal was taken from the bus.
    let arrival: Moment

    /// The reading, or what could not be decoded.
    func event(using random: inout some RandomNumberGenerator) -> WearableEvent {
        var reader = ByteReader(bytes)
        do throws(DecodeError) {
            return .reading(reading(of: try HeartRateMeasurement(from: &reader), using: &random))
        } catch {
            return .undecodable(
                device: wearable.id, characteristic: characteristic.description, bytes: bytes,
                reason: error.description)
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
