import GatewayModel
import Systemd
import WireFormats

/// Calls that wait for a reply, and the actions of the event that is being handled.
///
/// A reply counts only while its call is pending: starting over forgets all calls.
struct CallQueue: Sendable {
    typealias ID = Int

    enum Action: Hashable, Sendable {
        /// The reply comes back through `WearableTracker.replied` with the same id.
        case call(ID, BlueZCall)
        case emit(WearableEvent)
        /// Answers the requests for a buzz of the device.
        case buzzed(DeviceID, BuzzOutcome)
        /// A value of a characteristic of a known wearable, not yet decoded.
        case notified(Wearable, BluetoothUUID, [UInt8])
        /// Stored records that were asked for, in the order of the device's memory.
        case records(Wearable, [GlucoseRecordTransfer.Record])
        /// The socket that the values of a characteristic come through.
        case attach(path: String, BusDescriptor)
        case detach(path: String)
        /// The gateway's time is to be written there; the reply comes back like a call's.
        case setClock(ID, path: String, ConnectionSetup.ClockFormat)
        /// The device has taken the time.
        case clockTaken(DeviceID)
        /// A connection has ended or begun: values that were read on the last one do not count any more.
        case forget(DeviceID)
    }

    struct PendingCall: Hashable, Sendable {
        let call: BlueZCall
        /// The wearable it serves; nil for the adapter.
        let link: DeviceAddress?
        let purpose: Purpose

        /// Purpose of a call with a reply that does not name it.
        enum Purpose: Hashable, Sendable {
            case plain
            case setup(ConnectionSetup.Step)
            case alert(AlertLevel)
            case buzz
            case power(Bool)
        }
    }

    private var pending: [ID: PendingCall] = [:]
    private var lastCall = 0
    private var actions: [Action] = []

    var isEmpty: Bool { pending.isEmpty }

    /// A Disconnect that cancels a pending Connect shuts its socket, but bluetoothd (seen with 5.66) keeps
    /// polling the descriptor until its next turn. A Connect of another wearable in the same turn gets
    /// that very descriptor, and both are taken for connected on it: each then has half of the other's
    /// notifications, one person's heart rate under the name of another. The reply comes after the turn.
    var isDisconnecting: Bool {
        pending.values.contains { $0.call.method == .disconnect }
    }

    mutating func call(
        _ call: BlueZCall, link: DeviceAddress? = nil, for purpose: PendingCall.Purpose = .plain
    ) {
        let id = add(PendingCall(call: call, link: link, purpose: purpose))
        actions.append(.call(id, call))
    }

    /// The bytes are made where the time is known.
    private mutating func setClock(
        _ path: String, _ format: ConnectionSetup.ClockFormat, link: DeviceAddress,
        for step: ConnectionSetup.Step
    ) {
        let call = BlueZCall.writeValue(path, [], awaitsResponse: true)
        let id = add(PendingCall(call: call, link: link, purpose: .setup(step)))
        actions.append(.setClock(id, path: path, format))
    }

    private mutating func add(_ call: PendingCall) -> ID {
        lastCall += 1
        pending[lastCall] = call
        return lastCall
    }

    mutating func append(_ action: Action) {
        actions.append(action)
    }

    mutating func emit(_ event: WearableEvent) {
        actions.append(.emit(event))
    }

    /// The failure of a call; `device` is nil for the adapter.
    mutating func emitFailure(
        of call: String, _ error: BusError, device: DeviceID? = nil, retryIn pause: Duration
    ) {
        emit(
            .callFailed(
                device, call: call, error: error.description, kind: CallFailure(error), retryIn: pause))
    }

    /// Performs a step of a link that needs nothing but its wearable.
    mutating func perform(_ step: WearableLink.Step, of wearable: Wearable) {
        let (device, address) = (wearable.id, wearable.address)
        switch step {
        case .connected:
            append(.forget(device))
            emit(.connected(device))
        case .subscribed(let characteristics): emit(.subscribed(device, characteristics))
        case .unsupported: emit(.unsupported(device))
        case .disconnected(let reason):
            // Replies about the last link would be taken for those about the next.
            // Those that the radio waits for are kept.
            forgetCalls { $0.link == address && ![.connect, .disconnect].contains($0.call.method) }
            emit(.disconnected(device, reason: reason))
        case .acquireNotify(let path): call(.acquireNotify(path), link: address)
        case .startNotify(let path): call(.startNotify(path), link: address)
        case .release(let path, .socket): append(.detach(path: path))
        case .release(let path, .signals): call(.stopNotify(path))
        case .setup(let step): perform(step, address)
        case .writeControl(let control, let bytes):
            call(
                .writeValue(control.path, bytes, awaitsResponse: true), link: address,
                for: .setup(.records(control)))
        case .records(let records): append(.records(wearable, records))
        case .suspected(let uuid, let limit): emit(.unproven(device, uuid, after: limit))
        case .disconnect: break
        case .failed(let name, let error, let kind, let pause):
            emit(.callFailed(device, call: name, error: error, kind: kind, retryIn: pause))
        }
    }

    private mutating func perform(_ step: ConnectionSetup.Step, _ address: DeviceAddress) {
        switch step {
        case .read(let path, _): call(.readValue(path), link: address, for: .setup(step))
        case .setClock(let path, let format): setClock(path, format, link: address, for: step)
        case .setLinkLoss(let path, let level):
            call(.writeValue(path, level.bytes, awaitsResponse: true), link: address, for: .setup(step))
        case .records: break
        }
    }

    /// The reply to a setup step other than the fetch of records.
    mutating func setupReplied(
        _ step: ConnectionSetup.Step, _ reply: BusConnection.Reply, of wearable: Wearable
    ) {
        switch (step, reply) {
        case (.read(_, let uuid), .success(let values)):
            if let bytes = values.first?.bytes { append(.notified(wearable, uuid, bytes)) }
        case (.setClock, .success): append(.clockTaken(wearable.id))
        case (_, .failure(let error)):
            // An earlier quality does not hold for the positions that come now.
            if case .read(_, .positionQuality) = step { append(.notified(wearable, .positionQuality, [])) }
            // Until the next connection: a device that minds one of these does its work all the same.
            emitFailure(of: step.name, error, device: wearable.id, retryIn: Backoff.connect.limit)
        default: break
        }
    }

    /// Returns the call that a reply belongs to; nil for a call that was forgotten.
    mutating func removeCall(_ id: ID) -> PendingCall? {
        pending.removeValue(forKey: id)
    }

    mutating func forgetCalls() {
        pending = [:]
    }

    mutating func forgetCalls(where isForgotten: (PendingCall) -> Bool) {
        pending = pending.filter { !isForgotten($0.value) }
    }

    /// Returns the actions of the event in their order.
    mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }
}
