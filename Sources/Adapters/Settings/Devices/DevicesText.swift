internal import GatewayModel
import SettingsReading

/// The text of a devices file, changed line by line: other lines stay as they were written, their comments
/// included.
struct DevicesText {
    /// One `[[wearable]]` with the comment directly above it. Indices into `lines`.
    private struct Block {
        let id: String?
        let start: Int
        var end: Int
        let table: TOMLTable
    }

    private(set) var text: String

    /// Every file that this program wrote begins so.
    private static let firstWords = "# Written by: "

    init(_ text: String) {
        self.text = text
    }

    /// Says on top which command wrote it last.
    mutating func sign(_ command: String) {
        var lines = self.lines
        let signature =
            "\(Self.firstWords)\(command). Devices added by command; the syntax is that of gateway.toml."
        if lines.first?.hasPrefix(Self.firstWords) == true {
            lines[0] = signature
        } else {
            lines.insert(contentsOf: [signature, ""], at: 0)
        }
        put(lines)
    }

    mutating func add(_ device: NewDevice) {
        while text.hasSuffix("\n\n") { text.removeLast() }
        if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
        var block = text.isEmpty ? [] : [""]
        if let note = device.note.map(Self.comment), !note.isEmpty { block.append("# \(note)") }
        block.append("[[wearable]]")
        block += [
            "id = \"\(device.id)\"", "address = \"\(device.address)\"", "person = \"\(device.person)\"",
        ]
        if device.heardBy != .connection { block.append("heard_by = \"\(device.heardBy.rawValue)\"") }
        if let path = device.keyFile { block.append("key_file = \(TOMLValue.literal(path))") }
        if device.signals != .none { block.append("[wearable.signals]") }
        block += device.signals.meanings.map { "\($0.event) = \"\($0.means.rawValue)\"" }
        text += block.joined(separator: "\n") + "\n"
    }

    mutating func remove(_ id: DeviceID) throws(TOMLSyntaxError) {
        guard let block = try block(of: id) else { return }
        var lines = self.lines
        lines.removeSubrange(block.start..<block.end)
        put(lines)
    }

    /// Writes the words of a list, or nothing where there is none.
    mutating func set<Word: RawRepresentable>(
        _ key: Key<Set<Word>>, to words: Set<Word>, of id: DeviceID
    ) throws(TOMLSyntaxError) where Word.RawValue == String {
        guard let block = try block(of: id) else { return }
        var lines = self.lines
        let quoted = words.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ", ")
        let line = words.isEmpty ? nil : "\(key.name) = [\(quoted)]"
        if let written = block.table[key.name]?.position.line {
            let (end, rest) = Self.endOfList(in: lines, from: written - 1)
            lines.replaceSubrange(written - 1..<end, with: line.map { [$0 + rest] } ?? [])
        } else if let line, let person = block.table[WearableSection.person.name]?.position.line {
            lines.insert(line, at: person)
        }
        put(lines)
    }
}

extension DevicesText {
    /// Without the empty one after the last line end.
    private var lines: [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private mutating func put(_ lines: [String]) {
        text = lines.map { $0 + "\n" }.joined()
    }

    private func block(of id: DeviceID) throws(TOMLSyntaxError) -> Block? {
        guard case .array(let nodes)? = try TOMLDocument(parsing: Array(text.utf8)).root["wearable"]?.value
        else { return nil }
        let lines = self.lines
        var blocks: [Block] = []
        for node in nodes {
            guard case .table(let table) = node.value else { continue }
            var start = min(node.position.line - 1, lines.count)
            while start > 0, lines[start - 1].hasPrefix("#"), !lines[start - 1].hasPrefix(Self.firstWords) {
                start -= 1
            }
            if let last = blocks.indices.last { blocks[last].end = start }
            let id: String? = if case .string(let text)? = table["id"]?.value { text } else { nil }
            blocks.append(Block(id: id, start: start, end: lines.count, table: table))
        }
        return blocks.first { $0.id == id.text }
    }

    /// The line after the list that begins in line `start`, and the text behind the list in its last line. The
    /// list holds strings without escapes: it has been read as such.
    private static func endOfList(in lines: [String], from start: Int) -> (end: Int, rest: String) {
        for index in start..<lines.count {
            var quote: Character?
            var rest = Substring(lines[index])
            while let character = rest.popFirst() {
                if let open = quote {
                    if character == open { quote = nil }
                } else if character == "\"" || character == "'" {
                    quote = character
                } else if character == "#" {
                    break
                } else if character == "]" {
                    return (index + 1, String(rest))
                }
            }
        }
        return (start + 1, "")
    }

    /// The name of a stranger's device must not end the comment.
    private static func comment(_ text: String) -> String {
        let kept = text.unicodeScalars.filter { scalar in
            ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned]
                .contains(scalar.properties.generalCategory)
        }
        return String(String.UnicodeScalarView(kept).prefix(80)).trimmingSpaces
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
