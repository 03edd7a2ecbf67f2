import Contract
import ControlContract
import GatewayModel
import Hub
import RealTime
import Vault

/// Writer of all data about a person into a folder, by kind and then by time. It holds one page in memory.
struct PersonExport {
    private let person: PersonID
    private let gateway: GatewayID
    private let source: MyDataSource
    private let folder: ExportFolder
    private let fhir: FHIRExport
    /// Number of rows of the history that could not be read.
    private var unreadable = 0

    init(_ person: PersonID, of gateway: GatewayID, from source: MyDataSource, into folder: ExportFolder) {
        (self.person, self.gateway, self.source, self.folder) = (person, gateway, source, folder)
        fhir = FHIRExport(person, at: gateway)
    }

    /// - Returns: a line for each file written.
    mutating func write(beginningWith first: MyDataPage) throws -> [String] {
        var (decisions, alarms, tables) = (first.decisions, first.alarms, first.tables)
        var next = first.next
        while let start = next {
            let page = try source.page(from: start)
            decisions += page.decisions
            alarms += page.alarms
            tables.join(page.tables)
            next = page.next
        }
        var bundle = try JSONList(
            folder.file("fhir-bundle.json"), opening: FHIRExport.opening, closing: FHIRExport.closing)
        try bundle.add(fhir.patient())
        for device in first.devices.compactMap({ DeviceID($0.id) }) { try bundle.add(fhir.device(device)) }
        var summary: [String] = []
        if first.isHistoryKept {
            let readings = try writeReadings(&bundle)
            summary.append("readings.json, readings.csv: \(readings) readings as they came")
            for (resolution, name) in [(HistoryResolution.minute, "minutes"), (.hour, "hours")] {
                let count = try writeRollUps(resolution, name, &bundle)
                summary.append("\(name).json, \(name).csv: \(count) \(name) with readings")
            }
            let locations = try writeLocations()
            summary.append("locations.json, locations.csv: \(locations) positions")
        } else {
            summary.append("no history is kept")
        }
        try bundle.finish()
        summary.append("fhir-bundle.json: \(bundle.count) resources of FHIR R4")
        try write(AlarmExport.json(alarms), AlarmExport.csv(alarms), as: "alarms")
        summary.append("alarms.json, alarms.csv: \(alarms.count) alarms")
        try write(ExportJSON.text(decisions, isPretty: true), MyDataPage.Decision.csv(decisions), as: "consent")
        summary.append("consent.json, consent.csv: \(decisions.count) decisions")
        for table in tables {
            var list = try JSONList(folder.file("\(table.name).json"))
            for row in table.rows { try list.add(row) }
            try list.finish()
            summary.append("\(table.name).json: \(table.rows.count) rows")
        }
        let about = ExportAbout(
            person: person.text, gateway: gateway.text, made: Clock.wall().rfc3339, devices: first.devices,
            unsentMessages: first.unsent, unreadableRows: unreadable)
        try write(ExportJSON.text(about, isPretty: true), nil, as: "about")
        summary.append(
            "about.json: devices, and \(first.unsent.map { "\($0)" } ?? "how many is not known,") unsent")
        if unreadable > 0 { summary.append("\(unreadable) rows cannot be read and are left out") }
        return summary
    }

    private func write(_ json: String, _ csv: [String]?, as name: String) throws {
        let file = try folder.file("\(name).json")
        try file.write(json + "\n")
        try file.finish()
        guard let csv else { return }
        let table = try folder.file("\(name).csv")
        for line in csv { try table.write(line + "\n") }
        try table.finish()
    }

    // MARK: History

