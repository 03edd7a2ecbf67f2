import CPostgres
import FoundationEssentials
import SQLDatabase

/// Types of PostgreSQL that the stores use, by their OIDs (pg_type.dat).
enum PostgresType {
    static let unknown: Oid = 0
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let name: Oid = 19
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let float8: Oid = 701
    static let varchar: Oid = 1_043

    /// Of an array, of its elements, and the name.
    static func array(of form: BulkColumn.Form) -> (array: Oid, element: Oid, name: String) {
        switch form {
        case .integer: (1_016, int8, "bigint")
        case .real: (1_022, float8, "float8")
        case .text: (1_009, text, "text")
        case .blob: (1_001, bytea, "bytea")
        }
    }

    static func type(of value: DatabaseValue) -> Oid {
        switch value {
        case .null: unknown
        case .integer: int8
        case .real: float8
        case .text: text
        case .blob: bytea
        }
    }
}

/// Arguments of one statement in the binary format of the protocol.
struct PostgresParameters {
    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    /// Nil for null.
    private var ranges: [Range<Int>?] = []

    init(_ values: [DatabaseValue]) {
        for value in values {
            types.append(PostgresType.type(of: value))
            let begin = bytes.count
            ranges.append(Self.append(value, to: &bytes) ? begin..<bytes.count : nil)
        }
    }

    /// An array for each column.
    ///
    /// - Throws: `DatabaseError` for a value of another form than its column.
    init(_ rows: [[DatabaseValue]], of columns: [BulkColumn]) throws {
        for (place, column) in columns.enumerated() {
            let type = PostgresType.array(of: column.form)
            types.append(type.array)
            let begin = bytes.count
            // One dimension, with nulls, the type of the elements, the count, the first index.
            for word in [1, 1, UInt32(type.element), UInt32(rows.count), 1] { Self.append(word, to: &bytes) }
            for row in rows {
                let value = row[place]
                guard value == .null || PostgresType.type(of: value) == type.element else {
                    throw DatabaseError(.other, "a value of \(column.name) is not of the type \(type.name)")
                }
                let lengthPlace = bytes.count
                Self.append(0, to: &bytes)
                let isNull = !Self.append(value, to: &bytes)
                let length = isNull ? UInt32.max : UInt32(bytes.count - lengthPlace - 4)
                for byte in 0..<4 {
                    bytes[lengthPlace + byte] = UInt8(truncatingIfNeeded: length >> (24 - 8 * byte))
                }
            }
            ranges.append(begin..<bytes.count)
        }
    }

    /// Signature of the types, for the cache of statements.
    var signature: String { types.map(String.init).joined(separator: " ") }

    private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// False for null.
    private static func append(_ value: DatabaseValue, to bytes: inout [UInt8]) -> Bool {
        switch value {
        case .null: return false
        case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        case .real(let number):
            withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let text):
            // PostgreSQL has no text with U+0000. A house that sends one must not hold up the batch.
            if text.utf8.contains(0) {
                for scalar in text.unicodeScalars {
                    bytes.append(contentsOf: String(scalar.value == 0 ? "\u{FFFD}" : scalar).utf8)
                }
            } else {
                bytes.append(contentsOf: text.utf8)
            }
        case .blob(let data): bytes.append(contentsOf: data)
        }
        return true
    }

    /// Calls `body` with the arrays of libpq: values, lengths and formats.
    func withPointers<T>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> T
    ) -> T {
        // An empty value is not null: it needs an address as well.
        (bytes + [0]).withUnsafeBytes { buffer in
            let base = buffer.bindMemory(to: CChar.self)
            let values: [UnsafePointer<CChar>?] = ranges.map { range in
                range.flatMap { range in base.baseAddress.map { $0 + range.lowerBound } }
            }
            let lengths = ranges.map { Int32($0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: ranges.count)
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: 1) { none in
                            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 1) { zero in
                                none.initialize(repeating: nil)
                                zero.initialize(repeating: 0)
                                return body(
                                    values.baseAddress ?? UnsafePointer(none.baseAddress!),
                                    lengths.baseAddress ?? UnsafePointer(zero.baseAddress!),
                                    formats.baseAddress ?? UnsafePointer(zero.baseAddress!))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Result of a statement. It is freed with its last reference.
final class PostgresResult {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var status: ExecStatusType { PQresultStatus(result) }
    var isSuccess: Bool { status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK }
    /// `COMMIT`, `INSERT 0 1`
    var command: String { String(cString: PQcmdStatus(result)) }
    var changes: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }
    var count: Int { Int(PQntuples(result)) }

    /// A field of the error report.
    func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }

    func rows(most: Int = .max) throws -> [Row] {
        let width = PQnfields(result)
        let names = (0..<width).map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
        let types = (0..<width).map { PQftype(result, $0) }
        let columns = Row.Columns(names)
        return try (0..<min(count, most)).map { row in
            Row(columns, try (0..<Int(width)).map { try value(row, $0, types[$0], names[$0]) })
        }
    }

    private func value(_ row: Int, _ column: Int, _ type: Oid, _ name: String) throws -> DatabaseValue {
        let (row, column) = (Int32(row), Int32(column))
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
            return .null
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
        switch type {
        case PostgresType.int8: return .integer(bytes.loadUnaligned(as: Int64.self).bigEndian)
        case PostgresType.int4: return .integer(Int64(bytes.loadUnaligned(as: Int32.self).bigEndian))
        case PostgresType.int2: return .integer(Int64(bytes.loadUnaligned(as: Int16.self).bigEndian))
        case PostgresType.bool: return .integer(bytes.first == 0 ? 0 : 1)
        case PostgresType.float8:
            return .real(Double(bitPattern: bytes.loadUnaligned(as: UInt64.self).bigEndian))
        case PostgresType.text, PostgresType.varchar, PostgresType.name:
            return .text(String(decoding: bytes, as: UTF8.self))
        case PostgresType.bytea: return .blob(Data(bytes))
        default:
            throw DatabaseError(
                .unexpectedType,
                "the column \(name) has the type with the OID \(type), expected BIGINT, DOUBLE PRECISION, TEXT, BYTEA or "
                    + "BOOLEAN: cast it in the statement")
        }
    }
}
