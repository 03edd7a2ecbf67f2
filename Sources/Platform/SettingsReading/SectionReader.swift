/// One section as it was written, read through its declaration. Every mistake is reported once, at its
/// line, and its value is then nil.
public struct SectionReader {
    public let section: Section
    /// Nil where the section is not written, or is not a section (already reported).
    public let table: TOMLTable?
    public let position: TOMLPosition
    /// Path of the table from the root of the file.
    public let path: [TOMLStep]
    public let problems: Problems
    /// Sections that it stands in, the whole file first.
    private let enclosing: [SectionReader]

    /// - Parameter checksNames: false while its allowed keys are not known yet.
    public init(
        _ section: Section, _ table: TOMLTable?, at position: TOMLPosition, _ problems: Problems,
        path: [TOMLStep] = [], within enclosing: [SectionReader] = [], checksNames: Bool = true
    ) {
        self.section = section
        self.table = table
        self.position = position
        self.path = path
        self.problems = problems
        self.enclosing = enclosing
        if checksNames { table?.entries.forEach(checkIsKnown) }
    }

    /// The whole file. Errors: `syntax`.
    public init(_ section: Section, reading bytes: [UInt8], file: String) throws(SettingsError) {
        let table = try SettingsFile.table(bytes, file: file, of: section)
        self.init(section, table, at: .start, Problems(file: file))
    }

    /// The value, or its default where it is not written. Nil where it is optional and not written, and
    /// where it is wrong or missing, which is then reported.
    public func value<Value>(_ key: Key<Value>) -> Value? {
        guard let node = table?[key.name] else { return unwritten(key) }
        switch key.form.judge(node.value) {
        case .accepted(let value): return value
        case .refused(let advice):
            let seen = key.form.shown(node.value)
            report("saw \(seen), expected \(key.expected): \(advice)", key.name)
            return nil
        }
    }

    /// Whether a mistake was reported in this section, or in one within it.
    public var hasMistakes: Bool {
        problems.findings.contains { $0.place?.path.starts(with: path) == true }
    }

    public func isWritten(_ key: any DeclaredKey) -> Bool {
        table?[key.name] != nil
    }

    /// Of two keys that stand together or not at all; the one without the other is reported.
    /// - Returns: whether they are written; nil where only one is.
    public func areWritten(_ first: any DeclaredKey, and second: any DeclaredKey) -> Bool? {
        let (isFirst, isSecond) = (isWritten(first), isWritten(second))
        guard isFirst != isSecond else { return isFirst }
        let (seen, missing) = isFirst ? (first, second) : (second, first)
        report("saw it without \(missing.name), expected both or none: add \(missing.name)", seen.name)
        return nil
    }

    /// Where the key is written; the section where it is not.
    public func position(of key: String) -> TOMLPosition {
        table?[key]?.position ?? position
    }

    public func report(_ message: String, _ key: String) {
        problems.report(message, key: section.full(key), at: position(of: key), in: place(key))
    }

    /// The place of a key, or of a section within this one, in the tree.
    public func place(_ key: String) -> Finding.Place {
        Finding.Place(section: section, path: path, key: key)
    }

    public func warn(_ message: String, _ key: String) {
        problems.warn(message, key: section.full(key), at: position(of: key))
    }

    private func unwritten<Value>(_ key: Key<Value>) -> Value? {
        switch key.presence {
        case .optional: return nil
        case .standard(let value):
            guard case .accepted(let value) = key.form.judge(value) else { return nil }
            return value
        case .required:
            // A missing section has been reported as a whole.
            guard table != nil else { return nil }
            report("is missing: add \(key.name), \(key.expected)", key.name)
            return nil
        }
    }

    private func checkIsKnown(_ entry: TOMLTable.Entry) {
        let known = section.knownNames
        guard !known.contains(entry.key) else { return }
        if let reason = section.outdated[entry.key] {
            return problems.warn(reason, key: section.full(entry.key), at: entry.node.position)
        }
        problems.report(
            section.refused[entry.key] ?? unknown(entry), key: section.full(SectionReader.shown(entry.key)),
            at: entry.node.position, in: place(entry.key))
    }

    /// Message about a name that is not declared here: the place that it belongs to, else the nearest name here, else
    /// all names.
    private func unknown(_ entry: TOMLTable.Entry) -> String {
        let place = section.path.isEmpty ? "at the top of the file" : "in \(section.described())"
        let isSection = entry.node.value.isSection
        let seen = "there is no such \(isSection ? "section" : "key") \(place)"
        let around = enclosing.reversed()
        if isSection,
            let meant = around.lazy.flatMap(\.section.children).first(where: { $0.name == entry.key })
        {
            return "\(seen): write it as \(meant.header)"
        }
        if !isSection, let home = around.first(where: { $0.section.keys.contains { $0.name == entry.key } }) {
            let header = home.section.path.isEmpty ? "the top of the file" : home.section.header
            // TOML gives a key to the header above it: below the first section within, the outer one is closed.
            return
                "\(seen): it belongs to \(header); move it above line \(home.firstSectionWithin ?? position.line)"
        }
        if let near = NearestName.to(entry.key, among: section.knownNames) {
            return "\(seen) (did you mean \"\(near)\"?): correct or remove it"
        }
        let homes = (enclosing.first ?? self).section.all.filter { other in
            other.path != section.path && other.keys.contains { $0.name == entry.key }
        }
        if let home = homes.first, Set(homes.map(\.path)).count == 1 {
            return "\(seen): it belongs to \(home.header); move it there"
        }
        return "\(seen): expected one of \(section.knownNames.joined(separator: ", ")); correct or remove it"
    }

