internal import GatewayModel

/// `[sos.drill]`: drills that the house holds by itself.
enum DrillSection {
    static let everyDays = Key(
        "every_days", .wholeNumber(1...365), .optional("no drill by itself"),
        "Every so many days a drill calls help for each person who accepted AutomatedSOS, marked as a drill.")
    static let at = Key("at", .dayTime, .standard("11:00"), "At this local time.")

    static let section = Section(
        ["sos", "drill"],
        "Drills that the house holds by itself. Agree with those who take the calls first.",
        keys: [everyDays, at], cost: .entry)

    /// Nil where none is held.
    static func read(_ reader: SectionReader) -> GatewaySettings.DrillPlan? {
        let days = reader.value(everyDays)
        guard let time = reader.value(at), let days else { return nil }
        return GatewaySettings.DrillPlan(everyDays: days, at: time)
    }
}
