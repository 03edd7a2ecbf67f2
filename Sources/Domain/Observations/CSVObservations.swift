import CSVTables
import Contract
import GatewayModel

/// Rows `time,kind,value,unit[,id]`.
enum CSVObservations {
    private enum Column: String, CaseIterable {
        case time, kind, value, unit, id
    }

    private static let heading = "the columns time, kind, value, unit, and id if there is one"

    /// Reads a table with a line of headings, in any order.
    static func items(_ bytes: [UInt8]) throws(ObservationFault) -> [ObservationItem] {
        var rows = try table(bytes)[...]
        guard let first = rows.popFirst() else {
            throw ObservationFault(
                seen: "no line", expected: heading, remedy: "write the headings and a line for each value")
        }
        var columns: [Column] = []
        for cell in first.cells {
            guard let column = Column(rawValue: cell.lowercased()), !columns.contains(column) else {
                throw ObservationFault(
                    seen: "the heading \(ObservationFault.quoted(cell)) in line \(first.line)",
                    expected: heading,
                    remedy: "correct or remove it, each once")
            }
            columns.append(column)
        }
        if let missing = Column.allCases.first(where: { $0 != .id && !columns.contains($0) }) {
            throw ObservationFault(
                seen: "no heading \"\(missing.rawValue)\" in line \(first.line)", expected: heading,
                remedy: "add the heading and its column")
        }
        return rows.map { row in ObservationItem("line \(row.line)", entry(row.cells, columns)) }
    }

    /// Reads one line without headings: `time,kind,value,unit` or `time,kind,value,unit,id`.
    static func line(_ bytes: [UInt8]) -> Result<ObservationEntry, ObservationFault> {
        Result { () throws(ObservationFault) in
            guard let row = try table(bytes).first else {
                throw ObservationFault(
                    seen: "an empty line", expected: "time,kind,value,unit or a FHIR Observation",
                    remedy: "write one value a line")
            }
            return try entry(row.cells, row.cells.count == 4 ? Column.allCases.dropLast() : Column.allCases)
                .get()
        }
    }

    private static func table(_ bytes: [UInt8]) throws(ObservationFault) -> [CSVTable.Row] {
        do throws(CSVTable.Fault) {
            return try CSVTable(bytes).rows
        } catch {
            throw ObservationFault(
                seen: "in line \(error.line) a text that \(error.message)", expected: "a CSV table",
                remedy: "correct it")
        }
    }

    private static func entry(
        _ cells: [String], _ columns: [Column]
    ) -> Result<ObservationEntry, ObservationFault> {
        Result { () throws(ObservationFault) in
            guard cells.count == columns.count else {
                throw ObservationFault(
                    seen: "\(cells.count) cells", expected: "\(columns.count)",
                    remedy: "write a cell for each column; an empty one where there is no id")
            }
            func cell(_ column: Column) -> String {
                columns.firstIndex(of: column).map { cells[$0] } ?? ""
            }
            guard let kind = QuantityKind(rawValue: cell(.kind)) else {
                throw ObservationFault(
                    seen: "the kind \(ObservationFault.quoted(cell(.kind)))",
                    expected: "one of \(QuantityKind.allCases.map(\.rawValue).joined(separator: ", "))",
                    remedy: "write its name in small letters")
            }
            let value = try ObservedValue(
                kind, try number(cell(.value)), in: cell(.unit), kind.usualSampling)
            return try ObservationEntry(
                id: cell(.id).isEmpty ? nil : cell(.id), time: cell(.time), values: [value])
        }
    }

    /// A plain decimal number: Swift's own form has infinities and hexadecimal digits.
    private static func number(_ text: String) throws(ObservationFault) -> Double {
        let digits = text.hasPrefix("-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isPlain =
            (1...2).contains(parts.count)
            && parts.allSatisfy { part in
                (1...15).contains(part.count)
                    && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
        guard isPlain, let number = Double(text) else {
            throw ObservationFault(
                seen: "the value \(ObservationFault.quoted(text))", expected: "a number such as 36.6",
                remedy: "write digits, with a point before the decimals and nothing else")
        }
        return number
    }
}
