import Foundation
import GatewayModel
import Hub
import SOSLocal
import Settings
import SettingsReading

/// Doubtful settings that no rule of the file forbids, each with its remedy. Pure, but for the time zone's place.
enum SettingsAdvice {
    /// - Parameter known: places that the machine and the settings tell of the house.
    static func lines(for settings: GatewaySettings, known: KnownPlaces) -> [String] {
        (example(settings) + zone(settings, known) + place(settings.installed, known) + mute(settings)).map {
            "ADVICE   \($0)"
        }
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
        guard settings.broker.access.addresses.contains(where: { $0.host.hasSuffix(".trackme.example") }) else {
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

    /// A machine without the zone of its house: an image as it came, or a container.
    private static func zone(_ settings: GatewaySettings, _ known: KnownPlaces) -> [String] {
        guard known.zone == nil, known.isUTC, !settings.persons.isEmpty else { return [] }
        return [
            "the time zone of this machine is UTC: waking hours, drills and spoken times go by it. If the house is elsewhere, "
                + "set it: timedatectl set-timezone Europe/Rome"
        ]
    }

    private static func place(_ installed: InstalledPlace, _ known: KnownPlaces) -> [String] {
        guard let here = installed.coordinates else { return [] }
        if abs(here.latitude) < 0.01, abs(here.longitude) < 0.01 {
            return [
                "latitude and longitude are 0, a place in the ocean: write those of the house in [installed], or "
                    + "remove both"
            ]
        }
        guard let there = known.zone ?? known.country,
            let swapped = Coordinates(latitude: here.longitude, longitude: here.latitude),
            distance(here, there) > 1_500, distance(swapped, there) < distance(here, there) / 2
        else { return [] }
        let (name, source) =
            known.zone != nil
            ? ("the city of its time zone", "the time zone of this machine")
            : ("the country of its telephone numbers", "the telephone numbers")
        return [
            "latitude and longitude seem to be swapped: as written, the house is \(Int(distance(here, there))) km "
                + "from \(name), and \(Int(distance(swapped, there))) km the other way round. "
                + "Correct [installed], or \(source)"
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

/// Places that tell roughly where a house stands.
struct KnownPlaces {
    /// The principal city of the machine's time zone; nil where it has none, as UTC.
    var zone: Coordinates?
    var isUTC = false
    /// A city of the country of the contacts' telephone numbers; nil where none is known.
    var country: Coordinates?

    /// Blocking I/O.
    init(of settings: GatewaySettings) {
        self.init(
            zoneName: TimeZone.current.identifier,
            phones: settings.persons.flatMap(\.profile.contacts).map(\.phone),
            table: (try? String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)) ?? "")
    }

    /// - Parameters:
    ///   - phones: in the form of E.164.
    ///   - table: zone.tab of tzdata.
    init(zoneName: String, phones: [String], table: String) {
        zone = ZonePlace.place(of: zoneName, in: table)
        isUTC = ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(zoneName)
        let countries = Set(
            phones.compactMap { phone in Self.countries.first { phone.hasPrefix($0.key) }?.value })
        country =
            countries.count == 1 ? countries.first.flatMap { ZonePlace.place(ofCountry: $0, in: table) } : nil
    }

    /// Country codes of Europe (ITU-T E.164) that no other country shares, with the codes of ISO 3166.
    private static let countries = [
        "+30": "GR", "+31": "NL", "+32": "BE", "+33": "FR", "+34": "ES", "+36": "HU", "+39": "IT", "+40": "RO",
        "+41": "CH", "+43": "AT", "+45": "DK", "+46": "SE", "+48": "PL", "+49": "DE", "+351": "PT",
        "+352": "LU",
        "+353": "IE", "+354": "IS", "+356": "MT", "+357": "CY", "+358": "FI", "+359": "BG", "+370": "LT",
        "+371": "LV", "+372": "EE", "+385": "HR", "+386": "SI", "+420": "CZ", "+421": "SK",
    ]
}

/// Place of a time zone: that of its principal city, by the table of tzdata. Pure.
enum ZonePlace {
    /// Nil where the zone has no city, as UTC, or is not in the table.
    static func place(of zone: String, in table: String) -> Coordinates? {
        row(of: table) { $0[2] == zone }
    }

    /// - Parameter code: of ISO 3166.
    static func place(ofCountry code: String, in table: String) -> Coordinates? {
        row(of: table) { $0[0] == code }
    }

    private static func row(of table: String, _ isMeant: ([Substring]) -> Bool) -> Coordinates? {
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            guard columns.count >= 3, isMeant(columns) else { continue }
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
