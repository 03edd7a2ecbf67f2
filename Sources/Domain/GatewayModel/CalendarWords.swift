extension PersonProfile.Language {
    /// The first is Sunday.
    public var weekdays: [String] {
        switch self {
        case .english: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        case .italian: ["domenica", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato"]
        }
    }

    public var months: [String] {
        switch self {
        case .english:
            [
                "January", "February", "March", "April", "May", "June", "July", "August", "September",
                "October", "November", "December",
            ]
        case .italian:
            [
                "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre",
                "ottobre", "novembre", "dicembre",
            ]
        }
    }

    /// `Sun`, `dom`
    public func weekday(_ number: Int) -> String { String(weekdays[min(max(number, 0), 6)].prefix(3)) }

    /// `Sep`, `set`
    public func month(_ number: Int) -> String { String(months[min(max(number, 1), 12) - 1].prefix(3)) }
}

extension PersonProfile.Language {
    public var decimalMark: Character {
        switch self {
        case .english: "."
        case .italian: ","
        }
    }
}

extension CivilDate {
    /// `24 Nov 2026`
    public func text(_ language: PersonProfile.Language) -> String { "\(day) \(language.month(month)) \(year)" }
}
