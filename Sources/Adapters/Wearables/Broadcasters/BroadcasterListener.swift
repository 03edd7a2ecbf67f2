public import GatewayModel
public import WireFormats

/// Event of an advertising wearable, beyond its presence.
public enum BroadcasterMessage: Hashable, Sendable {
    /// A press of the button at `position`, 1 for the first.
    case button(ButtonPress, position: Int)
    case vibration, motion, moving
    /// Percent.
    case battery(Int)
    /// Of one that does not know how full it is.
    case batteryLow(Bool)

    /// Something has happened, rather than that something is so.
    public var isEvent: Bool {
        switch self {
        case .button, .vibration, .motion, .moving: true
        case .battery, .batteryLow: false
        }
    }

    /// Event of the settings; nil for a state, and for the release that ends a hold: it is no second press.
    public var signalEvent: SignalEvent? {
        switch self {
        case .button(.holdRelease, _), .button(.none, _), .button(.other, _): nil
        case .button(.double, _), .button(.longDouble, _): .doublePress
        case .button(.long, _), .button(.hold, _): .longPress
        case .button: .button
        case .vibration: .vibration
        case .motion: .motion
        case .moving: .moving
        case .battery, .batteryLow: nil
        }
    }

    /// Messages of a frame, those of its buttons first.
    public static func all(in frame: BTHomeFrame) -> [BroadcasterMessage] {
        frame.buttons.map { .button($0.press, position: $0.position) } + frame.objects.compactMap(message)
    }

    private static func message(for object: BTHomeObject) -> BroadcasterMessage? {
        switch object {
        case .state(.vibration, true): .vibration
        case .state(.motion, true): .motion
        case .state(.moving, true): .moving
        case .measurement(let measurement) where measurement.quantity == .battery:
            .battery(Int(measurement.value.rounded()))
        case .state(.batteryLow, let isLow): .batteryLow(isLow)
        default: nil
        }
    }
}

/// One BTHome device that the settings name.
public struct Broadcaster: Hashable, Sendable {
    public let id: DeviceID
    public let address: DeviceAddress
    public let person: PersonID
    /// Where it is set, only frames encrypted with it are believed: anybody can send a plain one.
    public let key: AES128Key?

    public init(id: DeviceID, address: DeviceAddress, person: PersonID, key: AES128Key?) {
        self.id = id
        self.address = address
        self.person = person
        self.key = key
    }
}

/// Turns advertisements into events, once each. Pure; the caller brings instants and cryptography.
public struct BroadcasterListener: Sendable {
    public enum Finding: Hashable, Sendable {
        case message(BroadcasterMessage, from: Broadcaster)
        /// An event in a frame that may be a recording: it may call for help, and do nothing else.
        case unprovenMessage(BroadcasterMessage, from: Broadcaster)
        /// A frame that is believed, whether or not its messages are new. The counters are those after an encrypted
        /// one; an event is something that has happened, rather than that is so.
        case believed(
            from: Broadcaster, isTriggerBased: Bool, counters: BTHomeCounterGuard.State?, hasEvent: Bool)
        /// A frame that may be a recording. The same counters.
        case unproven(from: Broadcaster, counters: BTHomeCounterGuard.State)
        /// A frame of a known device that is not believed or not understood, and why.
        case refused(reason: String, from: Broadcaster)
    }

    private struct Heard {
        var repeats = BTHomeRepeatGuard()
        var counters: BTHomeCounterGuard

        init(_ counters: BTHomeCounterGuard.State = BTHomeCounterGuard.State()) {
            self.counters = BTHomeCounterGuard(counters)
        }
    }

    private var broadcasters: [DeviceAddress: Broadcaster]
    private let cipher: any AdvertisingCipher
    private var heard: [DeviceID: Heard] = [:]

    /// - Parameter counters: of the encrypted frames of each before a restart; recordings of them are refused.
    public init(
        _ broadcasters: [Broadcaster], counters: [DeviceID: BTHomeCounterGuard.State] = [:],
        cipher: any AdvertisingCipher
    ) {
        self.broadcasters = Self.table(broadcasters)
        self.cipher = cipher
        heard = counters.mapValues { Heard($0) }
    }

    private static func table(_ broadcasters: [Broadcaster]) -> [DeviceAddress: Broadcaster] {
        Dictionary(broadcasters.map { ($0.address, $0) }) { first, _ in first }
    }

