/// Keys of the settings with their values, out of the declarations.
///
/// A personal value is told by its length. A section that is not written is there where its defaults hold.
public struct SettingsListing: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public let key: String
        /// As it would be written in the file, cut after 60 characters.
        public let value: String
        /// False where the default holds.
        public let isWritten: Bool
        /// The value is wrong, and has no effect.
        public let isSetAside: Bool
    }

    /// One section, or one entry of a section that repeats.
    public struct Part: Hashable, Sendable {
        /// `[broker]`, `[[person]] "maria"`.
        public let title: String
        public let entries: [Entry]
    }

    public let file: String
    /// In the order of the reference. Empty where the text is no TOML.
    public let parts: [Part]

    /// - Parameters:
    ///   - copy: text of the settings that run.
    ///   - setAside: mistakes of that text.
    public init(of copy: SettingsCopy, setAside: [SettingsProblem] = []) {
        file = copy.file
        guard let root = try? TOMLDocument(parsing: copy.settings).root else {
            parts = []
            return
        }
        let wrongLines = Set(setAside.filter { $0.file == copy.file }.map(\.line))
        parts = Self.parts(of: RootSection.section.children, in: root, owner: "", wrongLines)
    }

    /// The declarations bound the depth.
    private static func parts(
        of sections: [Section], in table: TOMLTable?, owner: String, _ wrongLines: Set<Int>
    ) -> [Part] {
        sections.flatMap { section in
            tables(of: section, in: table).flatMap { table in
                let id = section.repeats ? table?["id"].map { " \($0.value)" } ?? owner : owner
                let entries = section.keys.compactMap { entry($0, table?[$0.name], wrongLines) }
                let own = entries.isEmpty ? [] : [Part(title: section.header + id, entries: entries)]
                return own + parts(of: section.children, in: table, owner: id, wrongLines)
            }
        }
    }

    /// Tables of the section as they are written. One nil stands for a section of defaults alone.
    private static func tables(of section: Section, in table: TOMLTable?) -> [TOMLTable?] {
        switch table?[section.name]?.value {
        case .table(let written): return [written]
        case .array(let nodes):
            return nodes.compactMap { node in
                guard case .table(let written) = node.value, isVariant(section, written) else { return nil }
                return written
            }
        default:
            let needsOne = section.keys.contains { key in
                if case .required = key.presence { true } else { false }
            }
            return section.repeats || section.isRequired || needsOne ? [] : [nil]
        }
    }

    private static func isVariant(_ section: Section, _ table: TOMLTable) -> Bool {
        guard let variant = section.variant else { return true }
        return table.entries.contains { "\($0.key) = \($0.node.value)" == variant }
    }

    private static func entry(_ key: any DeclaredKey, _ node: TOMLNode?, _ wrongLines: Set<Int>) -> Entry? {
        if let node {
            return Entry(
                key: key.name, value: key.shown(node.value), isWritten: true,
                isSetAside: wrongLines.contains(node.position.line))
        }
        guard case .standard(let value) = key.presence else { return nil }
        return Entry(key: key.name, value: key.shown(value), isWritten: false, isSetAside: false)
    }
}
