public import GatewayModel

/// One line of the home's dashboard: one kind of reading of one person.
public struct DashboardEntity: Hashable, Comparable, Sendable {
    public let person: PersonID
    public let kind: QuantityKind

    public init(person: PersonID, kind: QuantityKind) {
        (self.person, self.kind) = (person, kind)
    }

    /// Returns nil for RR intervals: several values a second are not useful on a dashboard.
    public init?(of reading: Reading) {
        guard reading.quantity.kind != .rrInterval else { return nil }
        self.init(person: reading.person, kind: reading.quantity.kind)
    }

    /// Defines a fixed order for entities that are published together.
    public static func < (left: DashboardEntity, right: DashboardEntity) -> Bool {
        (left.person.text, left.kind.rawValue) < (right.person.text, right.kind.rawValue)
    }
}