    /// Writes systolic and diastolic pressures together, so that both values of one measurement become one Observation.
    private mutating func writeReadings(_ bundle: inout JSONList) throws -> Int {
        var rows = try ExportTable(folder, "readings", columns: ExportReading.columns)
        let pressures: Set<QuantityKind> = [.systolicPressure, .diastolicPressure]
        for kind in QuantityKind.allCases where !pressures.contains(kind) {
            var points = source.points(of: kind, .raw)
            var numbers = Numbering()
            while let point = try points.next() {
                guard let reading = ExportReading(point, of: kind) else { continue }
                try rows.add(reading)
                try bundle.add(reading.entry(in: fhir, number: numbers.next(reading)))
            }
            unreadable += points.unreadable
        }
        var pressure = PressureMerge(source)
        var numbers = Numbering()
        while let next = try pressure.next() {
            for reading in next.readings { try rows.add(reading) }
            try bundle.add(next.entry(in: fhir, number: numbers.next(next.readings[0])))
        }
        unreadable += pressure.unreadable
        return try rows.finish()
    }

    private mutating func writeLocations() throws -> Int {
        var rows = try ExportTable(folder, "locations", columns: ExportLocation.columns)
        unreadable += try source.forEachLocation { try rows.add(ExportLocation($0)) }
        return try rows.finish()
    }

    private mutating func writeRollUps(
        _ resolution: HistoryResolution, _ name: String, _ bundle: inout JSONList
    ) throws -> Int {
        var rows = try ExportTable(folder, name, columns: ExportRollUp.columns)
        for kind in QuantityKind.allCases {
            var points = source.points(of: kind, resolution)
            while let point = try points.next() {
                let rollUp = ExportRollUp(point, of: kind)
                try rows.add(rollUp)
                // Minutes would make the bundle large and add little to the hours.
                if resolution == .hour { try bundle.add(rollUp.entry(in: fhir)) }
            }
            unreadable += points.unreadable
        }
        return try rows.finish()
    }
}

/// Numbers of the readings of one device and instant, which follow each other.
private struct Numbering {
    private var time: WallTime?
    private var numbers: [DeviceID: Int] = [:]

    mutating func next(_ reading: ExportReading) -> Int {
        if reading.time != time { (time, numbers) = (reading.time, [:]) }
        defer { numbers[reading.device, default: 0] += 1 }
        return numbers[reading.device, default: 0]
    }
}

/// Systolic and diastolic pressures by time, those of one device and instant together.
struct PressureMerge {
    /// Systolic value, diastolic value, or both.
    struct Measurement {
        let systolic, diastolic: ExportReading?

        var readings: [ExportReading] { [systolic, diastolic].compactMap(\.self) }

        func entry(in fhir: FHIRExport, number: Int) -> String {
            guard let systolic, let diastolic else { return readings[0].entry(in: fhir, number: number) }
            return fhir.bloodPressure(
                systolic: systolic.quantity.value, diastolic: diastolic.quantity.value, of: systolic.device,
                at: systolic.time, number: number, doubts: systolic.doubts.union(diastolic.doubts))
        }
    }

    private var systolics, diastolics: MyDataSource.Points
    private var systolic, diastolic: ExportReading?
    private var isBegun = false

    init(_ source: MyDataSource) {
        systolics = source.points(of: .systolicPressure, .raw)
        diastolics = source.points(of: .diastolicPressure, .raw)
    }

    var unreadable: Int { systolics.unreadable + diastolics.unreadable }

    mutating func next() throws -> Measurement? {
        if !isBegun {
            isBegun = true
            systolic = try Self.reading(from: &systolics)
            diastolic = try Self.reading(from: &diastolics)
        }
        let (isSystolic, isDiastolic) = choice
        guard isSystolic || isDiastolic else { return nil }
        let measurement = Measurement(
            systolic: isSystolic ? systolic : nil, diastolic: isDiastolic ? diastolic : nil)
        if isSystolic { systolic = try Self.reading(from: &systolics) }
        if isDiastolic { diastolic = try Self.reading(from: &diastolics) }
        return measurement
    }

    /// Values to take next: the earlier one, or both values of one measurement.
    private var choice: (systolic: Bool, diastolic: Bool) {
        guard let systolic else { return (false, diastolic != nil) }
        guard let diastolic else { return (true, false) }
        if systolic.time == diastolic.time, systolic.device == diastolic.device { return (true, true) }
        return systolic.time <= diastolic.time ? (true, false) : (false, true)
    }

