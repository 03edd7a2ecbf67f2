public import GatewayModel

/// Area of homes, one of those that the operator has named.
public struct AreaName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Characters.
    public static let lengths = 1...60
    /// Areas of one server. Each has 1,728 buckets a week.
    public static let most = 100

    public let text: String

    /// Nil for a text with control characters or with characters that hide or turn the direction of writing, and for one
    /// with a space at an end.
    public init?(_ text: String) {
        guard PlainText.holds(text, Self.lengths), text.first?.isWhitespace == false,
            text.last?.isWhitespace == false
        else { return nil }
        self.text = text
    }

    public var description: String { text }

    public static func < (left: AreaName, right: AreaName) -> Bool { left.text < right.text }
}

/// Ages of one cell: below 18, 18 to 24, then five years each, the last one open.
public struct AgeBand: Hashable, Comparable, Sendable, CustomStringConvertible {
    private static let lastBegin = 90

    public static let all: [AgeBand] =
        [AgeBand(from: 0, through: 17), AgeBand(from: 18, through: 24)]
        + stride(from: 25, to: lastBegin, by: 5).map { AgeBand(from: $0, through: $0 + 4) }
        + [AgeBand(from: lastBegin, through: nil)]

    /// Whole years.
    public let from: Int
    /// Nil for the open one.
    public let through: Int?

    private init(from: Int, through: Int?) { (self.from, self.through) = (from, through) }

    /// - Parameter age: whole years; one below 0 counts as 0.
    public init(age: Int) { self = Self.all.last { $0.from <= age } ?? Self.all[0] }

    /// - Parameter text: `18-24`, `90+`.
    public init?(_ text: String) {
        guard let band = Self.all.first(where: { $0.description == text }) else { return nil }
        self = band
    }

    public var description: String { through.map { "\(from)-\($0)" } ?? "\(from)+" }

    public static func < (left: AgeBand, right: AgeBand) -> Bool { left.from < right.from }
}

/// Gender as the person gives it.
public enum Gender: String, CaseIterable, Hashable, Comparable, Sendable {
    case female, male, other

    public static func < (left: Gender, right: Gender) -> Bool { left.rawValue < right.rawValue }
}

/// Smallest group that a table counts.
public struct GroupCell: Hashable, Sendable {
    public let area: AreaName
    public let age: AgeBand
    public let gender: Gender

    public init(area: AreaName, age: AgeBand, gender: Gender) {
        (self.area, self.age, self.gender) = (area, age, gender)
    }

    /// All cells of these areas: the domain of a table, fixed before any person is looked at.
    public static func all(of areas: [AreaName]) -> [GroupCell] {
        areas.flatMap { area in
            AgeBand.all.flatMap { age in Gender.allCases.map { GroupCell(area: area, age: age, gender: $0) } }
        }
    }
}

/// Facts about a person that choose the cell.
public struct GroupProfile: Hashable, Sendable {
    /// Oldest year of birth that is taken.
    public static let firstYear = 1900

    public let birthYear: Int
    public let gender: Gender
    public let area: AreaName

    /// - Returns: nil for a year before 1900 or after that of `now`.
    public init?(birthYear: Int, gender: Gender, area: AreaName, now: WallTime) {
        let year = CivilDate(now.millisecondsSince1970).year
        guard birthYear >= Self.firstYear, birthYear <= year else { return nil }
        self.init(birthYear: birthYear, gender: gender, area: area)
    }

    /// - Parameter birthYear: as it was checked when it was kept.
    public init(birthYear: Int, gender: Gender, area: AreaName) {
        (self.birthYear, self.gender, self.area) = (birthYear, gender, area)
    }

    /// Cell in a week. The age is the one that the person reaches in the year of its Monday.
    public func cell(in week: Week) -> GroupCell {
        GroupCell(area: area, age: AgeBand(age: week.monday.year - birthYear), gender: gender)
    }
}
