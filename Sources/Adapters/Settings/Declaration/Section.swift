/// One section of the file, declared once: its keys and the sections within it.
struct Section: Sendable {
    /// From the root, `["person", "sos"]`; empty for the root itself.
    let path: [String]
    /// `[[person]]`: any number of them.
    let repeats: Bool
    /// Whether the file must have it, or at least one of it.
    let isRequired: Bool
    /// Of a section that comes in several types: the line that makes it this one, `type = "https"`.
    let variant: String?
    let meaning: String
    let keys: [any DeclaredKey]
    /// Names that people will try, and why there is no such key. Their values are never shown.
    let refused: [String: String]
    let children: [Section]
    /// Cost of a mistake in it at a start.
    let cost: MistakeCost
    /// Cost of a mistake at one of its keys, where that differs.
    let costs: [String: MistakeCost]
    /// Values that take the place of a key that was set aside; of a section that was set aside, all of them.
    let substitutes: [String: TOMLValue]

    init(
        _ path: [String], repeats: Bool = false, isRequired: Bool = false, variant: String? = nil,
        _ meaning: String,
        keys: [any DeclaredKey] = [], refused: [String: String] = [:], children: [Section] = [],
        cost: MistakeCost = .key, costs: [String: MistakeCost] = [:], substitutes: [String: TOMLValue] = [:]
    ) {
        self.path = path
        self.repeats = repeats
        self.isRequired = isRequired
        self.variant = variant
        self.meaning = meaning
        self.keys = keys
        self.refused = refused
        self.children = children
        self.cost = cost
        self.costs = costs
        self.substitutes = substitutes
    }

    var name: String { path.last ?? "" }
    var title: String { path.joined(separator: ".") }

    /// As it is written in the file.
    var header: String { repeats ? "[[\(title)]]" : "[\(title)]" }

    /// The header, with its variant where there are several.
    func described(quoting quote: String = "") -> String {
        quote + header + quote + (variant.map { " with \(quote)\($0)\(quote)" } ?? "")
    }

    /// What may stand in it.
    var knownNames: [String] { keys.map(\.name) + children.map(\.name) }

    /// The keys that it does not do without; of those of which that depends, on what.
    var needs: String {
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
    func full(_ key: String) -> String {
        (path + [key]).joined(separator: ".")
    }

    /// Itself and all within, in the order of the reference.
    var all: [Section] { [self] + children.flatMap(\.all) }
}
