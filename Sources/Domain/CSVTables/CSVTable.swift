/// A table as spreadsheets write it (RFC 4180), with the line of each row. Commas, semicolons and tabs part its cells:
/// spreadsheets of half of Europe write semicolons.
public struct CSVTable: Sendable {
    public struct Row: Sendable {
        /// From 1; of a row with line breaks in its quotes, the first.
        public let line: Int
        public let cells: [String]
    }

    /// Why it is no table.
    public struct Fault: Error {
        public let line: Int
        public let message: String
    }

    /// Rows whose cells are all empty are left out: spreadsheets write many of them after the last.
    public let rows: [Row]

    public init(_ bytes: [UInt8]) throws(Fault) {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard !isUTF16, String(validating: content, as: UTF8.self) != nil else {
            let line = isUTF16 ? 1 : Self.firstWrongLine(content)
            throw Fault(line: line, message: "is not UTF-8: save it again as \"CSV UTF-8\"")
        }
        rows = try Self.rows(content, partedBy: Self.delimiter(content))
    }

    private static func firstWrongLine(_ bytes: ArraySlice<UInt8>) -> Int {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    /// Whichever the first line has most of.
    private static func delimiter(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        let heading = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        func count(_ byte: UInt8) -> Int { heading.count { $0 == byte } }
        let (comma, others) = (UInt8(ascii: ","), [UInt8(ascii: ";"), UInt8(ascii: "\t")])
        return others.max { count($0) < count($1) }.flatMap { count($0) > count(comma) ? $0 : nil } ?? comma
    }

    private static func rows(
        _ bytes: ArraySlice<UInt8>, partedBy delimiter: UInt8
    ) throws(Fault) -> [Row] {
        var rows: [Row] = []
        var (line, firstLine) = (1, 1)
        var (cells, cell): ([String], [UInt8]) = ([], [])
        var (isQuoted, hasQuotes) = (false, false)
        func endCell() {
            cells.append(String(decoding: cell, as: UTF8.self).trimmed)
            (cell, hasQuotes) = ([], false)
        }
        func endRow() {
            endCell()
            if cells.contains(where: { !$0.isEmpty }) { rows.append(Row(line: firstLine, cells: cells)) }
            cells = []
        }
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            let isEnd =
                byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && !bytes[index...].startsWithBreak
            if isEnd { line += 1 }
            if isQuoted {
                guard byte == UInt8(ascii: "\"") else {
                    cell.append(byte)
                    continue
                }
                // Two are one of the text.
                guard index < bytes.endIndex, bytes[index] == byte else {
                    isQuoted = false
                    continue
                }
                cell.append(byte)
                index += 1
            } else if byte == UInt8(ascii: "\""), cell.isEmpty, !hasQuotes {
                (isQuoted, hasQuotes) = (true, true)
            } else if byte == delimiter {
                endCell()
            } else if isEnd {
                if cell.last == UInt8(ascii: "\r") { cell.removeLast() }
                endRow()
                firstLine = line
            } else {
                cell.append(byte)
            }
        }
        guard !isQuoted else {
            throw Fault(
                line: firstLine,
                message: "has a quotation mark that is never closed: close it, or write it twice")
        }
        endRow()
        return rows
    }
}

extension ArraySlice<UInt8> {
    /// What a return before it belongs to; alone it ends a line, as some write one.
    fileprivate var startsWithBreak: Bool { first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") }
}

extension String {
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\u{A0}" || $0 == "\r" || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) })
        else {
            return ""
        }
        return String(self[first...last])
    }
}
