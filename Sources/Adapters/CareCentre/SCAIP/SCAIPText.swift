import FoundationEssentials
import GatewayModel

/// A text field, made to fit: no control characters, no more than so many characters of Unicode.
///
/// XML Schema counts code points (`maxLength`), so an accented letter may take two. It is cut between units
/// that people see as characters, never within one.
struct SCAIPText: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// Nil where nothing is left: an empty element is not allowed (`minLength` 1).
    init?(_ text: String, limit: Int) {
        let clean = Self.clean(text)
        let cut = Self.cut(clean, limit: limit)
        guard !cut.isEmpty else { return nil }
        description = cut
    }

    /// As much of `parts`, most important first, as fits; a part that does not fit whole is left out, and only
    /// the first is ever cut.
    init?(parts: [String], limit: Int, separator: String = "; ") {
        let clean = parts.map(Self.clean).filter { !$0.isEmpty }
        guard let first = clean.first else { return nil }
        let text = clean.dropFirst().reduce(Self.cut(first, limit: limit)) { text, part in
            let longer = text + separator + part
            return longer.unicodeScalars.count <= limit ? longer : text
        }
        guard !text.isEmpty else { return nil }
        description = text
    }

    private static func cut(_ text: String, limit: Int) -> String {
        var count = 0
        var end = text.startIndex
        for index in text.indices {
            count += text[index].unicodeScalars.count
            guard count <= limit else { break }
            end = text.index(after: index)
        }
        return trimmed(text[..<end])
    }

    /// White space of every kind becomes one blank; characters that XML 1.0 cannot hold go.
    private static func clean(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                if scalars.last != " " { scalars.append(" ") }
            } else if scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value),
                scalar.value & 0xFFFE != 0xFFFE
            {
                scalars.append(scalar)
            }
        }
        return trimmed(String(scalars)[...])
    }

    private static func trimmed(_ text: Substring) -> String {
        let tail = text.drop { $0 == " " }
        guard let last = tail.lastIndex(where: { $0 != " " }) else { return "" }
        return String(tail[...last])
    }
}

/// `lge`: a point of the globe and when it was known.
///
/// `geo` has no sign (its pattern is digits, points and commas), so it can only name the north-eastern
/// quarter of the globe; elsewhere the same point goes as an NMEA sentence in `gga`, which has letters
/// for the hemispheres.
struct SCAIPPlace: Hashable, Sendable {
    let coordinates: Coordinates
    let altitude: Double?
    /// Nil for a place that does not change: where the box was installed.
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

/// `mty`: kind of message.
public enum SCAIPMessageType: String, Hashable, Sendable {
    case message = "ME"
    case reset = "RE"
    case heartbeat = "PI"
}

/// `dty`: reporting device. The codes of the list that this box has a use for.
public enum SCAIPDeviceType: String, Hashable, Sendable {
    case localUnitAndController = "0002"
    case personalTrigger = "0003"
    case fallDetector = "0005"
    case epilepsyAlarm = "0017"
    case heartRateMonitor = "0019"
    case monitoringDevice = "0049"
}

/// `stc`: reported event.
public enum SCAIPStatusCode: String, Hashable, Sendable {
    case abort = "0002"
    case automaticAlarm = "0009"
    case manualAlarm = "0010"
    case alert = "0011"
    case batteryOK = "0015"
    case batteryLow = "0016"
    case cancel = "0019"
    case disconnected = "0031"
    case highLevel = "0046"
    case lowLevel = "0064"
    case maintenance = "0065"
    case normal = "0070"
    case offline = "0073"
    case online = "0075"
    case powerFailed = "0085"
    case powerRestored = "0086"
    /// "Test transmission over the primary channel": heartbeats of devices in the field carry it, and drills.
    case testTransmission = "0102"
    case interventionComplete = "0111"
}

/// `dco`: which part of the device.
public enum SCAIPDeviceComponent: String, Hashable, Sendable {
    case button1 = "002"
}

/// `lco`: where.
public enum SCAIPLocationCode: String, Hashable, Sendable {
    case home = "002"
    case geoAttached = "034"
    case gpsAttached = "035"
}
