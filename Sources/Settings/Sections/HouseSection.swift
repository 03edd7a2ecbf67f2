/// `[house]`: what the house is like for those who live in it.
enum HouseSection {
    static let wakingHours = Key(
        "waking_hours", .hours, .standard("07:00-22:00"),
        "When what can wait is said aloud, local time. An alarm never waits.")

    static let section = Section(
        ["house"], "What the house is like for those who live in it.", keys: [wakingHours])

    static func read(_ reader: SectionReader) -> GatewaySettings.House? {
        reader.value(wakingHours).map { GatewaySettings.House(wakingHours: $0) }
    }
}
