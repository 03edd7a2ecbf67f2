import GatewayModel
package import Readings

extension Supervisor: WearableObserver {
    package func observe(_ observation: WearableObservation) {
        switch observation {
        case .reading(let reading): recordSign(of: reading.device, at: reading.arrival.boot)
        case .message(let device, _, let now), .pressed(let device, let now),
            .subscribed(let device, _, let now):
            recordSign(of: device, at: now)
        case .ignored(let device, let now): recordSign(of: device, isIgnored: true, at: now)
        case .battery(let device, let percent, let now): recordSign(of: device, battery: percent, at: now)
        case .recognised, .unsupported, .proven, .disconnected, .bluetoothReported, .replaced: break
        }
        noteButton { observation.apply(to: &$0) }
        note { supervision in
            switch observation {
            case .reading(let reading): supervision.heard(reading)
            case .message(let device, let contact, let now):
                supervision.heard(device, contact: contact, at: now)
            case .pressed, .ignored: []
            case .recognised(let device, let rhythm, let now): supervision.recognised(device, rhythm, at: now)
            case .subscribed(let device, let rhythm, let now): supervision.subscribed(device, rhythm, at: now)
            case .unsupported(let device, let now): supervision.unsupported(device, at: now)
            case .proven(let device, let isProven, let now): supervision.proven(device, isProven, at: now)
            case .battery(let device, let percent, let now):
                supervision.battery(device, percent: percent, at: now)
            case .disconnected(let device, let now): supervision.disconnected(device, at: now)
            case .bluetoothReported(let now): supervision.bluetoothTold(at: now)
            case .replaced(let rhythms, let now): supervision.replace(rhythms, at: now)
            }
        }
    }

    package func observe(_ observation: BroadcasterObservation) {
        switch observation {
        case .believed(let device, _, let now), .pressed(let device, let now),
            .batteryLow(let device, _, let now):
            recordSign(of: device, at: now)
        case .battery(let device, let percent, let now): recordSign(of: device, battery: percent, at: now)
        case .refused, .unproven, .batteryConfirmed, .replaced: break
        }
        noteButton { observation.apply(to: &$0) }
        noteBeacon { supervision in
            switch observation {
            case .believed(let device, let isTriggerBased, let now):
                supervision.believed(device, isTriggerBased: isTriggerBased, at: now)
            case .pressed: []
            case .refused(let device, let now): supervision.refused(device, at: now)
            case .unproven(let device, let now): supervision.unproven(device, at: now)
            case .batteryConfirmed(let device, let now): supervision.batteryConfirmed(device, at: now)
            case .battery(let device, let percent, let now):
                supervision.battery(device, percent: percent, at: now)
            case .batteryLow(let device, let isLow, let now):
                supervision.battery(device, isLow: isLow, at: now)
            case .replaced(let expected, let now):
                supervision.replace(expected.mapValues(BeaconSupervision.Expected.init), at: now)
            }
        }
    }
}

extension BeaconSupervision.Expected {
    package init(_ expected: ExpectedBroadcaster) {
        self.init(silence: expected.silence, sendsRegularly: expected.sendsRegularly)
    }
}

extension WearableObservation {
    fileprivate func apply(to buttons: inout SOSButtonMachine) {
        switch self {
        case .reading(let reading): buttons.heard(reading.device, at: reading.arrival.boot)
        case .message(let device, _, let now), .subscribed(let device, _, let now):
            buttons.heard(device, at: now)
        case .pressed(let device, let now): buttons.pressed(device, at: now)
        case .battery(let device, let percent, let now): buttons.battery(device, percent: percent, at: now)
        case .ignored, .recognised, .unsupported, .proven, .disconnected, .bluetoothReported, .replaced: break
        }
    }
}

extension BroadcasterObservation {
    /// Any frame of its address is a sign of life, also one that is not believed.
    fileprivate func apply(to buttons: inout SOSButtonMachine) {
        switch self {
        case .believed(let device, _, let now), .refused(let device, let now), .unproven(let device, let now),
            .batteryLow(let device, _, let now):
            buttons.heard(device, at: now)
        case .pressed(let device, let now): buttons.pressed(device, at: now)
        case .battery(let device, let percent, let now): buttons.battery(device, percent: percent, at: now)
        case .batteryConfirmed, .replaced: break
        }
    }
}
