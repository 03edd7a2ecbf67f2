public import GatewayModel

/// Kind of data that is counted, with its fixed buckets. Each costs a person 0.5 of epsilon a week, so there are few.
public enum GroupKind: String, CaseIterable, Hashable, Sendable {
    case heartRate = "heart-rate"
    case oxygenSaturation = "oxygen-saturation"
    case systolicPressure = "systolic-pressure"
    case glucose

    /// Buckets of each kind.
    public static let buckets = 9
    /// Days of a week on which a person needs readings to be counted.
    public static let leastDays = 3

    public var quantity: QuantityKind {
        switch self {
        case .heartRate: .heartRate
        case .oxygenSaturation: .oxygenSaturation
        case .systolicPressure: .systolicPressure
        case .glucose: .glucose
        }
    }

    /// Bounds of the buckets in the unit of the kind, rising. A value beyond the first or the last bound counts in the outer
    /// bucket. Narrow where weekly medians of adults lie; pressures change at the grades of ESC/ESH 2018, glucose at the
    /// limits of the WHO for hypoglycaemia (70) and diabetes (126, 200).
    public var edges: [Double] {
        switch self {
        case .heartRate: [40, 50, 56, 62, 68, 74, 80, 88, 100, 130]
        case .oxygenSaturation: [80, 88, 90, 92, 93, 94, 95, 96, 97, 100]
        case .systolicPressure: [80, 100, 110, 120, 130, 140, 150, 160, 180, 220]
        case .glucose: [50, 70, 85, 100, 115, 126, 140, 160, 200, 300]
        }
    }

    /// Bucket of a value, 0 to 8. A value at a bound belongs to the bucket above it.
    public func bucket(of value: Double) -> Int {
        edges.dropFirst().dropLast().prefix { $0 <= value }.count
    }

    /// Bucket of the median of a person's daily means of a week; nil where they have too few days.
    public func bucket(ofDailyMeans means: [Double]) -> Int? {
        let sorted = means.filter(\.isFinite).sorted()
        guard sorted.count >= Self.leastDays else { return nil }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        return bucket(of: median)
    }
}
