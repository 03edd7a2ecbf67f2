/// Day of Week, characteristic 0x2A09 (GATT Specification Supplement, "Day of Week"). 0 is "unknown" there.
public enum DayOfWeek: UInt8, CaseIterable, Hashable, Sendable {
    case monday = 1
    case tuesday = 2
    case wednesday = 3
    case thursday = 4
    case friday = 5
    case saturday = 6
    case sunday = 7
}
