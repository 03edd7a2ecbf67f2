import Ciphers
import Foundation
import GatewayModel
import Vault

/// Writes a year of five kinds of one person, and times pages out of it.
///
/// Days of which only roll-ups are kept get one reading a minute at most: their rows are as many and as large as those
/// of a reading each second would be, and are written sooner.
@main
struct HistoryBench {
    private static let person = PersonID("maria")
    private static let begin: Int64 = 1_735_689_600_000  // 2025-01-01T00:00:00Z
    private static let day: Int64 = 86_400_000
    private static let days = 365
    /// The readings of the last days are kept as they came, as by default.
    private static let rawDays: Int64 = 30

    /// Seconds between two readings of each kind.
    private static let kinds: [(kind: QuantityKind, every: Int64, least: Double)] = [
        (.heartRate, 1, 60), (.rrInterval, 1, 800), (.oxygenSaturation, 2, 92), (.bodyTemperature, 60, 36),
        (.systolicPressure, 28_800, 110),
    ]

    static func main() throws {
        guard let person, let key = AES256Key((0..<32).map { UInt8($0) }) else { return }
        let directory = FileManager.default.temporaryDirectory.appending(path: "history-bench-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let database = try HistoryDatabase(
            at: directory.path + "/history.sqlite", keys: HistoryKeys(current: key), cipher: OpenSSLCipher())
        defer { try? database.close() }

        let clock = ContinuousClock()
        var count = 0
        var random = SystemRandomNumberGenerator()
        var (full, before) = (0, 0)
        let took = try clock.measure {
            for index in 0..<days {
                let midnight = begin + Int64(index) * day
                let readings = kinds.flatMap { kind in
                    stride(
                        from: midnight, to: midnight + day,
                        by: Int(index < days - Int(rawDays) - 1 ? max(kind.every, 60) : kind.every) * 1_000
                    ).map { time in
                        reading(of: person, kind.kind, kind.least, at: time, &random)
                    }
                }
                if index == days - 1 { (full, before) = (readings.count, try database.size()) }
                try database.keep(readings)
                count += readings.count
                if index == days - 1 { before = try database.size() - before }
                let now = WallTime(millisecondsSince1970: midnight + day + 1)
                while try database.rollUp(at: now) {}
                while try database.letGoOfRaw(olderThan: .seconds(rawDays * 86_400), at: now) {}
            }
        }
        let size = try database.size()
        print(
            "\(count) readings of \(days) days, \(rawDays) of them in full, written and aged in "
                + "\(took.components.seconds) s: \(size >> 20) MB; the last day: \(full) readings, "
                + "\(Double(before * 100 / full) / 100) bytes each as they came")
        let end = begin + Int64(days) * day
        try time("a year, hours", of: person, database, from: { _ in begin }, to: end, .hour)
        try time("a year, days", of: person, database, from: { _ in begin }, to: end, .day)
        try time(
            "a week, minutes", of: person, database,
            from: { _ in begin + Int64.random(in: 0..<Int64(days) - 7) * day }, span: 7 * day, to: end, .minute)
        try time(
            "a day, raw", of: person, database,
            from: { _ in end - Int64.random(in: 1..<rawDays) * day }, span: day, to: end, .raw)
    }

    private static func reading(
        of person: PersonID, _ kind: QuantityKind, _ least: Double, at time: Int64,
        _ random: inout SystemRandomNumberGenerator
    ) -> Reading {
        let wall = WallTime(millisecondsSince1970: time + Int64.random(in: 0..<300, using: &random))
        // In tenths, as a thermometer gives them; the others in whole numbers.
        let value =
            least + Double(Int.random(in: 0..<(kind == .bodyTemperature ? 15 : 8), using: &random))
            / (kind == .bodyTemperature ? 10 : 1)
        return Reading(
            id: MessageID(wall: wall, using: &random), person: person, device: DeviceID(kind.rawValue)!,
            quantity: Quantity(kind, kind == .bodyTemperature ? (value * 10).rounded() / 10 : value),
            contact: .detected, arrival: Moment(boot: BootInstant(nanoseconds: 0), wall: wall))
    }

    private static func time(
        _ name: String, of person: PersonID, _ database: HistoryDatabase, from: (Int) -> Int64,
        span: Int64? = nil, to end: Int64, _ resolution: HistoryResolution
    ) throws {
        let clock = ContinuousClock()
        var times: [Duration] = []
        var points = 0
        for index in 0..<100 {
            let begin = from(index)
            let query = HistoryQuery(
                person: person, kind: index.isMultiple(of: 2) ? .heartRate : .rrInterval,
                from: WallTime(millisecondsSince1970: begin),
                to: WallTime(millisecondsSince1970: span.map { begin + $0 } ?? end), resolution: resolution,
                limit: 100_000)
            try times.append(
                clock.measure { points = max(points, try database.page(query).points.count) })
        }
        times.sort()
        let shown = [times[49], times[94], times[99]].map {
            "\((Double($0.components.attoseconds) / 1e15 * 100).rounded() / 100 + Double($0.components.seconds) * 1_000)"
        }
        print(
            "\(name): \(points) points; p50 \(shown[0]) ms, p95 \(shown[1]) ms, max \(shown[2]) ms")
    }
}
