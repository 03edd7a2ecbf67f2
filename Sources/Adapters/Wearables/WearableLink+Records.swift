import GatewayModel
import Systemd
import WireFormats

// What a meter has stored.

extension WearableLink {
    static func isOfTransfer(_ uuid: BluetoothUUID) -> Bool {
        [.glucoseMeasurement, .glucoseMeasurementContext, .recordAccessControlPoint].contains(uuid)
    }

    var isTransferring: Bool { transfer != nil }

    /// The errand runs until the machine finishes.
    mutating func startTransfer(at control: ShownCharacteristic, now: BootInstant) -> [Step] {
        transfer = (GlucoseRecordTransfer(after: lastSequence), control)
        let action = transfer?.machine.start(at: now)
        return action.map { follow($0) } ?? []
    }

    /// Bytes that cannot be read are left out: the next transfer asks for the record again.
    mutating func recordArrived(_ uuid: BluetoothUUID, _ bytes: [UInt8], at now: BootInstant) -> [Step] {
        var reader = ByteReader(bytes)
        var action: GlucoseRecordTransfer.Action?
        switch uuid {
        case .glucoseMeasurement:
            guard let record = try? GlucoseMeasurement(from: &reader) else { return [] }
            action = transfer?.machine.received(record, at: now)
        case .glucoseMeasurementContext:
            guard let context = try? GlucoseMeasurementContext(from: &reader) else { return [] }
            action = transfer?.machine.received(context, at: now)
        default:
            guard let response = try? RecordAccessControlPoint.Response(from: &reader) else { return [] }
            action = transfer?.machine.received(response)
        }
        return action.map { follow($0) } ?? []
    }

    mutating func transferWriteFailed(_ error: BusError) -> [Step] {
        let action = transfer?.machine.writeFailed(attributeError: error.attributeError)
        return action.map { follow($0) } ?? []
    }

    mutating func endTransfer() -> [Step] {
        let action = transfer?.machine.disconnected()
        return action.map { follow($0) } ?? []
    }

    mutating func follow(_ action: GlucoseRecordTransfer.Action) -> [Step] {
        switch action {
        case .none: return []
        case .write(let bytes): return transfer.map { [.writeControl($0.control, bytes)] } ?? []
        case .finish(let outcome):
            transfer = nil
            errands.finished()
            lastSequence = outcome.lastSequenceNumber
            let records: [Step] = outcome.records.isEmpty ? [] : [.records(outcome.records)]
            guard case .incomplete(let failure) = outcome.end else { return records }
            let failed = Step.failed(
                call: "asking for records", error: "\(failure)", kind: .other, retryIn: connectBackoff.limit)
            return records + [failed]
        }
    }
}
