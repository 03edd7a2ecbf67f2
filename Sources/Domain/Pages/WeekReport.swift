package import GatewayModel

/// Figures of the report on the last seven days. Pure.
package struct WeekReport: Sendable {
    enum Part: Int, CaseIterable, Sendable { case night, morning, afternoon, evening }

    static let days = 7
    /// Kinds of the table, in its order.
    package static let kinds: [QuantityKind] = [
        .heartRate, .oxygenSaturation, .respirationRate, .bodyTemperature, .systolicPressure,
        .diastolicPressure,
        .glucose, .bodyWeight,
    ]
    /// Kinds of a sensor that is worn and measures all the time.
    static let worn: [QuantityKind] = [.heartRate, .oxygenSaturation, .respirationRate]
    /// Target range of glucose, mg/dL: international consensus on time in range (Battelino and others, Diabetes Care 2019).
    static let glucoseRange = 70.0...180.0
    /// Hours without a reading that are a gap.
    private static let leastGap = 2

    /// Statistics of one kind in one part of the day.
    struct Cell: Hashable {
        let min, median, max: Double
    }

    struct Pressure: Hashable {
        let systolic, diastolic: Double
    }

    private let data: [QuantityKind: HistoryData]
    private let calendar: LocalCalendar
    package let from, to: Int64

    /// - Parameters:
    ///   - data: by kind, in hours or in single readings.
    ///   - to: the present, milliseconds since 1970.
    package init(_ data: [QuantityKind: HistoryData], until to: Int64, in calendar: LocalCalendar) {
        (self.data, self.calendar, self.to) = (data, calendar, to)
        from = calendar.instant(of: calendar.day(of: to) - Self.days + 1)
    }

    func data(of kind: QuantityKind) -> HistoryData? { data[kind].flatMap { $0.points.isEmpty ? nil : $0 } }

    func cell(_ kind: QuantityKind, _ part: Part) -> Cell? {
        guard let data = data(of: kind) else { return nil }
        let points = data.points.filter { calendar.hour(of: data.middle(of: $0)) / 6 == part.rawValue }
        guard let all = HistorySummary(points), let median = Self.median(points.map(\.mean)) else { return nil }
        return Cell(min: all.min, median: median, max: all.max)
    }

    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    // MARK: Blood pressure

    var pressureDays: [Int] {
        guard let data = data(of: .systolicPressure) else { return [] }
        return Set(data.points.map { calendar.day(of: data.middle(of: $0)) }).sorted()
    }

    /// Mean of the readings; nil where one of the two pressures is missing.
    ///
    /// - Parameter skipsFirst: leaves out the first day with a reading, as the home diary does.
    func pressure(skipsFirst: Bool) -> Pressure? {
        let first = pressureDays.first
        func mean(_ kind: QuantityKind) -> Double? {
            guard let data = data(of: kind) else { return nil }
            let points = data.points.filter {
                !skipsFirst || calendar.day(of: data.middle(of: $0)) != first
            }
            return HistorySummary(points)?.mean
        }
        guard let systolic = mean(.systolicPressure), let diastolic = mean(.diastolicPressure) else {
            return nil
        }
        return Pressure(systolic: systolic, diastolic: diastolic)
    }

    /// Days on which a cuff found an irregular pulse; nil without single readings, which alone say so.
    var irregularPulseDays: Int? {
        guard let data = data(of: .systolicPressure), data.isSingle else { return nil }
        return Set(
            data.points.filter { $0.doubt?.contains(.irregularPulse) == true }.map { calendar.day(of: $0.at) }
        ).count
    }

    // MARK: Glucose and oxygen

    /// Shares of readings in percent; nil without single readings: the statistics of an hour hide those that leave the
    /// range.
    var glucoseShares: (below: Double, within: Double, above: Double, count: Int)? {
        guard let data = data(of: .glucose), data.isSingle else { return nil }
        let values = data.points.map(\.mean)
        func share(_ isPart: (Double) -> Bool) -> Double {
            100 * Double(values.count(where: isPart)) / Double(values.count)
        }
        return (
            share { $0 < Self.glucoseRange.lowerBound }, share(Self.glucoseRange.contains),
            share { $0 > Self.glucoseRange.upperBound }, values.count
        )
    }

    /// Lowest reading with the start of its hour or its own time.
    var lowestOxygen: HistoryPoint? { data(of: .oxygenSaturation)?.points.min { $0.min < $1.min } }

    // MARK: Wearing

    private static let hour: Int64 = 3_600_000

    /// Whole hours from the begin to the present, and the starts of those with a reading of a worn sensor.
    private var hours: (all: Int, worn: Set<Int64>) {
        let points = Self.worn.compactMap { data(of: $0) }.flatMap { data in
            data.points.map { $0.at / Self.hour }
        }
        let first = from / Self.hour
        let all = Int(max(to / Self.hour - first, 0))
        return (all, Set(points.filter { ($0 - first) < Int64(all) && $0 >= first }))
    }

    var wornHours: (worn: Int, all: Int) { (hours.worn.count, hours.all) }

    /// Spans of two hours and more without a reading, the earliest first.
    var gaps: [(from: Int64, to: Int64)] {
        let (all, worn) = hours
        let first = from / Self.hour
        var gaps: [(from: Int64, to: Int64)] = []
        var begin: Int64?
        for hour in first...(first + Int64(all)) {
            let isMissing = hour < first + Int64(all) && !worn.contains(hour)
            if isMissing, begin == nil { begin = hour }
            if !isMissing, let start = begin {
                if hour - start >= Self.leastGap { gaps.append((start * Self.hour, hour * Self.hour)) }
                begin = nil
            }
        }
        return gaps
    }
}