    /// Line of the first header of a section within; nil where there is none.
    private var firstSectionWithin: Int? {
        table?.entries.flatMap { entry -> [Int] in
            switch entry.node.value {
            case .table: [entry.node.position.line]
            case .array(let nodes): nodes.filter(\.isTable).map(\.position.line)
            default: []
            }
        }.min()
    }

    /// A bare key as it is; any other in quotes and escaped.
    private static func shown(_ key: String) -> String {
        let isBare =
            (1...60).contains(key.utf8.count)
            && key.utf8.allSatisfy { $0 < 0x80 && ($0 == 0x2D || $0 == 0x5F || isAlphanumeric($0)) }
        return isBare ? key : TOMLValue.quoted(key)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return character.isLetter || character.isNumber
    }
}

/// The sections within a section.
extension SectionReader {
    /// The section `[name]` within this one. Where it is not written, its defaults hold.
    public func child(_ section: Section) -> SectionReader {
        guard let node = table?[section.name] else {
            if section.isRequired { reportMissing(section) }
            return SectionReader(
                section, nil, at: position, problems, path: path + [.key(section.name)],
                within: enclosing + [self])
        }
        guard case .table(let table) = node.value else {
            let seen = "saw \(SectionReader.kind(node.value))"
            report("\(seen), expected the section \(section.header): write it as one", section.name)
            return SectionReader(
                section, nil, at: node.position, problems, path: path + [.key(section.name)],
                within: enclosing + [self])
        }
        return SectionReader(
            section, table, at: node.position, problems, path: path + [.key(section.name)],
            within: enclosing + [self])
    }

    /// The sections `[[name]]`, in the order of the file.
    public func children(_ section: Section) -> [SectionReader] {
        tables(section).map {
            SectionReader(
                section, $0.table, at: $0.position, problems, path: $0.path, within: enclosing + [self])
        }
    }

    /// The sections `[[name]]` of several types, each read as the type that its key names. One that does not
    /// say is reported, and left out.
    public func children<Kind: Hashable>(
        _ variants: [(kind: Kind, section: Section)], by key: Key<Kind>
    ) -> [(kind: Kind, reader: SectionReader)] {
        guard let any = variants.first?.section else { return [] }
        return tables(any).compactMap { table, position, path in
            let untyped = SectionReader(any, table, at: position, problems, path: path, checksNames: false)
            guard let kind = untyped.value(key),
                let section = variants.first(where: { $0.kind == kind })?.section
            else { return nil }
            return (
                kind,
                SectionReader(section, table, at: position, problems, path: path, within: enclosing + [self])
            )
        }
    }

    /// How many sections `[[name]]` are written, right or wrong.
    public func count(of section: Section) -> Int {
        guard case .array(let elements)? = table?[section.name]?.value else { return 0 }
        return elements.count
    }

    private func tables(
        _ section: Section
    ) -> [(table: TOMLTable, position: TOMLPosition, path: [TOMLStep])] {
        guard let node = table?[section.name] else {
            if section.isRequired { reportMissing(section) }
            return []
        }
        guard case .array(let elements) = node.value, elements.allSatisfy(\.isTable) else {
            report(
                "saw \(SectionReader.kind(node.value)), expected \(section.header): "
                    + "write a header in double brackets before each", section.name)
            return []
        }
        if elements.isEmpty && section.isRequired { reportMissing(section) }
        return elements.enumerated().compactMap { index, element in
            guard case .table(let table) = element.value else { return nil }
            return (table, element.position, path + [.element(section.name, index)])
        }
    }

    private func reportMissing(_ section: Section) {
        let message = "the section \(section.header) is missing: add it, with \(section.needs)"
        problems.report(message, key: section.title, at: position, in: place(section.name))
    }

    private static func kind(_ value: TOMLValue) -> String {
        switch value {
        case .table: "one section in single brackets"
        case .array: "an array"
        default: "one value"
        }
    }
}

extension TOMLNode {
    fileprivate var isTable: Bool {
        if case .table = value { true } else { false }
    }
}

extension TOMLValue {
    /// `[name]` or `[[name]]`, or an inline table.
    fileprivate var isSection: Bool {
        switch self {
        case .table: true
        case .array(let nodes): !nodes.isEmpty && nodes.allSatisfy(\.isTable)
        default: false
        }
    }
}

extension [SectionReader] {
    /// Reports every value that an earlier section of the same kind already has, in this file or another.
    public func reportRepeated<Value: Hashable>(_ key: Key<Value>, _ values: [Value?], isPersonal: Bool = false)
    {
        var first: [Value: SectionReader] = [:]
        for (reader, value) in zip(self, values) {
            guard let value else { continue }
            if let other = first[value] {
                reader.report(
                    "saw \(isPersonal ? "it" : "\"\(value)\"") again, expected another than at \(other.place(of: key.name, for: reader)): "
                        + "give each \(reader.section.header) its own", key.name)
            } else {
                first[value] = reader
            }
        }
    }
}

extension SectionReader {
    /// Where the key is written, as a message at `reader` names it: with the file where that is another.
    public func place(of key: String, for reader: SectionReader) -> String {
        let line = position(of: key).line
        return problems.file == reader.problems.file ? "line \(line)" : "\(problems.file):\(line)"
    }
}
