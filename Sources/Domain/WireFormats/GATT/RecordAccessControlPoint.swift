/// Record Access Control Point, characteristic 0x2A52 (GATT Specification Supplement, "Record Access Control
/// Point"): requests are written, responses indicated. One procedure at a time.
public enum RecordAccessControlPoint {
    public enum OpCode: UInt8, Hashable, Sendable {
        case reportStoredRecords = 1
        case deleteStoredRecords = 2
        case abortOperation = 3
        case reportNumberOfStoredRecords = 4
        case numberOfStoredRecordsResponse = 5
        case responseCode = 6
        case combinedReport = 7
        case combinedReportResponse = 8
    }

    enum Operator: UInt8 {
        case null = 0
        case allRecords = 1
        case lessThanOrEqual = 2
        case greaterThanOrEqual = 3
        case withinRange = 4
        case firstRecord = 5
        case lastRecord = 6
    }

    /// Which records of a Glucose Service are asked for.
    public enum Selection: Hashable, Sendable {
        case all
        /// The newest one.
        case last
        case from(sequenceNumber: UInt16)

        fileprivate var bytes: [UInt8] {
            switch self {
            case .all: [Operator.allRecords.rawValue]
            case .last: [Operator.lastRecord.rawValue]
            // Filter type 1: sequence number.
            case .from(let number):
                [Operator.greaterThanOrEqual.rawValue, 1, UInt8(number & 0xFF), UInt8(number >> 8)]
            }
        }
    }

    public enum Request: Hashable, Sendable {
        case report(Selection)
        case reportNumber(Selection)
        case abort

        /// Bytes to write.
        public var bytes: [UInt8] {
            switch self {
            case .report(let records): [OpCode.reportStoredRecords.rawValue] + records.bytes
            case .reportNumber(let records): [OpCode.reportNumberOfStoredRecords.rawValue] + records.bytes
            case .abort: [OpCode.abortOperation.rawValue, Operator.null.rawValue]
            }
        }
    }

    public enum ResponseCode: UInt8, Hashable, Sendable {
        case success = 1
        case opCodeNotSupported = 2
        case invalidOperator = 3
        case operatorNotSupported = 4
        case invalidOperand = 5
        case noRecordsFound = 6
        case abortUnsuccessful = 7
        case procedureNotCompleted = 8
        case operandNotSupported = 9
        case serverBusy = 10
    }

    public enum Response: Hashable, Sendable {
        case numberOfRecords(UInt16)
        /// The procedure of `request` is over.
        case code(request: OpenCode<OpCode>, OpenCode<ResponseCode>)

        /// Errors: `.outOfRange` for an op code that is no response this gateway asks for.
        public init(from reader: inout ByteReader) throws(DecodeError) {
            let opCode = OpenCode<OpCode>(try reader.uint8("op code"))
            // Null in both responses; its other values change nothing.
            _ = try reader.uint8("operator")
            switch opCode {
            case .known(.numberOfStoredRecordsResponse):
                self = .numberOfRecords(try reader.uint16("number of records"))
            case .known(.responseCode):
                let request = OpenCode<OpCode>(try reader.uint8("request op code"))
                self = .code(request: request, OpenCode(try reader.uint8("response code")))
            default:
                throw .outOfRange(field: "op code")
            }
        }
    }
}
