import GatewayModel
import Testing
import WireFormats

@Suite struct `A transfer of glucose records` {
    private static func instant(_ seconds: Int64) -> BootInstant {
        BootInstant(nanoseconds: seconds * 1_000_000_000)
    }

    /// 08:30 and the number in minutes, 95 mg/dL.
    private static func measurement(_ number: UInt16) throws -> GlucoseMeasurement {
        var reader = ByteReader(
            [0x12, UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](hex: "EA 07 01 0F 08 1E 00 5F B0 11"))
        return try GlucoseMeasurement(from: &reader)
    }

    private static func context(_ number: UInt16) throws -> GlucoseMeasurementContext {
        var reader = ByteReader([0x02, UInt8(number & 0xFF), UInt8(number >> 8), 0x03])
        return try GlucoseMeasurementContext(from: &reader)
    }

    private static func started(after number: UInt16?) -> GlucoseRecordTransfer {
        var transfer = GlucoseRecordTransfer(after: number)
        _ = transfer.start(at: instant(0))
        return transfer
    }

    private static let success = RecordAccessControlPoint.Response.code(
        request: .known(.reportStoredRecords), .known(.success))
    private static let abortConfirmed = RecordAccessControlPoint.Response.code(
        request: .known(.abortOperation), .known(.success))
    private static let abort = GlucoseRecordTransfer.Action.write([0x03, 0x00])

    private static func outcome(
        _ action: GlucoseRecordTransfer.Action
    ) throws -> GlucoseRecordTransfer.Outcome {
        guard case .finish(let outcome) = action else {
            throw NotFinished(action: action)
        }
        return outcome
    }

    private struct NotFinished: Error {
        let action: GlucoseRecordTransfer.Action
    }

    @Test(
        arguments: [
            (nil, "01 01"), (4, "01 03 01 05 00"), (0, "01 03 01 01 00"), (0xFFFE, "01 03 01 FF FF"),
            // Nothing comes after the last number: all are asked for.
            (0xFFFF, "01 01"),
        ] as [(UInt16?, String)]) func `asks for what follows the last record`(_ number: UInt16?, _ hex: String)
    {
        var transfer = GlucoseRecordTransfer(after: number)
        #expect(transfer.start(at: Self.instant(0)) == .write([UInt8](hex: hex)))
        #expect(transfer.start(at: Self.instant(1)) == .none)
    }

    @Test func `collects until the meter says that these were all`() throws {
        var transfer = Self.started(after: 4)
        #expect(transfer.received(try Self.measurement(5), at: Self.instant(1)) == .none)
        #expect(transfer.received(try Self.measurement(6), at: Self.instant(2)) == .none)
        let outcome = try Self.outcome(transfer.received(Self.success))
        #expect(outcome.end == .complete)
        #expect(outcome.records.map(\.measurement.sequenceNumber) == [5, 6])
        #expect(outcome.lastSequenceNumber == 6)
        #expect(transfer.deadline == nil)
    }

    @Test func `joins contexts by number, whichever comes first`() throws {
        var transfer = Self.started(after: 4)
        _ = transfer.received(try Self.context(6), at: Self.instant(1))
        _ = transfer.received(try Self.measurement(5), at: Self.instant(1))
        _ = transfer.received(try Self.measurement(6), at: Self.instant(1))
        _ = transfer.received(try Self.context(5), at: Self.instant(1))
        _ = transfer.received(try Self.measurement(7), at: Self.instant(1))
        _ = transfer.received(try Self.context(9), at: Self.instant(1))
        let outcome = try Self.outcome(transfer.received(Self.success))
        #expect(outcome.records.map(\.context?.sequenceNumber) == [5, 6, nil])
        #expect(outcome.strayContexts == 1)
    }

    @Test func `takes a doubled notification once, and does not wait longer for it`() throws {
        var transfer = Self.started(after: 4)
        _ = transfer.received(try Self.measurement(5), at: Self.instant(10))
        _ = transfer.received(try Self.context(5), at: Self.instant(10))
        _ = transfer.received(try Self.measurement(5), at: Self.instant(20))
        _ = transfer.received(try Self.context(5), at: Self.instant(20))
        #expect(transfer.deadline == Self.instant(40))
        #expect(try Self.outcome(transfer.received(Self.success)).records.count == 1)
    }

    @Test func `is complete where no records are found, and keeps its place`() throws {
        var transfer = Self.started(after: 4)
        let outcome = try Self.outcome(
            transfer.received(.code(request: .known(.reportStoredRecords), .known(.noRecordsFound))))
        #expect(outcome.end == .complete && outcome.records.isEmpty && outcome.lastSequenceNumber == 4)
    }

    @Test func `begins its numbers anew with the meter`() throws {
        var transfer = Self.started(after: 0xFFFF)
        _ = transfer.received(try Self.measurement(0xFFFF), at: Self.instant(1))
        _ = transfer.received(try Self.measurement(0), at: Self.instant(1))
        #expect(try Self.outcome(transfer.received(Self.success)).lastSequenceNumber == 0)
    }

