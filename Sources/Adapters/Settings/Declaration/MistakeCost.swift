/// Cost of a mistake at a start: the smallest part of the settings that is set aside for it.
///
/// The remaining settings pass every check: no part of a wrong value is ever used.
struct MistakeCost: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        /// The key: its default holds, which is the safe value.
        case key
        /// The wrong elements of a list; the key where none is right.
        case elements
        /// These keys together, as they contradict each other.
        case keys([String])
        /// The section, or the entry of a section that repeats.
        case entry
        /// The `[[person]]` that it stands in.
        case person
        /// Nothing: without it there are no settings.
        case none
    }

    let part: Part
    /// Without it safety or security would be weakened: the last settings that worked are used instead, where there
    /// are some.
    let isGrave: Bool

    private init(_ part: Part, isGrave: Bool) {
        self.part = part
        self.isGrave = isGrave
    }

    static let key = MistakeCost(.key, isGrave: false)
    static let elements = MistakeCost(.elements, isGrave: false)
    static let entry = MistakeCost(.entry, isGrave: false)
    static func keys(_ names: String...) -> MistakeCost { MistakeCost(.keys(names), isGrave: false) }

    static func grave(_ part: Part) -> MistakeCost { MistakeCost(part, isGrave: true) }
}
