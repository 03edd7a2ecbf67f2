import GatewayModel
import WireFormats

/// What a device has said of itself, and which of its records have been told.
struct DeviceMemory: Hashable, Sendable {
    // Of this connection.
    private(set) var information = DeviceInformation()
    private var percent: UInt8?
    /// Whether a glucose sensor's records end in a check sum; nil until it has said.
    private(set) var hasCRC: Bool?
    /// Of a glucose sensor's session, seconds since 1970.
    private(set) var sessionStart: Int64?

    /// Estimated horizontal error of its positions, metres; nil where it has not said.
    private(set) var positionError: Double?

    /// Kept from one connection to the next: only then can it be trusted.
    var clock = DeviceClock()
    /// The last records, newest last, of those that nothing but their bytes tells apart: devices send one again on
    /// the next connection, or to each of their bonds.
    private var records: [[UInt8]] = []
    /// A cuff stores some tens to a few hundred; what a meter repeats of older ones is history either way.
    private static let recordLimit = 128

    /// The last that have a mark, newest last: from one connection to the next, and from one run to the next.
    private(set) var told: [UInt64]
    private var hasToldNews = false
    /// A meter stores some hundred to a thousand; where one stored more, all would be told again at each start.
    private static let toldLimit = 2_000

    /// - Parameter told: in earlier runs.
    init(told: [UInt64] = []) {
        self.told = Array(told.suffix(Self.toldLimit))
    }

    mutating func forgetConnection() {
        let (records, told, hasToldNews, clock) = (records, told, hasToldNews, clock)
        self = DeviceMemory(told: told)
        (self.records, self.hasToldNews, self.clock) = (records, hasToldNews, clock)
        self.clock.connectionEnded()
    }

    /// - Returns: false for one that has been told before.
    mutating func isNew(_ mark: RecordMark) -> Bool {
        let hash = mark.hash
        guard !told.contains(hash) else { return false }
        if told.count == Self.toldLimit { told.removeFirst() }
        told.append(hash)
        hasToldNews = true
        return true
    }

    /// All that has been told, where something was since this was asked for.
    mutating func takeToldNews() -> [UInt64]? {
        guard hasToldNews else { return nil }
        hasToldNews = false
        return told
    }

    /// - Returns: false for a record that has been told before.
    mutating func isNew(_ record: [UInt8]) -> Bool {
        guard !records.contains(record) else { return false }
        if records.count == Self.recordLimit { records.removeFirst() }
        records.append(record)
        return true
    }

    mutating func battery(_ bytes: [UInt8], of device: DeviceID) -> [WearableEvent] {
        var reader = ByteReader(bytes)
        guard let level = try? BatteryLevel(from: &reader), let now = level.percent, now != percent else {
            return []
        }
        percent = now
        return [.battery(device, percent: Int(now))]
    }

    mutating func detail(
        _ characteristic: BluetoothUUID, _ bytes: [UInt8], of device: DeviceID
    ) -> [WearableEvent] {
        let before = information
        information.take(characteristic, bytes)
        return information == before ? [] : [.information(device, information)]
    }

    /// Current Time, as the device shows it.
    mutating func clockRead(_ bytes: [UInt8], _ zone: LocalZone, arrival: WallTime) {
        var reader = ByteReader(bytes)
        guard let time = try? CurrentTime(from: &reader),
            let seconds = time.exactTime.dayDateTime.dateTime.secondsSince1970AsUTC
        else { return }
        clock.read(
            showing: seconds, at: arrival.millisecondsSince1970 / 1_000, eastOfUTC: zone.eastOfUTC(arrival))
    }

    /// Position Quality. One that cannot be read is none: an older one may be of the time before the fix.
    mutating func positionQualityRead(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        positionError = (try? PositionQuality(from: &reader))?.horizontalErrorMetres
    }

    /// CGM Feature and CGM Session Start Time: the feature tells whether the other has a check sum, and comes
    /// first by its handle.
    mutating func key(_ characteristic: BluetoothUUID, _ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        if characteristic == .cgmFeature {
            hasCRC = (try? CGMFeature(from: &reader))?.supported.contains(.e2eCRC)
        } else {
            let start = try? CGMSessionStartTime(from: &reader, hasCRC: hasCRC ?? false)
            sessionStart = start?.secondsSince1970
        }
    }
}
