public import GatewayModel
import JSONReading

/// One reading of one person, as a gateway published it.
public struct SampleRecord: Hashable, Sendable {
    public enum Contact: String, Hashable, Sendable {
        case detected, lost
    }

    /// Clock of a device that has stored the reading.
    public struct DeviceClock: Hashable, Sendable {
        /// Local time of the house without an offset, as the device gave it.
        public let time: String
        /// Seconds that were added to it.
        public let offsetSeconds: Double?
    }

    public let id: MessageID
    public let person: PersonID
    public let device: DeviceID
    /// As the contract names it; a newer gateway may have kinds that this program does not know.
    public let kind: String
    /// In `unit`.
    public let value: Double
    /// UCUM.
    public let unit: String
    public let loinc: String?
    /// When the value held.
    public let time: WallTime
    /// When it reached the gateway.
    public let received: WallTime
    /// Nil if the sensor cannot tell, or tells something that this program does not know.
    public let contact: Contact?
    /// A record that the device had stored.
    public let isHistory: Bool
    /// From a device without a usable clock.
    public let isUndated: Bool
    /// Handed over by another program of the house; `device` is the name of the program.
    public let isFromApp: Bool
    public let deviceClock: DeviceClock?
    /// Milliseconds between the beats that came with a heart rate, in order.
    public let beatIntervals: [Double]
    /// Reasons to doubt the value.
    public let doubts: Doubts

    /// Known kind of the reading; nil for a newer one.
    public var quantity: QuantityKind? { QuantityKind(rawValue: kind) }

    /// Reads `samples/<person>/<kind>`, and `samples/<person>` with several readings. All or none.
    ///
    /// Readings of several keep their order. The members beside `samples` hold for each of them.
    public static func read(
        _ payload: [UInt8], of person: PersonID, kind: String?
    ) throws(ContractFault) -> [SampleRecord] {
        let message: Message = try WirePayload.read(from: payload, names: .asWritten)
        var records: [SampleRecord] = []
        if let parts = message.samples {
            guard !parts.isEmpty else { throw .form("the list 'samples' is empty") }
            for part in parts { records.append(try SampleRecord(part, message.shared)) }
        } else {
            guard message.shared.received != nil else { throw .form("the member 'received' is missing") }
            records = [try SampleRecord(message.shared, Fields.empty)]
        }
        for record in records {
            guard record.person == person else { throw .elsewhere(member: "person") }
            guard kind == nil || record.kind == kind else { throw .elsewhere(member: "kind") }
        }
        return records
    }

    private init(_ own: Fields, _ shared: Fields) throws(ContractFault) {
        func member<Value>(_ name: String, _ value: Value?) throws(ContractFault) -> Value {
            guard let value else { throw .form("the member '\(name)' is missing") }
            return value
        }
        id = try member("id", own.id)
        person = try member("person", own.person ?? shared.person)
        device = try member("device", own.device ?? shared.device)
        kind = try member("kind", own.kind ?? shared.kind).text
        value = try member("value", own.value)
        unit = try member("unit", own.unit ?? shared.unit)
        loinc = own.loinc ?? shared.loinc
        time = try member("time", own.time)
        received = own.received ?? shared.received ?? time
        contact = (own.contact ?? shared.contact).flatMap { Contact(rawValue: $0) }
        isHistory = own.history ?? shared.history ?? false
        isUndated = own.undated ?? shared.undated ?? false
        isFromApp = own.source ?? shared.source == "app"
        let offset = own.clockOffset ?? shared.clockOffset
        deviceClock = (own.deviceTime ?? shared.deviceTime).map { DeviceClock(time: $0, offsetSeconds: offset) }
        beatIntervals = own.intervals ?? []
        doubts = Doubts(words: own.doubt ?? shared.doubt ?? [])
    }

    private struct Message: Decodable {
        let shared: Fields
        let samples: [Fields]?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Fields.Key.self)
            shared = try Fields(container)
            samples = try container.decodeIfPresent([Fields].self, forKey: .samples)
        }
    }

    /// Members of a reading; in a message of several each may stand beside `samples` or in it.
    ///
    /// Read as texts and numbers, and checked here: a decoder of its own for each member doubles the time of a reading.
    private struct Fields: Decodable {
        var id: MessageID?
        var person: PersonID?
        var device: DeviceID?
        /// A kind has the form of a name.
        var kind: DeviceID?
        var value: Double?
        var unit: String?
        var loinc: String?
        var time: WallTime?
        var received: WallTime?
        var contact: String?
        var history: Bool?
        var undated: Bool?
        var source: String?
        var deviceTime: String?
        var clockOffset: Double?
        var intervals: [Double]?
        var doubt: [String]?

        static let empty = Fields()

        private init() {}

        init(from decoder: any Decoder) throws {
            try self.init(decoder.container(keyedBy: Key.self))
        }

        init(_ members: KeyedDecodingContainer<Key>) throws {
            id = try members.text(.id, MessageID.init)
            person = try members.text(.person, PersonID.init)
            device = try members.text(.device, DeviceID.init)
            kind = try members.text(.kind, DeviceID.init)
            value = try members.number(.value)
            unit = try members.line(.unit)
            loinc = try members.line(.loinc)
            time = try members.text(.time, WallTime.init(rfc3339:))
            received = try members.text(.received, WallTime.init(rfc3339:))
            contact = try members.decodeIfPresent(String.self, forKey: .contact)
            history = try members.decodeIfPresent(Bool.self, forKey: .history)
            undated = try members.decodeIfPresent(Bool.self, forKey: .undated)
            source = try members.decodeIfPresent(String.self, forKey: .source)
            deviceTime = try members.line(.deviceTime)
            clockOffset = try members.number(.clockOffset)
            doubt = try members.decodeIfPresent([String].self, forKey: .doubt)
            intervals = try members.decodeIfPresent([WireNumber].self, forKey: .intervals)?.map(\.value)
        }

        enum Key: String, CodingKey {
            case id, person, device, kind, value, unit, loinc, time, received, contact, history, undated,
                source, doubt, samples
            case deviceTime = "device_time"
            case clockOffset = "clock_offset_s"
            case intervals = "rr_ms"
        }
    }
}
