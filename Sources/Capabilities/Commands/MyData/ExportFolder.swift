import CSVTables
import ControlContract
import FoundationEssentials
import Glibc
import Hub
import RealTime

/// New folder for one export. Only its owner can read it.
struct ExportFolder {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String

    /// Creates the folder. Errors: the folder exists already; existing files are never overwritten.
    init(at path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 else {
            let advice = errno == EEXIST ? "; give a folder that is not there yet" : ""
            throw Failure(description: "\(SystemCallError("making \(path)"))\(advice)")
        }
        self.path = path
    }

    func file(_ name: String) throws(Failure) -> TextFile { try TextFile(at: "\(path)/\(name)") }

    /// File that is written once, from its beginning to its end.
    final class TextFile {
        /// Size in bytes from which the waiting text is written.
        private static let chunk = 65_536

        private let path: String
        private let descriptor: Int32
        private var waiting: [UInt8] = []

        fileprivate init(at path: String) throws(Failure) {
            self.path = path
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Failure(description: "\(SystemCallError("making \(path)"))") }
        }

        deinit { close(descriptor) }

        func write(_ text: String) throws(Failure) {
            waiting += text.utf8
            if waiting.count >= Self.chunk { try flush() }
        }

        /// Writes the rest and syncs. Call it at the end: a failed write is reported here, and not lost in a power cut.
        func finish() throws(Failure) {
            try flush()
            guard fsync(descriptor) == 0 else {
                throw Failure(description: "\(SystemCallError("writing \(path)"))")
            }
        }

        private func flush() throws(Failure) {
            var rest = waiting[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    throw Failure(description: "\(SystemCallError("writing \(path)"))")
                }
                rest = rest.dropFirst(count)
            }
            waiting.removeAll(keepingCapacity: true)
        }
    }
}

/// JSON list with one element on each line.
struct JSONList {
    private let file: ExportFolder.TextFile
    private let closing: String
    private(set) var count = 0

    init(
        _ file: ExportFolder.TextFile, opening: String = "[", closing: String = "]"
    ) throws(ExportFolder.Failure) {
        (self.file, self.closing) = (file, closing)
        try file.write(opening)
    }

    mutating func add(_ element: String) throws(ExportFolder.Failure) {
        try file.write(count == 0 ? "\n" : ",\n")
        try file.write(element)
        count += 1
    }

    func finish() throws(ExportFolder.Failure) {
        try file.write("\n\(closing)\n")
        try file.finish()
    }
}

/// Row of an export, in JSON and in CSV.
protocol ExportRow: Encodable {
    static var columns: [String] { get }
    /// Cells in the order of `columns`.
    var fields: [String] { get }
}

extension ExportRow {
    static func csv(_ rows: [Self]) -> [String] { [heading] + rows.map(\.line) }
    static var heading: String { columns.joined(separator: ",") }
    var line: String { CSVRow(fields).line }
}

/// Description of the export: its person, its gateway, and the data outside the other files.
struct ExportAbout: Encodable {
    let person: String
    let gateway: String
    let made: String
    let devices: [MyDataPage.Device]
    /// Number of unsent messages; nil where the disk did not answer.
    let unsentMessages: Int?
    let unreadableRows: Int
}

enum ExportJSON {
    static func text(_ value: some Encodable, isPretty: Bool = false) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        // Texts and finite numbers always encode.
        return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self)
    }
}

/// Rows written to two files: a JSON list and a CSV table (RFC 4180).
struct ExportTable {
    private var list: JSONList
    private let table: ExportFolder.TextFile

    init(_ folder: ExportFolder, _ name: String, columns: [String]) throws(ExportFolder.Failure) {
        list = try JSONList(folder.file("\(name).json"))
        table = try folder.file("\(name).csv")
        try table.write(columns.joined(separator: ",") + "\n")
    }

    mutating func add(_ row: some ExportRow) throws(ExportFolder.Failure) {
        try list.add(ExportJSON.text(row))
        try table.write(row.line + "\n")
    }

    /// - Returns: the number of rows.
    func finish() throws(ExportFolder.Failure) -> Int {
        try list.finish()
        try table.finish()
        return list.count
    }
}

extension MyDataPage.Decision: ExportRow {
    static let columns = [
        "sequence", "at", "act", "about", "by", "means", "party", "party_name", "purpose", "kinds",
        "precision", "from", "until", "role",
    ]

    var fields: [String] {
        ["\(sequence)", at, act, about, by, means]
            + [party, partyName, purpose, kinds?.joined(separator: " "), precision, from, until, role].map {
                $0 ?? ""
            }
    }
}
