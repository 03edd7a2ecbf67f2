public import GatewayModel

/// Fetches the records that a glucose meter has stored since a sequence number (Glucose Service 1.0, section
/// 3.4; Record Access Control Point). A pure machine: each event returns the next action, and after `.finish`
/// nothing more is asked.
///
/// Before `start`: the meter is bonded, and 0x2A18, 0x2A34 and 0x2A52 are subscribed, in this order, or it refuses
/// the request with 0xFD.
public struct GlucoseRecordTransfer: Hashable, Sendable {
    public struct Record: Hashable, Sendable {
        public let measurement: GlucoseMeasurement
        /// Nil also where the meter promised one that never came.
        public let context: GlucoseMeasurementContext?
    }

    public enum Failure: Hashable, Sendable {
        /// The meter already runs a procedure (ATT error 0xFE).
        case procedureInProgress
        /// The meter does not see our subscriptions (ATT error 0xFD).
        case notSubscribed
        /// The request could not be written; the ATT error where there was one.
        case writeFailed(attributeError: UInt8?)
        /// The meter ended the procedure with a code that is neither success nor "no records found".
        case refused(OpenCode<RecordAccessControlPoint.ResponseCode>)
        /// Nothing new came for `patience`.
        case timedOut
        case aborted
        case disconnected
    }

    public enum End: Hashable, Sendable {
        /// The meter says that these are all. Also where it has none: then there are no records.
        case complete
        /// The records are true, but there may be more: ask from the same number again.
        case incomplete(Failure)
    }

    public struct Outcome: Hashable, Sendable {
        public let end: End
        /// In the order of their arrival, each sequence number once.
        public let records: [Record]
        /// Contexts without a measurement; they say nothing alone and are not kept.
        public let strayContexts: Int
        /// To hand to the next transfer. Unchanged unless complete.
        public let lastSequenceNumber: UInt16?
    }

    public enum Action: Hashable, Sendable {
        case none
        /// To the Record Access Control Point, with response.
        case write([UInt8])
        case finish(Outcome)
    }

    private enum State: Hashable, Sendable {
        case idle, collecting
        /// The abort is written; its answer is waited for, since the meter refuses the next request before it.
        case aborting(because: Failure)
        case finished
    }

    /// An ATT transaction ends after 30 s (Core 5.4, Vol 3, Part F, 3.3.3), and a meter that reads its memory for
    /// longer than that between two records is not known. The same again bounds the abort.
    public static let patience = Duration.seconds(30)

    private let lastSequenceNumber: UInt16?
    private var state = State.idle
    private var measurements: [GlucoseMeasurement] = []
    private var seen: Set<UInt16> = []
    private var contexts: [UInt16: GlucoseMeasurementContext] = [:]

    /// When to call `deadlineReached`; nil where nothing is waited for.
    public private(set) var deadline: BootInstant?

    /// - Parameter lastSequenceNumber: the last record already stored; nil asks for all.
    public init(after lastSequenceNumber: UInt16?) {
        self.lastSequenceNumber = lastSequenceNumber
    }

    public mutating func start(at now: BootInstant) -> Action {
        guard state == .idle else { return .none }
        state = .collecting
        deadline = now.advanced(by: Self.patience)
        // Behind 0xFFFF no number can be asked for: fetch all, the doubles are known by their number and time.
        let next = lastSequenceNumber.flatMap { $0 == .max ? nil : $0 + 1 }
        return .write(
            RecordAccessControlPoint.Request.report(next.map { .from(sequenceNumber: $0) } ?? .all).bytes)
    }

    /// The request, or the abort, was not written.
    /// - Parameter attributeError: the code of the meter's error response; nil where the failure was another.
    public mutating func writeFailed(attributeError: UInt8?) -> Action {
        switch state {
        case .idle, .finished: .none
        case .aborting(let failure): finish(.incomplete(failure))
        case .collecting:
            switch attributeError {
            // Core Specification Supplement, Part B, 1.2: common profile and service error codes.
            case 0xFD: finish(.incomplete(.notSubscribed))
            case 0xFE: finish(.incomplete(.procedureInProgress))
            default: finish(.incomplete(.writeFailed(attributeError: attributeError)))
            }
        }
    }

    /// A notification of 0x2A18. One that was there already does not extend the wait: a meter that repeats itself
    /// forever is a meter that hangs.
    public mutating func received(_ measurement: GlucoseMeasurement, at now: BootInstant) -> Action {
        guard isReceiving, seen.insert(measurement.sequenceNumber).inserted else { return .none }
        measurements.append(measurement)
        extendWait(from: now)
        return .none
    }

    /// A notification of 0x2A34. It may come before its measurement: they are two characteristics.
    public mutating func received(_ context: GlucoseMeasurementContext, at now: BootInstant) -> Action {
        guard isReceiving, contexts[context.sequenceNumber] == nil else { return .none }
        contexts[context.sequenceNumber] = context
        extendWait(from: now)
        return .none
    }

    /// An indication of 0x2A52.
    public mutating func received(_ response: RecordAccessControlPoint.Response) -> Action {
        guard case .code(let request, let code) = response else { return .none }
        switch (state, request) {
        case (.collecting, .known(.reportStoredRecords)), (.aborting, .known(.reportStoredRecords)):
            switch code {
            // Also where the abort crossed the last record: then there is nothing left to abort.
            case .known(.success), .known(.noRecordsFound): return finish(.complete)
            default: return finish(.incomplete(abortReason ?? .refused(code)))
            }
        case (.aborting(let failure), .known(.abortOperation)): return finish(.incomplete(failure))
        default: return .none
        }
    }

    /// Early calls do nothing.
    public mutating func deadlineReached(at now: BootInstant) -> Action {
        guard let deadline, now >= deadline else { return .none }
        if let failure = abortReason { return finish(.incomplete(failure)) }
        return abort(because: .timedOut, at: now)
    }

    /// The gateway wants to end: it stops, or an alarm needs the link.
    public mutating func abort(at now: BootInstant) -> Action {
        switch state {
        case .idle: finish(.incomplete(.aborted))
        case .collecting: abort(because: .aborted, at: now)
        case .aborting, .finished: .none
        }
    }

    public mutating func disconnected() -> Action {
        state == .finished ? .none : finish(.incomplete(abortReason ?? .disconnected))
    }

    private var isReceiving: Bool { state != .idle && state != .finished }

    private var abortReason: Failure? {
        if case .aborting(let failure) = state { failure } else { nil }
    }

    /// A record that arrives after the abort is kept, but does not put off the end.
    private mutating func extendWait(from now: BootInstant) {
        if state == .collecting { deadline = now.advanced(by: Self.patience) }
    }

    private mutating func abort(because failure: Failure, at now: BootInstant) -> Action {
        state = .aborting(because: failure)
        deadline = now.advanced(by: Self.patience)
        return .write(RecordAccessControlPoint.Request.abort.bytes)
    }

    private mutating func finish(_ end: End) -> Action {
        state = .finished
        deadline = nil
        let records = measurements.map { Record(measurement: $0, context: contexts[$0.sequenceNumber]) }
        // The order of arrival is the order of the meter's memory: the last one is the newest, also where the
        // numbers began again.
        let newest = end == .complete ? measurements.last?.sequenceNumber : nil
        return .finish(
            Outcome(
                end: end, records: records, strayContexts: contexts.keys.count { !seen.contains($0) },
                lastSequenceNumber: newest ?? lastSequenceNumber))
    }
}
