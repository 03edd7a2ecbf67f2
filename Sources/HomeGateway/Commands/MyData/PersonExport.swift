import Contract
import GatewayModel
import Hub
import RealTime
import Vault

/// All that is kept about a person, written into a folder: by kind and then by time, one page in memory.
struct PersonExport {
    private let person: PersonID
    private let gateway: GatewayID
    private let source: MyDataSource
    private let folder: ExportFolder
    private let fhir: FHIRExport
    /// Rows of the history that could not be read.
    private var unreadable = 0

    init(_ person: PersonID, of gateway: GatewayID, from source: MyDataSource, into folder: ExportFolder) {
        (self.person, self.gateway, self.source, self.folder) = (person, gateway, source, folder)
        fhir = FHIRExport(person, at: gateway)
    }

    /// - Returns: what was written, for whoever asked.
    mutating func write(beginningWith first: MyDataPage) throws -> [String] {
        var (decisions, alarms) = (first.decisions, first.alarms)
        var next = first.next
        while let start = next {
            let page = try source.page(from: start)
            decisions += page.decisions
            alarms += page.alarms
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
        } else {
            summary.append("no history is kept")
        }
        try bundle.finish()
        summary.append("fhir-bundle.json: \(bundle.count) resources of FHIR R4")
        try write(AlarmExport.json(alarms), AlarmExport.csv(alarms), as: "alarms")
        summary.append("alarms.json, alarms.csv: \(alarms.count) alarms")
        try write(ExportJSON.text(decisions, isPretty: true), MyDataPage.Decision.csv(decisions), as: "consent")
        summary.append("consent.json, consent.csv: \(decisions.count) decisions")
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

    /// Systolic and diastolic go together, so that both of one measurement become one Observation.
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

    private mutating func writeRollUps(
        _ resolution: HistoryResolution, _ name: String, _ bundle: inout JSONList
    ) throws -> Int {
        var rows = try ExportTable(folder, name, columns: ExportRollUp.columns)
        for kind in QuantityKind.allCases {
            var points = source.points(of: kind, resolution)
            while let point = try points.next() {
                let rollUp = ExportRollUp(point, of: kind)
                try rows.add(rollUp)
                // Minutes would be many, and say little that hours do not.
                if resolution == .hour { try bundle.add(rollUp.entry(in: fhir)) }
            }
            unreadable += points.unreadable
        }
        return try rows.finish()
    }
}

/// Tells readings of one device and instant apart; those of one instant follow each other.
private struct Numbering {
    private var time: WallTime?
    private var numbers: [DeviceID: Int] = [:]

    mutating func next(_ reading: ExportReading) -> Int {
        if reading.time != time { (time, numbers) = (reading.time, [:]) }
        defer { numbers[reading.device, default: 0] += 1 }
        return numbers[reading.device, default: 0]
    }
}
