import GatewayModel
import RealTime
import WireFormats

/// Turns values and stored records into events, with the memory of each device.
struct DeviceMemories {
    private let gateway: GatewayID
    private var memories: [DeviceID: DeviceMemory]
    private var ids = MessageIDSequence(RandomReserve())

    /// - Parameters:
    ///   - gateway: sender of the messages that the readings become.
    ///   - told: marks of the records that were told in earlier runs.
    init(gateway: GatewayID, told: [DeviceID: [UInt64]]) {
        self.gateway = gateway
        memories = told.mapValues { DeviceMemory(told: $0) }
    }

    mutating func events(
        of wearable: Wearable, _ characteristic: BluetoothUUID, _ bytes: [UInt8], arrival: Moment
    ) -> [WearableEvent] {
        let notification = Notification(
            wearable: wearable, characteristic: characteristic, bytes: bytes, arrival: arrival, zone: .system,
            gateway: gateway)
        return notification.events(
            knowing: &memories[wearable.id, default: DeviceMemory()], using: &ids) + marks(of: wearable.id)
    }

    mutating func events(
        of wearable: Wearable, _ records: [GlucoseRecordTransfer.Record], arrival: Moment
    ) -> [WearableEvent] {
        let notification = Notification(
            wearable: wearable, characteristic: .glucoseMeasurement, bytes: [], arrival: arrival, zone: .system,
            gateway: gateway)
        return records.flatMap { record in
            notification.events(
                for: ReadingMapper(record.measurement, origin: .record),
                knowing: &memories[wearable.id, default: DeviceMemory()], using: &ids)
        } + marks(of: wearable.id)
    }

    /// After the readings: a store of the marks must have the readings first.
    private mutating func marks(of device: DeviceID) -> [WearableEvent] {
        memories[device]?.takeToldNews().map { [.recordsTold(device, $0)] } ?? []
    }

    mutating func clockSet(of device: DeviceID, eastOfUTC: Int64) {
        memories[device]?.clock.wasSet(eastOfUTC: eastOfUTC)
    }

    mutating func forgetConnection(of device: DeviceID) {
        memories[device]?.forgetConnection()
    }
}

/// A device's statements about itself, and its records that have been told.
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

    /// Of this connection.
    var finder = DoubtFinder()

    /// Kept from one connection to the next: only then can it be trusted.
    var clock = DeviceClock()
    /// The last records, newest last, of those that nothing but their bytes tells apart: devices send one again on
    /// the next connection, or to each of their bonds.
    private var records: [[UInt8]] = []
    /// A cuff stores some tens to a few hundred; older records that a meter repeats are history either way.
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

    /// Current Time or Date Time, as the device shows it.
    mutating func clockRead(
        _ characteristic: BluetoothUUID, _ bytes: [UInt8], _ zone: LocalZone, arrival: WallTime
    ) {
        var reader = ByteReader(bytes)
        let time =
            characteristic == .dateTime
            ? try? DateTime(from: &reader)
            : (try? CurrentTime(from: &reader))?.exactTime.dayDateTime.dateTime
        guard let seconds = time?.secondsSince1970AsUTC else { return }
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

/// A device's statement about itself (Device Information, 0x180A; Body Sensor Location, 0x2A38).
public struct DeviceInformation: Hashable, Sendable {
    public private(set) var manufacturer: String?
    public private(set) var model: String?
    public private(set) var serialNumber: String?
    public private(set) var hardware: String?
    public private(set) var firmware: String?
    public private(set) var software: String?
    /// Place on the body that it is made for; the specification's words.
    public private(set) var bodyLocation: String?

    /// Takes the value of one characteristic; ignores a characteristic that is not known here.
    mutating func take(_ characteristic: BluetoothUUID, _ bytes: [UInt8]) {
        switch characteristic {
        case .manufacturerNameString: manufacturer = Self.text(bytes)
        case .modelNumberString: model = Self.text(bytes)
        case .serialNumberString: serialNumber = Self.text(bytes)
        case .hardwareRevisionString: hardware = Self.text(bytes)
        case .firmwareRevisionString: firmware = Self.text(bytes)
        case .softwareRevisionString: software = Self.text(bytes)
        case .bodySensorLocation: bodyLocation = bytes.first.flatMap(BodySensorLocation.init)?.title
        default: break
        }
    }

    /// Cut at 64 characters: no name is that long. Nil for an empty text, or bytes that are no text.
    private static func text(_ bytes: [UInt8]) -> String? {
        var reader = ByteReader(bytes)
        let words =
            (try? DeviceInformationString(from: &reader))?.text.prefix(64).split { $0.isWhitespace } ?? []
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

/// Identity of a measurement that its device has dated: the same each time the device gives it, over
/// connections and restarts, and another for any other. Pure.
///
/// Made of the device's own words alone. Their interpretation, by the offset of its clock and the zone of the
/// house, may be another thing the next time.
struct RecordMark: Sendable {
    private let words: String
    /// Seconds since 1970 by the device's clock, as if that showed UTC.
    private let shown: Int64

    /// Nil for a measurement that cannot be told from a similar one: it has no time, or an impossible one. A
    /// scale with a clock that begins anew with each use shows the same time, and often the same weight. A
    /// number of its own makes up for a clock that was never set, for none it does not.
    ///
    /// - Parameter bytes: that it came as; not needed where the device numbers its records.
    init?(
        of measured: ReadingMapper, _ bytes: [UInt8], from wearable: Wearable,
        _ characteristic: BluetoothUUID
    ) {
        let shown: Int64
        switch measured.stamp {
        case .local(let seconds), .utc(let seconds): shown = seconds
        case .unset, nil: return nil
        }
        let earliest = measured.number == nil ? Dating.earliest.millisecondsSince1970 / 1_000 : 0
        guard shown >= earliest else { return nil }
        self.shown = shown
        let distinction =
            measured.number.map { "\($0)" } ?? bytes.map { String($0, radix: 16) }.joined(separator: "-")
        words = "\(wearable.address) \(characteristic) \(distinction) \(shown) \(Self.values(of: measured))"
    }

    private static func values(of measured: ReadingMapper) -> String {
        guard case .values(let quantities, _) = measured.content else { return "" }
        return quantities.map { "\($0.kind.rawValue)=\($0.value.bitPattern)" }.joined(separator: " ")
    }

    /// Tells one from another in a list of many. The person is not in it: a record does not become somebody
    /// else's with the device.
    var hash: UInt64 {
        var numbers = DerivedNumbers(of: words)
        return numbers.next()
    }

    /// Of one of its values. Two persons, and two gateways, never share one.
    /// - Parameter index: of the value in the measurement.
    func id(of quantity: Quantity, _ index: Int, for wearable: Wearable, at gateway: GatewayID) -> MessageID {
        let owner = "\(gateway) \(wearable.person) \(wearable.id)"
        var numbers = DerivedNumbers(of: "\(owner) \(words) \(index) \(quantity.kind.rawValue)")
        return MessageID(wall: WallTime(millisecondsSince1970: shown * 1_000), using: &numbers)
    }
}
