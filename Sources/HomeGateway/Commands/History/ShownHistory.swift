import Contract
import FoundationEssentials
import GatewayModel
import Glibc
import Hub
import Vault

/// What was asked of history, for people and for programs.
struct ShownHistory: Encodable {
    private struct Point: Encodable {
        let at: String
        let count: Int
        let min, mean, max: Double
        let device: String?
        let contact: SensorContact?
        let currency: Reading.Currency?
    }

    private let person: String
    private let kind: String
    /// UCUM.
    private let unit: String?
    private let resolution: HistoryResolution
    private let points: [Point]

    init(person: String, kind: String, resolution: HistoryResolution, points: [HistoryPoint]) {
        (self.person, self.kind, self.resolution) = (person, kind, resolution)
        unit = QuantityKind(rawValue: kind)?.coding.unit
        self.points = points.map { point in
            Point(
                at: WallTime(millisecondsSince1970: point.at).rfc3339, count: point.count, min: point.min,
                mean: point.mean, max: point.max, device: point.device, contact: point.contact,
                currency: point.currency)
        }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    var lines: [String] {
        guard !points.isEmpty else { return ["nothing is kept of then"] }
        guard resolution != .raw else {
            let rows = points.map { point in
                [
                    point.at, Self.text(point.mean), point.device ?? "-",
                    point.contact == .lost ? "off the skin" : "", Self.word(for: point.currency),
                ]
            }
            return Shown.table([["TIME", "VALUE", "DEVICE", "", ""]] + rows)
        }
        let rows = points.map { point in
            [
                point.at, Self.text(point.min), Self.text(point.mean), Self.text(point.max),
                "\(point.count)",
            ]
        }
        return Shown.table([["FROM", "LEAST", "MEAN", "MOST", "READINGS"]] + rows)
    }

    private static func word(for currency: Reading.Currency?) -> String {
        switch currency {
        case .live, nil: ""
        case .history: "stored"
        case .undated: "its clock is not set"
        }
    }

    /// To a tenth: finer than these sensors are.
    private static func text(_ value: Double) -> String {
        "\((value * 10).rounded() / 10)"
    }
}

extension WallTime {
    /// `2026-03-01`, `2026-03-01T08:30` or with seconds, in UTC with or without a `Z`; nil for anything else.
    init?(dateOrTime text: String) {
        let form = /(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?Z?)?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        func number(_ digits: Substring?) -> Int32 { digits.flatMap { Int32($0) } ?? 0 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
            number(match.1) - 1_900, number(match.2) - 1, number(match.3)
        )
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(match.4), number(match.5), number(match.6))
        let asked = parts
        let seconds = timegm(&parts)
        // It turns a 30th of February into another day, and that is a mistake.
        guard asked.tm_mon == parts.tm_mon, asked.tm_mday == parts.tm_mday, asked.tm_hour == parts.tm_hour,
            asked.tm_min == parts.tm_min, asked.tm_sec == parts.tm_sec
        else { return nil }
        self.init(millisecondsSince1970: Int64(seconds) * 1_000)
    }
}
