import GatewayModel
import WireFormats

// Which characteristics of the wearable are used, and how.

extension WearableLink {
    /// New characteristics are subscribed to, and those that are gone forgotten.
    mutating func follow(_ view: View, at now: BootInstant) -> [Step] {
        let paths = Set(view.characteristics.map(\.path))
        let gone = subscriptions.filter { !paths.contains($0.path) }
        subscriptions.removeAll { !paths.contains($0.path) }
        let released = releasePositions()
        for shown in view.characteristics {
            guard let (role, limit) = wanted(shown),
                // One subscription each; the first by handle where a device repeats a characteristic.
                !subscriptions.contains(where: {
                    $0.shown.uuid == shown.uuid && $0.shown.service == shown.service
                })
            else { continue }
            subscriptions.append(Subscription(shown, role, limit: limit, at: now))
        }
        return gone.filter { $0.way == .socket }.map { .release($0.path, .socket) } + released
    }

    /// Nil for what is not subscribed to.
    private func wanted(_ shown: ShownCharacteristic) -> (CharacteristicRole, Duration?)? {
        guard !shown.flags.isDisjoint(with: ["notify", "indicate"]),
            let role = CharacteristicRole(shown.uuid, service: shown.service)
        else { return nil }
        switch role {
        case .measurement(let limit):
            return switch wearable.rhythm {
            case .streams(let own): (role, limit == nil ? nil : own)
            case .sleeps, .attends: (role, nil)
            case nil: (role, limit)
            }
        case .button: return wearable.signals[.tagButton] == nil ? nil : (role, nil)
        case .position: return positions.isWanted ? (role, nil) : nil
        case .recordControl, .battery: return (role, nil)
        default: return nil
        }
    }

    /// It measures, calls or can be called, or could say where it is: that may be wanted any time.
    func isUseful(_ view: View) -> Bool {
        subscriptions.contains { $0.role.isMeasurement || $0.role == .button }
            || view.characteristics.contains {
                [.immediateAlert, .position].contains(CharacteristicRole($0.uuid, service: $0.service))
            }
    }

    /// Told when all that is known of is settled, and again when that becomes more or less.
    mutating func tellSubscribed(_ view: View) -> [Step] {
        guard isUseful(view), !subscriptions.contains(where: \.isUnsettled) else { return [] }
        let on = subscriptions.filter(\.isOn).map(\.shown.uuid)
        guard on != told else { return [] }
        told = on
        return [.subscribed(on)]
    }

    mutating func nextErrand(_ view: View, at now: BootInstant) -> [Step] {
        guard errands.isIdle, !subscriptions.contains(where: \.isUnsettled) else { return [] }
        if let quality = qualityToRead(view, at: now) {
            errands.begin(quality)
            return [.errand(quality)]
        }
        return errands.next(view.characteristics, linkLoss: wearable.linkLossAlert).map { [.errand($0)] } ?? []
    }

    static func steps(_ step: Subscription.Step, _ uuid: BluetoothUUID) -> [Step] {
        switch step {
        case .acquire(let path): [.acquireNotify(path)]
        case .startNotify(let path): [.startNotify(path)]
        case .release(let path, let way): [.release(path, way)]
        case .suspected(let limit): [.suspected(uuid, after: limit)]
        case .silent: []
        }
    }
}
