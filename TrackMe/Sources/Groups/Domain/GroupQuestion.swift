/// Group that a third party asks for, with the kind of data.
public struct GroupQuestion: Hashable, Sendable {
    public enum Flaw: String, Error, Hashable, Sendable {
        /// A list is empty or has a value twice.
        case list
        /// No list restricts the group, and it is not said that everybody is meant.
        case unrestricted
        /// A list restricts the group, and everybody is meant.
        case contradiction
    }

    public let kind: GroupKind
    /// Sorted; nil for all.
    public let areas: [AreaName]?
    public let ages: [AgeBand]?
    public let genders: [Gender]?

    /// - Parameter isEverybody: the group of all persons is asked for, by intent.
    public init(
        kind: GroupKind, areas: [AreaName]?, ages: [AgeBand]?, genders: [Gender]?, isEverybody: Bool = false
    ) throws(Flaw) {
        func sorted<Value: Hashable & Comparable>(_ list: [Value]?) throws(Flaw) -> [Value]? {
            guard let list else { return nil }
            guard !list.isEmpty, Set(list).count == list.count else { throw .list }
            return list.sorted()
        }
        self.kind = kind
        self.areas = try sorted(areas)
        self.ages = try sorted(ages)
        self.genders = try sorted(genders)
        let isRestricted = areas != nil || ages != nil || genders != nil
        guard isRestricted || isEverybody else { throw .unrestricted }
        guard !isRestricted || !isEverybody else { throw .contradiction }
    }

    /// - Parameters: as they were checked when they were kept.
    public init(kept kind: GroupKind, areas: [AreaName]?, ages: [AgeBand]?, genders: [Gender]?) {
        (self.kind, self.areas, self.ages, self.genders) = (kind, areas, ages, genders)
    }

    func contains(_ cell: GroupCell) -> Bool {
        areas?.contains(cell.area) ?? true && ages?.contains(cell.age) ?? true
            && genders?.contains(cell.gender) ?? true
    }
}
