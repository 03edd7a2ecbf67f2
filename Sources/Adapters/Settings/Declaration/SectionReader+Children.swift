/// The sections within a section.
extension SectionReader {
    /// The section `[name]` within this one. Where it is not written, its defaults hold.
    func child(_ section: Section) -> SectionReader {
        guard let node = table?[section.name] else {
            if section.isRequired { reportMissing(section) }
            return SectionReader(section, nil, at: position, problems, path: path + [.key(section.name)])
        }
        guard case .table(let table) = node.value else {
            let seen = "saw \(SectionReader.kind(node.value))"
            report("\(seen), expected the section \(section.header): write it as one", section.name)
            return SectionReader(
                section, nil, at: node.position, problems, path: path + [.key(section.name)])
        }
        return SectionReader(section, table, at: node.position, problems, path: path + [.key(section.name)])
    }

    /// The sections `[[name]]`, in the order of the file.
    func children(_ section: Section) -> [SectionReader] {
        tables(section).map { SectionReader(section, $0.table, at: $0.position, problems, path: $0.path) }
    }

    /// The sections `[[name]]` of several types, each read as what its key says that it is. One that does not
    /// say is reported, and left out.
    func children<Kind: Hashable>(
        _ variants: [(kind: Kind, section: Section)], by key: Key<Kind>
    ) -> [(kind: Kind, reader: SectionReader)] {
        guard let any = variants.first?.section else { return [] }
        return tables(any).compactMap { table, position, path in
            let untyped = SectionReader(any, table, at: position, problems, path: path, checksNames: false)
            guard let kind = untyped.value(key),
                let section = variants.first(where: { $0.kind == kind })?.section
            else { return nil }
            return (kind, SectionReader(section, table, at: position, problems, path: path))
        }
    }

    /// How many sections `[[name]]` are written, right or wrong.
    func count(of section: Section) -> Int {
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

extension [SectionReader] {
    /// Reports every value that an earlier section of the same kind already has, in this file or another.
    func reportRepeated<Value: Hashable>(_ key: Key<Value>, _ values: [Value?], isPersonal: Bool = false) {
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
    func place(of key: String, for reader: SectionReader) -> String {
        let line = position(of: key).line
        return problems.file == reader.problems.file ? "line \(line)" : "\(problems.file):\(line)"
    }
}
