import GatewayModel
import Systemd
import WireFormats

/// Fetch of the records that a meter has stored, on one link. Pure.
struct RecordFetch: Sendable {
    enum Action: Hashable, Sendable {
        /// A request to the meter's record control point.
        case write(ShownCharacteristic, [UInt8])
        /// The fetch is over; `failure` says why records may be missing.
        case finished([GlucoseRecordTransfer.Record], failure: String?)
    }

    private var transfer: (machine: GlucoseRecordTransfer, control: ShownCharacteristic)?
    /// Number of the last record that the meter gave, kept while the gateway runs and no longer: a meter that began
    /// to count anew would be asked for none of its records. A repeated record is known by its mark.
    private var lastSequence: UInt16?

    var isRunning: Bool { transfer != nil }
    var deadline: BootInstant? { transfer?.machine.deadline }

    static func isOfTransfer(_ uuid: BluetoothUUID) -> Bool {
        [.glucoseMeasurement, .glucoseMeasurementContext, .recordAccessControlPoint].contains(uuid)
    }

    mutating func start(at control: ShownCharacteristic, now: BootInstant) -> Action? {
        transfer = (GlucoseRecordTransfer(after: lastSequence), control)
        return follow(transfer?.machine.start(at: now))
    }

    /// Bytes that cannot be read are left out: the next transfer asks for the record again.
    mutating func received(_ uuid: BluetoothUUID, _ bytes: [UInt8], at now: BootInstant) -> Action? {
        var reader = ByteReader(bytes)
        switch uuid {
        case .glucoseMeasurement:
            guard let record = try? GlucoseMeasurement(from: &reader) else { return nil }
            return follow(transfer?.machine.received(record, at: now))
        case .glucoseMeasurementContext:
            guard let context = try? GlucoseMeasurementContext(from: &reader) else { return nil }
            return follow(transfer?.machine.received(context, at: now))
        default:
            guard let response = try? RecordAccessControlPoint.Response(from: &reader) else { return nil }
            return follow(transfer?.machine.received(response))
        }
    }

    mutating func writeFailed(_ error: BusError) -> Action? {
        follow(transfer?.machine.writeFailed(attributeError: error.attributeError))
    }

    mutating func tick(at now: BootInstant) -> Action? {
        follow(transfer?.machine.deadlineReached(at: now))
    }

    mutating func disconnected() -> Action? {
        follow(transfer?.machine.disconnected())
    }

    private mutating func follow(_ action: GlucoseRecordTransfer.Action?) -> Action? {
        switch action {
        case nil, .some(.none): return nil
        case .write(let bytes): return transfer.map { .write($0.control, bytes) }
        case .finish(let outcome):
            transfer = nil
            lastSequence = outcome.lastSequenceNumber
            guard case .incomplete(let failure) = outcome.end else {
                return .finished(outcome.records, failure: nil)
            }
            return .finished(outcome.records, failure: "\(failure)")
        }
    }
}