    private static func reading(from points: inout MyDataSource.Points) throws -> ExportReading? {
        while let point = try points.next() {
            if let reading = ExportReading(point, of: points.kind) { return reading }
        }
        return nil
    }
}

/// One reading as it arrived.
struct ExportReading: ExportRow {
    private enum CodingKeys: CodingKey { case at, kind, value, unit, device, contact, stored, doubt }

    static let columns = ["at", "kind", "value", "unit", "device", "contact", "stored", "doubt"]

    let time: WallTime
    let device: DeviceID
    let quantity: Quantity
    /// As far as the history keeps them.
    let doubts: Doubts
    private let contact: SensorContact
    private let isStored: Bool

    /// Returns nil for a point that is not a single reading.
    init?(_ point: HistoryPoint, of kind: QuantityKind) {
        guard let device = point.device.flatMap({ DeviceID($0) }) else { return nil }
        time = WallTime(millisecondsSince1970: point.at)
        self.device = device
        quantity = Quantity(kind, point.mean)
        doubts = point.doubt ?? []
        contact = point.contact ?? .unknown
        isStored = point.currency == .history
    }

    var fields: [String] {
        [
            time.rfc3339, quantity.kind.rawValue, "\(quantity.value)", quantity.kind.coding.unit, device.text,
            contact.rawValue, "\(isStored)", doubts.words.joined(separator: " "),
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
        if !doubts.isEmpty { try container.encode(doubts, forKey: .doubt) }
    }

    func entry(in fhir: FHIRExport, number: Int) -> String {
        fhir.reading(
            quantity, of: device, at: time, number: number, isOfTheBody: isOfTheBody, doubts: doubts)
    }

    var isOfTheBody: Bool { contact != .lost }
}

/// One position.
struct ExportLocation: ExportRow {
    static let columns = ["at", "latitude", "longitude", "accuracy_m", "device"]

    private let at: String
    private let latitude, longitude: Double
    /// ± 95 %, metres.
    private let accuracyM: Double?
    /// Nil for the receiver of the box.
    private let device: String?

    private enum CodingKeys: String, CodingKey {
        case at, latitude, longitude, device
        case accuracyM = "accuracy_m"
    }

    init(_ point: LocationPoint) {
        at = WallTime(millisecondsSince1970: point.at).rfc3339
        (latitude, longitude) = (point.latitude, point.longitude)
        (accuracyM, device) = (point.accuracyM, point.device)
    }

    var fields: [String] {
        [at, "\(latitude)", "\(longitude)", accuracyM.map { "\($0)" } ?? "", device ?? ""]
    }
}

/// Summary of the readings of one minute or hour.
struct ExportRollUp: ExportRow {
    private enum CodingKeys: CodingKey { case from, kind, count, min, mean, max, unit, doubtful }

    static let columns = ["from", "kind", "count", "min", "mean", "max", "unit", "doubtful"]

    private let kind: QuantityKind
    private let point: HistoryPoint

    init(_ point: HistoryPoint, of kind: QuantityKind) {
        (self.point, self.kind) = (point, kind)
    }

    private var from: WallTime { WallTime(millisecondsSince1970: point.at) }

    var fields: [String] {
        [
            from.rfc3339, kind.rawValue, "\(point.count)", "\(point.min)", "\(point.mean)", "\(point.max)",
            kind.coding.unit, "\(point.doubtful ?? 0)",
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
        try container.encode(point.doubtful ?? 0, forKey: .doubtful)
    }

    /// FHIR entry for the summary of one hour.
    func entry(in fhir: FHIRExport) -> String {
        fhir.summary(
            of: kind, from: from, to: WallTime(millisecondsSince1970: point.at + 3_600_000),
            count: point.count, min: point.min, mean: point.mean, max: point.max)
    }
}
