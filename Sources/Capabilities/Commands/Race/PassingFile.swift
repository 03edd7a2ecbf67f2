import CSVTables
import ControlContract
import Foundation
import Hub
import JSONReading
import RunBeacon

/// Reader of exports of passings, of this box or of others. It recognises CSV and JSON by their first character.
enum PassingFile {
    /// Maximum size in bytes: about 2 million passings.
    private static let largest = 512 << 20

    /// Error for a file that cannot be used: the value seen, the value expected, the remedy.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    static func read(_ path: String) throws(Unusable) -> [MergedPassing] {
        let bytes: [UInt8]
        do {
            bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Unusable(description: "\(path): cannot be read; give an export: homegateway passings export")
        }
        let first = bytes.first { !$0.isSpace }
        let rows = first == UInt8(ascii: "[") ? try json(bytes, path) : try csv(bytes, path)
        var listed: [MergedPassing] = []
        for (place, row) in rows {
            guard let passing = row.listed else {
                throw Unusable(
                    description:
                        "\(path): \(place): invalid time, bound, order or count; export the passings again")
            }
            listed.append(passing)
        }
        return listed
    }

    private static func json(_ bytes: [UInt8], _ path: String) throws(Unusable) -> [(String, PassingRow)] {
        do {
            let rows = try JSONReader.decode([PassingRow].self, from: bytes, limit: largest)
            return rows.enumerated().map { ("passing \($0.offset + 1)", $0.element) }
        } catch {
            throw Unusable(
                description: "\(path): is no export in JSON (\(error.brief)); expected the output of "
                    + "homegateway passings export --format json")
        }
    }

    private static func csv(_ bytes: [UInt8], _ path: String) throws(Unusable) -> [(String, PassingRow)] {
        let table: CSVTable
        do throws(CSVTable.Fault) {
            table = try CSVTable(bytes)
        } catch {
            throw Unusable(description: "\(path): line \(error.line): \(error.message)")
        }
        let heading = table.rows.first?.cells ?? []
        let missing = PassingRow.missing(in: heading)
        guard missing.isEmpty else {
            throw Unusable(
                description:
                    "\(path): line 1: the heading lacks \(missing.joined(separator: ", ")); expected the output of "
                    + "homegateway passings export --format csv")
        }
        var rows: [(String, PassingRow)] = []
        for row in table.rows.dropFirst() {
            let cells = Dictionary(zip(heading, row.cells)) { first, _ in first }
            do throws(PassingRow.Fault) {
                rows.append(("line \(row.line)", try PassingRow(cells)))
            } catch {
                throw Unusable(
                    description: "\(path): line \(row.line): \(error.column): saw '\(Shown.text(error.saw))', "
                        + "expected \(error.expected)")
            }
        }
        return rows
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self <= UInt8(ascii: " ") }
}

extension Error {
    /// Place in the JSON, and the mistake there.
    fileprivate var brief: String {
        guard let error = self as? DecodingError else { return "no JSON" }
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "passing \($0 + 1)" } ?? $0.stringValue }
            return path.isEmpty ? "" : path.joined(separator: ", ") + ": "
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context))\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return "\(place(context))\(context.debugDescription)"
        @unknown default: return "no JSON"
        }
    }
}
