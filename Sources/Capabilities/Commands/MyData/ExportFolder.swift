import FoundationEssentials
import Glibc
import Hub
import RealTime

/// A folder that is made for one export. What is in it is for its owner's eyes alone.
struct ExportFolder {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String

    /// Errors: there is one already; nothing that somebody keeps is written over.
    init(at path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 else {
            let advice = errno == EEXIST ? "; give a folder that is not there yet" : ""
            throw Failure(description: "\(SystemCallError("making \(path)"))\(advice)")
        }
        self.path = path
    }

    func file(_ name: String) throws(Failure) -> TextFile { try TextFile(at: "\(path)/\(name)") }

    /// A file that is written from its beginning to its end.
    final class TextFile {
        /// Written when so much has come together.
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

        /// To be called at the end: what was not written shows here and not on the next power cut.
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

/// A list in JSON, an element a line.
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

/// One line of an export, in JSON and in CSV.
protocol ExportRow: Encodable {
    static var columns: [String] { get }
    /// In the order of `columns`.
    var fields: [String] { get }
}

extension ExportRow {
    static func csv(_ rows: [Self]) -> [String] { [heading] + rows.map(\.line) }
    static var heading: String { columns.joined(separator: ",") }
    var line: String { fields.map(AlarmExport.quoted).joined(separator: ",") }
}

/// What stands above the rest: whose it is, and what is kept besides.
struct ExportAbout: Encodable {
    let person: String
    let gateway: String
    let made: String
    let devices: [MyDataPage.Device]
    /// Nil where the disk did not say.
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

/// A file of rows as a list in JSON, and beside it one as a table in CSV (RFC 4180).
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

    /// - Returns: how many rows there are.
    func finish() throws(ExportFolder.Failure) -> Int {
        try list.finish()
        try table.finish()
        return list.count
    }
}

extension MyDataPage.Decision: ExportRow {
    static let columns = [
        "sequence", "at", "act", "about", "by", "means", "party", "party_name", "purpose", "kinds", "from",
        "until",
    ]

    var fields: [String] {
        ["\(sequence)", at, act, about, by, means]
            + [party, partyName, purpose, kinds?.joined(separator: " "), from, until].map { $0 ?? "" }
    }
}
