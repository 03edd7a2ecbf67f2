import GatewayModel
import WireFormats

// Where the wearer is. What cannot be read of it is told without its bytes: they may be a place all the same.

extension Notification {
    func position(knowing memory: DeviceMemory) -> [WearableEvent] {
        do throws(DecodeError) {
            var reader = ByteReader(bytes)
            let told = try LocationAndSpeed(from: &reader)
            // What does not fit one notification comes in another: a second one has no place.
            guard let location = told.location else { return [] }
            guard [.ok, .estimated].contains(told.positionStatus) else {
                return [.noFix(wearable.id, wearable.person)]
            }
            let place = Coordinates(latitude: location.latitudeDegrees, longitude: location.longitudeDegrees)
            guard let coordinates = place else { return [] }
            let time = told.utcTime?.secondsSince1970AsUTC
            return [
                .position(
                    WearablePosition(
                        person: wearable.person, device: wearable.id, coordinates: coordinates,
                        horizontalError: memory.positionError,
                        deviceTime: time.map { WallTime(millisecondsSince1970: $0 * 1_000) }, arrival: arrival))
            ]
        } catch {
            return [
                .undecodable(
                    device: wearable.id, characteristic: characteristic.description, bytes: [],
                    reason: error.description)
            ]
        }
    }
}
