import GatewayModel

/// One section of the file, declared once: its keys and the sections within it.
public struct Section: Sendable {
    /// From the root, `["person", "sos"]`; empty for the root itself.
    public let path: [String]
    /// `[[person]]`: any number of them.
    public let repeats: Bool
    /// Whether the file must have it, or at least one of it.
    public let isRequired: Bool
    /// Of a section that comes in several types: the line that makes it this one, `type = "https"`.
    public let variant: String?
    public let meaning: String
    public let keys: [any DeclaredKey]
    /// Names that people will try, and why there is no such key. Their values are never shown.
    public let refused: [String: String]
    /// Names that earlier versions had, with the reason why they have no effect now. They cost a warning.
    public let outdated: [String: String]
    public let children: [Section]
    /// Cost of a mistake in it at a start.
    public let cost: MistakeCost
    /// Cost of a mistake at one of its keys, where that differs.
    public let costs: [String: MistakeCost]
    /// Values that take the place of a key that was set aside; of a section that was set aside, all of them.
    public let substitutes: [String: TOMLValue]

    public init(
        _ path: [String], repeats: Bool = false, isRequired: Bool = false, variant: String? = nil,
        _ meaning: String,
        keys: [any DeclaredKey] = [], refused: [String: String] = [:],
        outdated: [String: String] = [:], children: [Section] = [],
        cost: MistakeCost = .key, costs: [String: MistakeCost] = [:], substitutes: [String: TOMLValue] = [:]
    ) {
        self.path = path
        self.repeats = repeats
        self.isRequired = isRequired
        self.variant = variant
        self.meaning = meaning
        self.keys = keys
        self.refused = refused
        self.outdated = outdated
        self.children = children
        self.cost = cost
        self.costs = costs
        self.substitutes = substitutes
    }

    public var name: String { path.last ?? "" }
    public var title: String { path.joined(separator: ".") }

    /// As it is written in the file.
    public var header: String { repeats ? "[[\(title)]]" : "[\(title)]" }

    /// The header, with its variant where there are several.
    public func described(quoting quote: String = "") -> String {
        quote + header + quote + (variant.map { " with \(quote)\($0)\(quote)" } ?? "")
    }

    /// Keys that may stand in it, each once: a section within may have several variants.
    public var knownNames: [String] {
        var names: [String] = []
        for name in keys.map(\.name) + children.map(\.name) where !names.contains(name) { names.append(name) }
        return names
    }

    /// Name of one entry of a section that repeats, in quotes; nil where it has none.
    public func name(in table: TOMLTable?) -> String? {
        guard repeats, case .string(let id)? = table?["id"]?.value, DeviceID(id) != nil else { return nil }
        return "\"\(id)\""
    }

    /// Whether the table is of this variant; every table is, where there is one variant.
    public func isVariant(_ table: TOMLTable) -> Bool {
        guard let variant else { return true }
        return table.entries.contains { "\($0.key) = \($0.node.value)" == variant }
    }

    /// The keys that it requires; with the condition where a requirement depends on one.
    public var needs: String {
        let names = keys.compactMap { key -> String? in
            switch key.presence {
            case .required: key.name
            case .optional(let words) where words.hasPrefix(Presence.required.words): "\(key.name) (\(words))"
            case .optional, .standard: nil
            }
        }
        // Names stand in backquotes in the reference alone.
        return names.joined(separator: ", ").filter { $0 != "`" }
    }

    /// `broker.port`, for error messages.
    public func full(_ key: String) -> String {
        (path + [key]).joined(separator: ".")
    }

    /// Itself and all within, in the order of the reference.
    public var all: [Section] { [self] + children.flatMap(\.all) }
}

/// One key of a section, declared once: the reader, the errors and the reference all use this.
public struct Key<Value: Sendable>: DeclaredKey {
    public let name: String
    public let form: Form<Value>
    public let presence: Presence
    public let meaning: String

    public init(_ name: String, _ form: Form<Value>, _ presence: Presence, _ meaning: String) {
        self.name = name
        self.form = form
        self.presence = presence
        self.meaning = meaning
    }

    public var expected: String { form.expected }
    public var content: KeyContent { form.content }
    public var isPersonal: Bool { form.isPersonal }

    public func accepts(_ value: TOMLValue) -> Bool {
        if case .accepted = form.judge(value) { true } else { false }
    }

    public func shown(_ value: TOMLValue) -> String {
        guard !form.isPersonal, case .array(let nodes) = value else { return form.shown(value) }
        return "[" + nodes.map(\.value.description).joined(separator: ", ") + "]"
    }

    public func rightElements(of value: TOMLValue) -> [TOMLNode] {
        guard case .array(let nodes) = value else { return [] }
        return nodes.filter { node in
            if case .accepted = form.judge(.array([node])) { true } else { false }
        }
    }

    public var defaultIsOfItsForm: Bool {
        guard case .standard(let value) = presence else { return true }
        if case .accepted = form.judge(value) { return true }
        return false
    }
}

/// Consequence of a key that is not written.
public enum Presence: Sendable {
    case required
    /// Meaning of its absence, in words.
    case optional(String)
    /// The value that holds then, judged by the same form as a written one.
    case standard(TOMLValue)

    public var words: String {
        switch self {
        case .required: "required"
        case .optional(let words): words
        case .standard(let value): "`\(value)`"
        }
    }
}

/// A key of any type, for the list of a section.
public protocol DeclaredKey: Sendable {
    var name: String { get }
    var expected: String { get }
    var presence: Presence { get }
    var meaning: String { get }
    var content: KeyContent { get }
    var isPersonal: Bool { get }
    func accepts(_ value: TOMLValue) -> Bool
    var defaultIsOfItsForm: Bool { get }
    /// The value for people to read; a personal one by its length.
    func shown(_ value: TOMLValue) -> String
    /// The elements of a list that the key accepts, each by itself.
    func rightElements(of value: TOMLValue) -> [TOMLNode]
}

/// Cost of a mistake at a start: the smallest part of the settings that is set aside for it.
///
/// The remaining settings pass every check: no part of a wrong value is ever used.
public struct MistakeCost: Hashable, Sendable {
    public enum Part: Hashable, Sendable {
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

    public let part: Part
    /// Without it safety or security would be weakened: the last settings that worked are used instead, where there
    /// are some.
    public let isGrave: Bool

    private init(_ part: Part, isGrave: Bool) {
        self.part = part
        self.isGrave = isGrave
    }

    public static let key = MistakeCost(.key, isGrave: false)
    public static let elements = MistakeCost(.elements, isGrave: false)
    public static let entry = MistakeCost(.entry, isGrave: false)
    public static func keys(_ names: String...) -> MistakeCost { MistakeCost(.keys(names), isGrave: false) }

    public static func grave(_ part: Part) -> MistakeCost { MistakeCost(part, isGrave: true) }
}
