/// Who may decide for one person.
public struct Deciders: Hashable, Sendable {
    /// What the person calls themselves: their id and their name.
    private let own: Set<String>
    /// Nil where the settings name nobody: whoever is let in at the box then speaks for the person.
    private let named: Set<String>?

    /// Whoever is let in at the box, and no command from outside.
    public static let atTheBox = Deciders(own: [], named: nil)

    /// - Parameters:
    ///   - own: what the person calls themselves.
    ///   - named: who else decides for them; nil where the settings do not say.
    public init(own: [String], named: [String]?) {
        self.own = Set(own.map(Self.plain))
        self.named = named.map { Set($0.map(Self.plain)) }
    }

    /// Whether a decision may be taken so. What only asks, and what follows from the clock or from the settings
    /// themselves, is nobody's decision.
    func allow(_ decision: ConsentDecision) -> Bool {
        switch decision.act {
        case .requested, .partyKeyChanged: return true
        case .policy, .granted, .refused, .withdrawn, .expired: break
        }
        let name = Self.plain(decision.by)
        switch decision.means {
        case .settings, .gateway: return true
        case .commandLine, .console: return named == nil || own.contains(name) || isNamed(name)
        // Who sends commands is not in the house: only for those whom the settings name.
        case .command: return isNamed(name)
        }
    }

    private func isNamed(_ name: String) -> Bool { named?.contains(name) ?? false }

    /// People do not type names the same way twice.
    private static func plain(_ name: String) -> String {
        name.lowercased().split(separator: " ").joined(separator: " ")
    }
}
