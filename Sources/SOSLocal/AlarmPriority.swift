/// How much an alarm asks of those who hear it, after IEC 60601-1-8.
public enum AlarmPriority: String, CaseIterable, Hashable, Codable, Sendable, Comparable {
    /// To be known: a note in the house and in the record.
    case low
    /// Prompt attention: the house and the person's carers are told, no ambulance.
    case medium
    /// A life may be at stake: help is called.
    case high

    private var rank: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .high: 2
        }
    }

    public static func < (left: AlarmPriority, right: AlarmPriority) -> Bool { left.rank < right.rank }
}