    @Test(
        arguments: [
            (0xFE, .procedureInProgress), (0xFD, .notSubscribed), (0x05, .writeFailed(attributeError: 5)),
            (nil, .writeFailed(attributeError: nil)),
        ] as [(UInt8?, GlucoseRecordTransfer.Failure)]) func `says why its request was not taken`(
            _ error: UInt8?, _ failure: GlucoseRecordTransfer.Failure
        ) throws
    {
        var transfer = Self.started(after: 4)
        let outcome = try Self.outcome(transfer.writeFailed(attributeError: error))
        #expect(outcome.end == .incomplete(failure) && outcome.lastSequenceNumber == 4)
    }

    @Test(
        arguments: [.known(.serverBusy), .known(.procedureNotCompleted), .other(0x40)]
            as [OpenCode<RecordAccessControlPoint.ResponseCode>])
    func `keeps the records of a procedure that failed, but not its place`(
        _ code: OpenCode<RecordAccessControlPoint.ResponseCode>
    ) throws {
        var transfer = Self.started(after: 4)
        _ = transfer.received(try Self.measurement(5), at: Self.instant(1))
        let outcome = try Self.outcome(transfer.received(.code(request: .known(.reportStoredRecords), code)))
        #expect(outcome.end == .incomplete(.refused(code)))
        #expect(outcome.records.count == 1 && outcome.lastSequenceNumber == 4)
    }

    @Test func `aborts when nothing new comes, and waits for that no longer`() throws {
        var transfer = Self.started(after: 4)
        #expect(transfer.deadline == Self.instant(30))
        #expect(transfer.deadlineReached(at: Self.instant(29)) == .none)
        _ = transfer.received(try Self.measurement(5), at: Self.instant(29))
        #expect(transfer.deadlineReached(at: Self.instant(30)) == .none)
        #expect(transfer.deadlineReached(at: Self.instant(59)) == Self.abort)
        // What still comes is kept; the end is not put off.
        _ = transfer.received(try Self.measurement(6), at: Self.instant(80))
        #expect(transfer.deadline == Self.instant(89))
        let outcome = try Self.outcome(transfer.deadlineReached(at: Self.instant(89)))
        #expect(outcome.end == .incomplete(.timedOut) && outcome.records.count == 2)
        #expect(outcome.lastSequenceNumber == 4)
    }

    @Test func `ends an abort with the meter's answer`() throws {
        var transfer = Self.started(after: 4)
        #expect(transfer.abort(at: Self.instant(1)) == Self.abort)
        #expect(transfer.abort(at: Self.instant(2)) == .none)
        #expect(try Self.outcome(transfer.received(Self.abortConfirmed)).end == .incomplete(.aborted))
    }

    @Test func `is complete where the abort crosses the end`() throws {
        var transfer = Self.started(after: 4)
        _ = transfer.received(try Self.measurement(5), at: Self.instant(1))
        _ = transfer.abort(at: Self.instant(1))
        let outcome = try Self.outcome(transfer.received(Self.success))
        #expect(outcome.end == .complete && outcome.lastSequenceNumber == 5)
    }

    @Test func `ends an abort that cannot be written`() throws {
        var transfer = Self.started(after: 4)
        _ = transfer.deadlineReached(at: Self.instant(30))
        #expect(
            try Self.outcome(transfer.writeFailed(attributeError: nil)).end == .incomplete(.timedOut))
    }

    @Test func `ignores answers to what it did not ask`() {
        var transfer = Self.started(after: 4)
        #expect(transfer.received(.numberOfRecords(12)) == .none)
        #expect(transfer.received(Self.abortConfirmed) == .none)
        #expect(
            transfer.received(.code(request: .known(.reportNumberOfStoredRecords), .known(.success))) == .none)
    }

    @Test func `ends with the link`() throws {
        var transfer = Self.started(after: 4)
        _ = transfer.received(try Self.measurement(5), at: Self.instant(1))
        let outcome = try Self.outcome(transfer.disconnected())
        #expect(outcome.end == .incomplete(.disconnected) && outcome.records.count == 1)
    }

    @Test func `takes nothing before its start and after its end`() throws {
        var transfer = GlucoseRecordTransfer(after: nil)
        #expect(transfer.received(try Self.measurement(1), at: Self.instant(0)) == .none)
        #expect(transfer.received(Self.success) == .none)
        #expect(transfer.deadlineReached(at: Self.instant(1_000)) == .none)
        _ = transfer.start(at: Self.instant(0))
        #expect(try Self.outcome(transfer.received(Self.success)).records.isEmpty)
        #expect(transfer.received(Self.success) == .none)
        #expect(transfer.disconnected() == .none)
        #expect(transfer.writeFailed(attributeError: 0xFE) == .none)
        #expect(transfer.abort(at: Self.instant(1)) == .none)
    }
}
