import FoundationEssentials
import GatewayModel

/// `lge`: a point of the globe and when it was known.
///
/// `geo` has no sign (its pattern is digits, points and commas), so it can only name the north-eastern
/// quarter of the globe; elsewhere the same point goes as an NMEA sentence in `gga`, which has letters
/// for the hemispheres.
struct SCAIPPlace: Hashable, Sendable {
    let coordinates: Coordinates
    let altitude: Double?
    /// Nil for what does not change: where the box was installed.
    let time: WallTime?

    var isNMEA: Bool { coordinates.latitude < 0 || coordinates.longitude < 0 }

    var xml: String {
        let point = isNMEA ? element("gga", gga) : element("geo", geo)
        return point + (time.map { element("tim", Self.text($0)) } ?? "")
    }

    /// Latitude before longitude, which the schema does not say; six decimals, about 0.1 m.
    private var geo: String {
        "\(Self.decimal(coordinates.latitude, places: 6)),\(Self.decimal(coordinates.longitude, places: 6))"
    }

    /// NMEA 0183 GGA: time, latitude, longitude, quality 1, then satellites and HDOP unknown, altitude.
    private var gga: String {
        let clock = time.map { Self.clock($0) } ?? ""
        let height = altitude.map { Self.decimal($0, places: 1) } ?? ""
        let fields = [
            "GPGGA", clock, Self.degrees(coordinates.latitude, width: 2), coordinates.latitude < 0 ? "S" : "N",
            Self.degrees(coordinates.longitude, width: 3), coordinates.longitude < 0 ? "W" : "E", "1", "", "",
            height, "M", "", "M", "", "",
        ].joined(separator: ",")
        let sum = fields.utf8.reduce(0, ^)
        return "$\(fields)*\(padded(String(sum, radix: 16, uppercase: true), 2))"
    }

    /// `[d]ddmm.mmmm` without a sign.
    private static func degrees(_ value: Double, width: Int) -> String {
        // In units of 0.0001 minute, so that 59.99999 minutes carry over to the next degree.
        let units = Int((abs(value) * 600_000).rounded())
        let (degrees, minutes) = units.quotientAndRemainder(dividingBy: 600_000)
        return padded(String(degrees), width) + padded(String(minutes / 10_000), 2) + "."
            + padded(String(minutes % 10_000), 4)
    }

    private static func decimal(_ value: Double, places: Int) -> String {
        let unit = (0..<places).reduce(1) { unit, _ in unit * 10 }
        let scaled = Int((value.magnitude * Double(unit)).rounded())
        return (value < 0 ? "-" : "") + "\(scaled / unit)." + padded(String(scaled % unit), places)
    }

    private static func clock(_ time: WallTime) -> String {
        String(text(time).dropFirst(11).prefix(8).filter { $0 != ":" })
    }

    /// 22 characters, as the schema counts them: UTC with a two-digit offset.
    private static func text(_ time: WallTime) -> String {
        let date = Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000)
        return date.formatted(Date.ISO8601FormatStyle()).dropLast() + "+00"
    }
}

private func padded(_ digits: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
}
