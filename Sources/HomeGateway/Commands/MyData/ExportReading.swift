import Contract
import GatewayModel
import Vault

/// One reading as it came.
struct ExportReading: ExportRow {
    private enum CodingKeys: CodingKey { case at, kind, value, unit, device, contact, stored }

    static let columns = ["at", "kind", "value", "unit", "device", "contact", "stored"]

    let time: WallTime
    let device: DeviceID
    let quantity: Quantity
    private let contact: SensorContact
    private let isStored: Bool

    /// Nil for what is no single reading.
    init?(_ point: HistoryPoint, of kind: QuantityKind) {
        guard let device = point.device.flatMap({ DeviceID($0) }) else { return nil }
        time = WallTime(millisecondsSince1970: point.at)
        self.device = device
        quantity = Quantity(kind, point.mean)
        contact = point.contact ?? .unknown
        isStored = point.currency == .history
    }

    var fields: [String] {
        [
            time.rfc3339, quantity.kind.rawValue, "\(quantity.value)", quantity.kind.coding.unit, device.text,
            contact.rawValue, "\(isStored)",
        ]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time.rfc3339, forKey: .at)
        try container.encode(quantity.kind.rawValue, forKey: .kind)
        try container.encode(quantity.value, forKey: .value)
        try container.encode(quantity.kind.coding.unit, forKey: .unit)
        try container.encode(device.text, forKey: .device)
        try container.encode(contact.rawValue, forKey: .contact)
        try container.encode(isStored, forKey: .stored)
    }

    func entry(in fhir: FHIRExport, number: Int) -> String {
        fhir.reading(quantity, of: device, at: time, number: number, isOfTheBody: isOfTheBody)
    }

    var isOfTheBody: Bool { contact != .lost }
}

/// What is left of the readings of one minute or hour.
struct ExportRollUp: ExportRow {
    private enum CodingKeys: CodingKey { case from, kind, count, min, mean, max, unit }

    static let columns = ["from", "kind", "count", "min", "mean", "max", "unit"]

    private let kind: QuantityKind
    private let point: HistoryPoint

    init(_ point: HistoryPoint, of kind: QuantityKind) {
        (self.point, self.kind) = (point, kind)
    }

    private var from: WallTime { WallTime(millisecondsSince1970: point.at) }

    var fields: [String] {
        [
            from.rfc3339, kind.rawValue, "\(point.count)", "\(point.min)", "\(point.mean)", "\(point.max)",
            kind.coding.unit,
        ]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(from.rfc3339, forKey: .from)
        try container.encode(kind.rawValue, forKey: .kind)
        try container.encode(point.count, forKey: .count)
        try container.encode(point.min, forKey: .min)
        try container.encode(point.mean, forKey: .mean)
        try container.encode(point.max, forKey: .max)
        try container.encode(kind.coding.unit, forKey: .unit)
    }

    /// Of an hour.
    func entry(in fhir: FHIRExport) -> String {
        fhir.summary(
            of: kind, from: from, to: WallTime(millisecondsSince1970: point.at + 3_600_000),
            count: point.count, min: point.min, mean: point.mean, max: point.max)
    }
}
