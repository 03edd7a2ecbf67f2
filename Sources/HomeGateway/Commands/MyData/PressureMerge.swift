import Contract
import GatewayModel
import Vault

/// Systolic and diastolic pressures by time, those of one device and instant together.
struct PressureMerge {
    /// One of the two, or both.
    struct Measurement {
        let systolic, diastolic: ExportReading?

        var readings: [ExportReading] { [systolic, diastolic].compactMap(\.self) }

        func entry(in fhir: FHIRExport, number: Int) -> String {
            guard let systolic, let diastolic else { return readings[0].entry(in: fhir, number: number) }
            return fhir.bloodPressure(
                systolic: systolic.quantity.value, diastolic: diastolic.quantity.value, of: systolic.device,
                at: systolic.time, number: number)
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

    /// The earlier one, and both where they are of one measurement.
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
