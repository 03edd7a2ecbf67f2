import GatewayModel
import RealTime
import WireFormats

/// One value of a wearable's characteristic, on its way to readings.
struct Notification: Sendable {
    let wearable: Wearable
    let characteristic: BluetoothUUID
    let bytes: [UInt8]
    /// When it was taken from the bus or the socket.
    let arrival: Moment
    let zone: LocalZone
    /// Gateway of the ids that are made here.
    let gateway: GatewayID

    /// Events of the notification, in their order; the reading that rules judge comes first.
    func events(
        knowing memory: inout DeviceMemory, using ids: inout MessageIDSequence<some RandomNumberGenerator>
    ) -> [WearableEvent] {
        switch CharacteristicRole(characteristic, service: nil) {
        case .measurement: return measurements(knowing: &memory, using: &ids)
        case .battery: return memory.battery(bytes, of: wearable.id)
        case .button: return signal(using: &ids)
        case .detail: return memory.detail(characteristic, bytes, of: wearable.id)
        case .key: memory.key(characteristic, bytes)
        case .position: return position(knowing: memory)
        case .positionQuality: memory.positionQualityRead(bytes)
        case .clock: memory.clockRead(characteristic, bytes, zone, arrival: arrival.wall)
        default: break
        }
        return []
    }

    private func signal(using ids: inout MessageIDSequence<some RandomNumberGenerator>) -> [WearableEvent] {
        // Cheap tags send 01 for a press; some send 00 at its end.
        guard bytes.first == 1, let meaning = wearable.signals[.tagButton] else { return [] }
        guard let kind = meaning.signal else {
            return [
                .pressed(
                    WearablePress(
                        person: wearable.person, device: wearable.id, means: meaning, arrival: arrival))
            ]
        }
        // A call for help must not be guessed from a reading.
        let id = MessageID(wall: arrival.wall, using: &ids.random)
        return [
            .signal(
                WearableSignal(
                    id: id, person: wearable.person, device: wearable.id, kind: kind, arrival: arrival))
        ]
    }

    private func measurements(
        knowing memory: inout DeviceMemory, using ids: inout MessageIDSequence<some RandomNumberGenerator>
    ) -> [WearableEvent] {
        do throws(DecodeError) {
            let measured = try ReadingMapper.all(characteristic, bytes, knowing: memory)
            // With a time of its own it is a record; without a mark, the same bytes are the same one.
            let isUnmarked = measured.contains { $0.stamp != nil && mark(of: $0) == nil }
            if isUnmarked, !memory.isNew(bytes) { return [] }
            return measured.flatMap { events(for: $0, knowing: &memory, using: &ids) }
        } catch {
            return [
                .undecodable(
                    device: wearable.id, characteristic: characteristic.description, bytes: bytes,
                    reason: error.description)
            ]
        }
    }

    /// Plausible intervals between beats, where a heart rate that is published comes before them.
    private static func intervals(among quantities: [Quantity], contact: SensorContact) -> [Double]? {
        guard let rate = quantities.first, rate.kind == .heartRate, rate.isPlausible, contact != .lost else {
            return nil
        }
        let intervals = quantities.filter { $0.kind == .rrInterval && $0.isPlausible }.map(\.value)
        return intervals.isEmpty ? nil : intervals
    }

    private func mark(of measured: ReadingMapper) -> RecordMark? {
        RecordMark(of: measured, bytes, from: wearable, characteristic)
    }

    /// Also for the records of a transfer, which have no bytes of their own. Nothing for a record that has been
    /// told.
    func events(
        for measured: ReadingMapper, knowing memory: inout DeviceMemory,
        using ids: inout MessageIDSequence<some RandomNumberGenerator>
    ) -> [WearableEvent] {
        let mark = mark(of: measured)
        if let mark, !memory.isNew(mark) { return [] }
        switch measured.content {
        case .nothing: return []
        case .failed(let reason, let contact):
            return [
                .measurementFailed(
                    wearable.id, characteristic: characteristic, reason: reason, contact: contact)
            ]
        case .values(let quantities, let contact):
            let person = wearable.person(of: measured.user)
            let (currency, time) = Dating(zone: zone, clock: memory.clock)
                .date(measured.stamp, measured.origin, arrival: arrival.wall)
            let sampling = CharacteristicRole(characteristic, service: nil)?.sampling ?? .stream
            let intervals = Self.intervals(among: quantities, contact: contact)
            // Single measurements are minutes apart, and values off the skin are noise.
            let found =
                sampling == .stream && currency == .live && contact != .lost
                ? memory.finder.doubts(about: quantities, at: arrival.boot) : [:]
            var heartRate: MessageID?
            let readings = quantities.enumerated().map { index, quantity in
                let known = mark?.id(of: quantity, index, for: wearable, at: gateway)
                let id = known ?? ids.next(at: arrival.wall)
                let isCarrier = quantity.kind == .heartRate && intervals != nil
                if isCarrier { heartRate = id }
                return Reading(
                    id: id, person: person ?? wearable.person,
                    device: wearable.id, quantity: quantity, contact: contact, currency: currency,
                    sampling: sampling, deviceTime: time, arrival: arrival,
                    intervals: isCarrier ? intervals : nil,
                    heartRate: quantity.kind == .rrInterval ? heartRate : nil,
                    doubts: measured.doubts.union(found[quantity.kind] ?? []))
            }
            return person == nil
                ? [.unnamedUser(wearable.id, readings, at: arrival.boot)] : readings.map { .reading($0) }
        }
    }
}

// Position of the wearer. A value that cannot be read is told without its bytes: they may be a place all the
// same.

extension Notification {
    func position(knowing memory: DeviceMemory) -> [WearableEvent] {
        do throws(DecodeError) {
            var reader = ByteReader(bytes)
            let told = try LocationAndSpeed(from: &reader)
            // Fields that do not fit one notification come in another: a second one has no place.
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
