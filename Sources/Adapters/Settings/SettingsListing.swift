public import GatewayModel
import SettingsReading

extension SettingsListing {
    /// Lists the settings of a text without the parts that are set aside.
    ///
    /// - Parameter more: parts that the text alone does not show to be of no use. They are listed all the same.
    public init(of copy: SettingsCopy, and more: (GatewaySettings) -> [SalvagedSettings.SetAside] = { _ in [] })
    {
        let salvaged = SalvagedSettings(copy)
        let setAside = salvaged.setAside + (salvaged.settings.map(more) ?? [])
        self.init(
            file: copy.file,
            parts: salvaged.remaining.map { Self.parts(of: RootSection.section.children, in: $0, owner: "") }
                ?? [],
            setAside: setAside.map { "\($0.part): \($0.problem)" })
    }

    /// The declarations bound the depth.
    ///
    /// - Parameter owner: name of the entry that the sections are in.
    private static func parts(of sections: [Section], in table: TOMLTable?, owner: String) -> [Part] {
        sections.flatMap { section in
            tables(of: section, in: table).flatMap { table in
                let owner = section.name(in: table).map { " " + $0 } ?? owner
                let entries = section.keys.compactMap { entry($0, table?[$0.name]) }
                let own = entries.isEmpty ? [] : [Part(title: section.header + owner, entries: entries)]
                return own + parts(of: section.children, in: table, owner: owner)
            }
        }
    }

    /// Tables of the section as they are written. One nil stands for a section of defaults alone.
    private static func tables(of section: Section, in table: TOMLTable?) -> [TOMLTable?] {
        switch table?[section.name]?.value {
        case .table(let written): return [written]
        case .array(let nodes):
            return nodes.compactMap { node in
                guard case .table(let written) = node.value, section.isVariant(written) else { return nil }
                return written
            }
        default:
            let needsOne = section.keys.contains { key in
                if case .required = key.presence { true } else { false }
            }
            return section.repeats || section.isRequired || needsOne ? [] : [nil]
        }
    }

    private static func entry(_ key: any DeclaredKey, _ node: TOMLNode?) -> Entry? {
        if let node { return Entry(key: key.name, value: key.shown(node.value), isWritten: true) }
        guard case .standard(let value) = key.presence else { return nil }
        return Entry(key: key.name, value: key.shown(value), isWritten: false)
    }
}
