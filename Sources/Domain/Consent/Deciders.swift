/// Deciders of one person.
public struct Deciders: Hashable, Sendable {
    /// Names of the person: ID and name.
    private let own: Set<String>
    /// Nil if the settings name no decider: any user with access to the box then decides for the person.
    private let named: Set<String>?

    /// Any user with access to the box, and no command from outside.
    public static let atTheBox = Deciders(own: [], named: nil)

    /// - Parameters:
    ///   - own: names of the person.
    ///   - named: names of further deciders; nil if the settings do not name any.
    public init(own: [String], named: [String]?) {
        self.own = Set(own.map(Self.plain))
        self.named = named.map { Set($0.map(Self.plain)) }
    }

    /// Returns whether the decider and means of a decision are allowed. Requests, and acts that follow from the clock
    /// or from the settings, need no decider.
    func allow(_ decision: ConsentDecision) -> Bool {
        switch decision.act {
        case .requested, .partyKeyChanged: return true
        case .policy, .granted, .refused, .withdrawn, .expired: break
        }
        return allow(decision.by, by: decision.means)
    }

    /// Returns whether this name may decide for the person by these means.
    public func allow(_ name: String, by means: ConsentMeans) -> Bool {
        let name = Self.plain(name)
        switch means {
        case .settings, .gateway: return true
        case .commandLine, .console: return named == nil || own.contains(name) || isNamed(name)
        // The sender of a command is not in the house, so the settings must name them.
        case .command: return isNamed(name)
        }
    }

    private func isNamed(_ name: String) -> Bool { named?.contains(name) ?? false }

    /// Returns the name in lower case with single spaces, because people type names in different ways.
    private static func plain(_ name: String) -> String {
        name.lowercased().split(separator: " ").joined(separator: " ")
    }
}
