public import GatewayModel
public import WireFormats

/// What an advertising wearable says, beyond that it is there.
public enum BeaconWord: Hashable, Sendable {
    /// A press of the button at `position`, 1 for the first.
    case button(ButtonPress, position: Int)
    case vibration, motion, moving
    /// Percent.
    case battery(Int)
}

/// One BTHome device that the settings name.
public struct Beacon: Hashable, Sendable {
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

/// From advertisements to what they say, once each. Pure; the caller brings instants and cryptography.
public struct BeaconListener: Sendable {
    public enum Finding: Hashable, Sendable {
        case word(BeaconWord, from: Beacon)
        /// A frame of a known device that is not believed or not understood, and why.
        case refused(reason: String, from: Beacon)
    }

    private struct Heard {
        var repeats = BTHomeRepeatGuard()
        var counters = BTHomeCounterGuard()
    }

    private let beacons: [DeviceAddress: Beacon]
    private let cipher: any AdvertisingCipher
    private var heard: [DeviceID: Heard] = [:]

    public init(_ beacons: [Beacon], cipher: any AdvertisingCipher) {
        self.beacons = Dictionary(beacons.map { ($0.address, $0) }) { first, _ in first }
        self.cipher = cipher
    }

    /// - Parameters:
    ///   - serviceData: of one AD structure 0x16 (or bluetoothd's ServiceData), from the 16-bit UUID on.
    ///   - sender: the advertiser; what is no beacon of the settings gives nothing.
    public mutating func hear(
        serviceData: [UInt8], from sender: DeviceAddress, at now: BootInstant
    ) -> [Finding] {
        guard let beacon = beacons[sender] else { return [] }
        do throws(DecodeError) {
            guard let advert = try BTHomeAdvert(serviceData: serviceData.span) else { return [] }
            return take(advert, from: beacon, at: now)
        } catch {
            return [.refused(reason: "\(error)", from: beacon)]
        }
    }

    private mutating func take(_ advert: BTHomeAdvert, from beacon: Beacon, at now: BootInstant) -> [Finding] {
        switch (advert.content, beacon.key) {
        case (.plain(let frame), nil):
            return understand(frame, from: beacon, at: now)
        case (.plain, .some):
            return [.refused(reason: "a frame in the clear, where the settings have a key", from: beacon)]
        case (.encrypted, nil):
            return [.refused(reason: "an encrypted frame, and the settings have no key_file", from: beacon)]
        case (.encrypted(let envelope), .some(let key)):
            return open(envelope, of: beacon, with: key, at: now)
        }
    }

    private mutating func open(
        _ envelope: BTHomeEnvelope, of beacon: Beacon, with key: AES128Key, at now: BootInstant
    ) -> [Finding] {
        do throws(BTHomeEnvelope.Refusal) {
            let frame = try envelope.open(
                key: key, sender: beacon.address, guard: &heard[beacon.id, default: Heard()].counters,
                cipher: cipher)
            return understand(frame, from: beacon, at: now)
        } catch {
            switch error {
            case .repeated: return []
            case .replayed(let counter, let last):
                return [.refused(reason: "an old frame again: counter \(counter) after \(last)", from: beacon)]
            case .keyDoesNotFit:
                return [.refused(reason: "a frame that its key does not open", from: beacon)]
            }
        }
    }

    private mutating func understand(_ frame: BTHomeFrame, from beacon: Beacon, at now: BootInstant)
        -> [Finding]
    {
        guard heard[beacon.id, default: Heard()].repeats.isNew(frame, at: now) else { return [] }
        let presses = frame.buttons.map { BeaconWord.button($0.press, position: $0.position) }
        return (presses + frame.objects.compactMap(Self.word)).map { .word($0, from: beacon) }
    }

    private static func word(for object: BTHomeObject) -> BeaconWord? {
        switch object {
        case .state(.vibration, true): .vibration
        case .state(.motion, true): .motion
        case .state(.moving, true): .moving
        case .measurement(let measurement) where measurement.quantity == .battery:
            .battery(Int(measurement.value.rounded()))
        default: nil
        }
    }
}
