/// What a clock on the wall shows, to the minute: `07:00`.
public struct DayTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Since midnight, 0 to 1,439.
    public let minutes: Int

    /// Nil outside a day.
    public init?(minutes: Int) {
        guard (0..<1_440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// Nil unless `text` is of the form `HH:MM`, 00:00 to 23:59.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        self.minutes = hours * 60 + minutes
    }

    public static let midnight = DayTime(checked: 0)

    private init(checked minutes: Int) {
        self.minutes = minutes
    }

    public var description: String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return two(minutes / 60) + ":" + two(minutes % 60)
    }

    public static func < (left: DayTime, right: DayTime) -> Bool { left.minutes < right.minutes }
}
