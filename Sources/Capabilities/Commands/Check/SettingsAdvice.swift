import Foundation
import GatewayModel
import Hub
import SOSLocal
import Settings

/// Doubtful settings that no rule of the file forbids, each with its remedy. Pure, but for the time zone's place.
enum SettingsAdvice {
    /// - Parameter zone: place of the principal city of the machine's time zone; nil where it is not known.
    static func lines(for settings: GatewaySettings, zone: Coordinates?) -> [String] {
        (example(settings) + place(settings.installed, zone) + mute(settings)).map { "ADVICE   \($0)" }
    }

    /// - Parameter warns: whether the wearables of the person can raise a warning.
    static func lines(for person: GatewaySettings.Person, in settings: GatewaySettings, warns: Bool) -> [String]
    {
        let ways = person.plan.ways
        var lines: [String] = []
        let kinds = ways.channels.map { id in settings.channels.first { $0.id == id }?.way }
        let areTexts = kinds.map { if case .sms = $0 { true } else { false } }
        let areCalls = kinds.map { if case .telephone = $0 { true } else { false } }
        if !kinds.isEmpty, zip(areTexts, areCalls).allSatisfy({ $0 || $1 }) {
            let reason =
                if !areCalls.contains(true) {
                    "by text message alone, which may be late or lost, and no machine confirms it"
                } else if !areTexts.contains(true) {
                    "by telephone alone: nobody has the call before a telephone is answered, long after 5 s"
                } else {
                    "by telephone and text message alone: neither is confirmed within 5 s"
                }
            lines.append("help is called \(reason): add another channel to channels in [person.sos]")
        }
        if warns, ways.carers.isEmpty {
            lines.append(
                "warnings are judged, and nobody outside hears of them: write carers = [\"mqtt\"] or another "
                    + "channel in [person.sos], or warnings = false in the sections of the limits")
        }
        return lines.map { "ADVICE   \($0)" }
    }

    private static func example(_ settings: GatewaySettings) -> [String] {
        guard settings.broker.addresses.contains(where: { $0.host.hasSuffix(".trackme.example") }) else {
            return []
        }
        return [
            "the settings are those of the example: [broker] host names no real broker. Change each line marked "
                + "CHANGE"
        ]
    }

    private static func mute(_ settings: GatewaySettings) -> [String] {
        guard !settings.persons.isEmpty, settings.house.sound == .off, settings.house.lamp == nil else {
            return []
        }
        return [
            "an alarm makes no sound and lights no lamp: nobody in the house notices it without a paired screen. Connect a "
                + "loudspeaker and remove sound = false from [house], add [house.lamp], or pair the screen of the room"
        ]
    }

    private static func place(_ installed: InstalledPlace, _ zone: Coordinates?) -> [String] {
        guard let here = installed.coordinates else { return [] }
        if abs(here.latitude) < 0.01, abs(here.longitude) < 0.01 {
            return [
                "latitude and longitude are 0, a place in the ocean: write those of the house in [installed], or "
                    + "remove both"
            ]
        }
        guard let zone, let swapped = Coordinates(latitude: here.longitude, longitude: here.latitude),
            distance(here, zone) > 1_500, distance(swapped, zone) < distance(here, zone) / 2
        else { return [] }
        return [
            "latitude and longitude seem to be swapped: as written, the house is \(Int(distance(here, zone))) km "
                + "from the city of its time zone, and \(Int(distance(swapped, zone))) km the other way round. "
                + "Correct [installed], or the time zone of this machine"
        ]
    }

    /// Distance in kilometres, on a sphere.
    private static func distance(_ one: Coordinates, _ other: Coordinates) -> Double {
        let (a, b) = (one.latitude * .pi / 180, other.latitude * .pi / 180)
        let (dLatitude, dLongitude) = (b - a, (other.longitude - one.longitude) * .pi / 180)
        let half =
            sin(dLatitude / 2) * sin(dLatitude / 2)
            + cos(a) * cos(b) * sin(dLongitude / 2) * sin(dLongitude / 2)
        return 2 * 6_371 * asin(min(1, half.squareRoot()))
    }
}

/// Place of a time zone: that of its principal city, by the table of tzdata.
enum ZonePlace {
    /// Nil where the zone has no city, as UTC, or the table is missing. Blocking I/O.
    static var current: Coordinates? {
        guard let table = try? String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8) else {
            return nil
        }
        return place(of: TimeZone.current.identifier, in: table)
    }

    static func place(of zone: String, in table: String) -> Coordinates? {
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            guard columns.count >= 3, columns[2] == zone else { continue }
            return coordinates(columns[1])
        }
        return nil
    }

    /// ISO 6709: `+4154+01229`, or with seconds `+513030-0000731`.
    private static func coordinates(_ text: Substring) -> Coordinates? {
        guard let split = text.dropFirst().firstIndex(where: { "+-".contains($0) }),
            let north = degrees(text[..<split], digits: 2), let east = degrees(text[split...], digits: 3)
        else { return nil }
        return Coordinates(latitude: north, longitude: east)
    }

    private static func degrees(_ text: Substring, digits: Int) -> Double? {
        let number = text.dropFirst()
        guard let whole = Double(number.prefix(digits)),
            let minutes = Double(number.dropFirst(digits).prefix(2))
        else { return nil }
        return (text.hasPrefix("-") ? -1 : 1) * (whole + minutes / 60)
    }
}
