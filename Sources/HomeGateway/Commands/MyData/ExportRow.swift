import Contract
import FoundationEssentials
import GatewayModel
import Hub
import Vault

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
