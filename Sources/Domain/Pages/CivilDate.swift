import GatewayModel

/// Date of the Gregorian calendar in UTC.
struct CivilDate: Hashable {
    let year, month, day: Int

    /// - Parameter milliseconds: since 1970. Times beyond the years 0 to 9999 are moved to the nearest of them.
    init(_ milliseconds: Int64) {
        let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        // Days from civil, after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
        let shifted = Int((Double(bounded) / 86_400_000).rounded(.down)) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    func text(_ language: PersonProfile.Language) -> String {
        let english = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let italian = ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"]
        let names =
            switch language {
            case .english: english
            case .italian: italian
            }
        return "\(day) \(names[month - 1]) \(year)"
    }
}