    /// Replaces the broadcasters. The state of one that stays as it is still guards against repetitions.
    public mutating func replace(_ broadcasters: [Broadcaster]) {
        let staying = Set(broadcasters).intersection(self.broadcasters.values).map(\.id)
        self.broadcasters = Self.table(broadcasters)
        heard = heard.filter { staying.contains($0.key) }
    }

    /// A person at the box says that the battery was changed.
    /// - Returns: the counters from now on; nil where no frame came that a changed battery explains.
    public mutating func confirmBattery(of device: DeviceID) -> BTHomeCounterGuard.State? {
        guard heard[device]?.counters.confirmRestart() == true else { return nil }
        return heard[device]?.counters.state
    }

    public func isKnown(_ address: DeviceAddress) -> Bool { broadcasters[address] != nil }

    /// - Parameters:
    ///   - serviceData: of one AD structure 0x16 (or bluetoothd's ServiceData), from the 16-bit UUID on.
    /// - sender: the advertiser; one outside the settings gives nothing.
    public mutating func hear(
        serviceData: [UInt8], from sender: DeviceAddress, at now: BootInstant
    ) -> [Finding] {
        guard let broadcaster = broadcasters[sender] else { return [] }
        do throws(DecodeError) {
            guard let advert = try BTHomeAdvert(serviceData: serviceData.span) else { return [] }
            return take(advert, from: broadcaster, at: now)
        } catch {
            return [.refused(reason: "\(error)", from: broadcaster)]
        }
    }

    private mutating func take(_ advert: BTHomeAdvert, from broadcaster: Broadcaster, at now: BootInstant)
        -> [Finding]
    {
        switch (advert.content, broadcaster.key) {
        case (.plain(let frame), nil):
            let isNew = heard[broadcaster.id, default: Heard()].repeats.isNew(frame, at: now)
            return findings(frame, isNew: isNew, from: broadcaster, advert.information, counters: nil)
        case (.plain, .some):
            return [.refused(reason: "a frame in the clear, where the settings have a key", from: broadcaster)]
        case (.encrypted, nil):
            return [
                .refused(reason: "an encrypted frame, and the settings have no key_file", from: broadcaster)
            ]
        case (.encrypted(let envelope), .some(let key)):
            return open(envelope, of: broadcaster, with: key, at: now)
        }
    }

    private mutating func open(
        _ envelope: BTHomeEnvelope, of broadcaster: Broadcaster, with key: AES128Key, at now: BootInstant
    ) -> [Finding] {
        do throws(BTHomeEnvelope.Refusal) {
            let opened = try envelope.open(
                key: key, sender: broadcaster.address, guard: &heard[broadcaster.id, default: Heard()].counters,
                at: now,
                cipher: cipher)
            // Without a number of its own, a frame is told from the one before by its counter: a second press
            // looks just like the first.
            let isNew =
                heard[broadcaster.id, default: Heard()].repeats.isNew(opened.frame, at: now)
                || opened.frame.packetID == nil
            let counters = heard[broadcaster.id, default: Heard()].counters.state
            guard opened.isProven else {
                let events = isNew ? BroadcasterMessage.all(in: opened.frame).filter(\.isEvent) : []
                return events.map { .unprovenMessage($0, from: broadcaster) }
                    + [.unproven(from: broadcaster, counters: counters)]
            }
            return findings(
                opened.frame, isNew: isNew, from: broadcaster, envelope.information, counters: counters)
        } catch {
            switch error {
            case .repeated: return []
            case .replayed(let counter, let last):
                return [
                    .refused(reason: "an old frame again: counter \(counter) after \(last)", from: broadcaster)
                ]
            case .keyDoesNotFit:
                return [.refused(reason: "a frame that its key does not open", from: broadcaster)]
            }
        }
    }

    private func findings(
        _ frame: BTHomeFrame, isNew: Bool, from broadcaster: Broadcaster,
        _ information: BTHomeAdvert.DeviceInformation,
        counters: BTHomeCounterGuard.State?
    ) -> [Finding] {
        let messages = BroadcasterMessage.all(in: frame)
        let believed = Finding.believed(
            from: broadcaster, isTriggerBased: information.isTriggerBased, counters: counters,
            hasEvent: messages.contains(where: \.isEvent))
        return (isNew ? messages.map { .message($0, from: broadcaster) } : []) + [believed]
    }
}
