import GatewayModel
import SOSLocal

/// Facts of a cause and a place that both formats state alike.
extension AlarmCause {
    /// The measured value that raised the alarm.
    var reading: Reading? {
        switch self {
        case .crossing(let crossing): crossing.reading
        case .earlyWarning(let warning): warning.reading
        case .silence(let silence): silence.last
        case .signal, .drill: nil
        }
    }
}

extension AlarmLocation {
    var coordinates: Coordinates? {
        if case .installed(let place) = self { return place.coordinates }
        return fix?.coordinates
    }
}

/// One device's readings of one kind, oldest first.
struct TrendLine: Hashable, Sendable {
    let kind: QuantityKind
    let device: DeviceID
    let readings: [Reading]

    static func lines(_ trend: [Reading]) -> [TrendLine] {
        var order: [[String]] = []
        var groups: [[String]: [Reading]] = [:]
        for reading in trend {
            let key = [reading.quantity.kind.rawValue, reading.device.text]
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(reading)
        }
        return order.compactMap { key in
            guard let readings = groups[key], let first = readings.first else { return nil }
            return TrendLine(kind: first.quantity.kind, device: first.device, readings: readings)
        }
    }
}

extension Double {
    /// Nil for infinity and not-a-number: JSON has no word for them.
    var finite: Double? { isFinite ? self : nil }
}
