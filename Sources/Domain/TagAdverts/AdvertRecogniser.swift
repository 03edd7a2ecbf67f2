import GatewayModel
public import RunBeacon
public import WireFormats

/// Recogniser of tags in advertisements: names of the enrolled tags, compiled for look-up. An advertisement costs no
/// allocation, except for a new address of a key.
public struct AdvertRecogniser: TagRecogniser {
    public typealias Advert = WireFormats.Advert

    private struct BeaconName: Hashable {
        let high, low, instance: UInt64
    }

    /// Maximum number of tries of keys on unknown addresses in a second of radio. One try takes 1 to 3 µs, so they
    /// never take more than 6 % of a core, however many addresses an attacker invents.
    private static let triesASecond = 20_000

    private var addresses: [UInt64: TagNumber] = [:]
    private var iBeacons: [BeaconName: TagNumber] = [:]
    private var eddystones: [BeaconName: TagNumber] = [:]
    private var prefixes = ManufacturerPrefixes([])
    private var prefixed: [TagNumber] = []
    private var resolver: IdentityResolver
    private var keyed: [TagNumber] = []
    private var second: Int64 = 0
    private var tries = 0
    /// Number of advertisements with addresses that were not tried on the keys: too many new ones came at a time.
    public private(set) var untried = 0
    private let cipher: any AdvertisingCipher

    /// Recognises nothing until tags are enrolled.
    public init(cipher: any AdvertisingCipher) {
        self.cipher = cipher
        resolver = IdentityResolver([], cipher: cipher)
    }

    public mutating func enrol(_ tags: [(identity: TagIdentity, tag: TagNumber)]) {
        self = AdvertRecogniser(cipher: cipher)
        var prefixes: [ManufacturerPrefixes.Prefix] = []
        var keys: [AES128Key] = []
        for (identity, tag) in tags {
            switch identity {
            case .address(let address): addresses[address.octets] = tag
            case .iBeacon(let uuid, let major, let minor):
                iBeacons[Self.name(uuid, major, minor)] = tag
            case .eddystone(let namespace, let instance):
                eddystones[Self.name(namespace, instance & 0xFFFF_FFFF_FFFF)] = tag
            case .manufacturer(let company, let prefix):
                prefixes.append(.init(company: company, bytes: prefix))
                prefixed.append(tag)
            case .identityKey(let bytes):
                guard let key = AES128Key(bytes) else { continue }
                keys.append(key)
                keyed.append(tag)
            }
        }
        self.prefixes = ManufacturerPrefixes(prefixes)
        resolver = IdentityResolver(keys, cipher: cipher)
    }

    public func location(in advert: Advert) -> TagLocation? {
        advert.remoteIDLocation.map {
            TagLocation(
                latitude: $0.latitudeDegrees, longitude: $0.longitudeDegrees,
                horizontalAccuracy: $0.horizontalAccuracy, timeInHour: $0.timeInHour)
        }
    }

    public mutating func recognise(_ advert: Advert) -> TagSighting? {
        if advert.address.kind != .anonymous, let tag = addresses[advert.address.octets] {
            return sighting(of: tag, in: advert, isNameCarried: false)
        }
        if let tag = carried(in: advert.data.span) { return sighting(of: tag, in: advert, isNameCarried: true) }
        return resolved(advert).map { sighting(of: $0, in: advert, isNameCarried: false) }
    }

    private func sighting(of tag: TagNumber, in advert: Advert, isNameCarried: Bool) -> TagSighting {
        TagSighting(
            tag: tag, isNameCarried: isNameCarried,
            address: advert.address.kind == .anonymous ? nil : advert.address.octets, rssi: advert.rssi,
            arrival: advert.arrival)
    }

    /// Malformed data is judged by the part before the error.
    private func carried(in data: Span<UInt8>) -> TagNumber? {
        guard !iBeacons.isEmpty || !eddystones.isEmpty || !prefixes.isEmpty else { return nil }
        var walk = ADWalk()
        while let structure = try? walk.next(in: data) {
            let content = data.extracting(structure.content)
            let tag: TagNumber? =
                switch structure.type {
                case .manufacturerData: manufacturer(content)
                case .serviceData16: eddystone(content)
                default: nil
                }
            if let tag { return tag }
        }
        return nil
    }

    private func manufacturer(_ content: Span<UInt8>) -> TagNumber? {
        if !iBeacons.isEmpty, let beacon = IBeacon(manufacturerData: content),
            let tag = iBeacons[Self.name(beacon.uuid, beacon.major, beacon.minor)]
        {
            return tag
        }
        return prefixes.isEmpty ? nil : prefixes.index(of: content).map { prefixed[$0] }
    }

    private func eddystone(_ content: Span<UInt8>) -> TagNumber? {
        guard !eddystones.isEmpty, let uid = Eddystone.UID(serviceData: content) else { return nil }
        return eddystones[Self.name(uid.namespace, uid.instance)]
    }

    private mutating func resolved(_ advert: Advert) -> TagNumber? {
        guard !keyed.isEmpty, advert.address.isResolvablePrivate else { return nil }
        if !resolver.knows(advert.address) {
            guard mayTry(at: advert.arrival) else {
                untried += 1
                return nil
            }
        }
        return resolver.index(of: advert.address).map { keyed[$0] }
    }

    private mutating func mayTry(at arrival: BootInstant) -> Bool {
        let now = arrival.nanoseconds / 1_000_000_000
        if now != second { (second, tries) = (now, 0) }
        // At least one a second, for any number of keys.
        guard tries == 0 || tries + keyed.count <= Self.triesASecond else { return false }
        tries += keyed.count
        return true
    }

    private static func name(_ uuid: ProximityUUID, _ major: UInt16, _ minor: UInt16) -> BeaconName {
        BeaconName(high: uuid.high, low: uuid.low, instance: UInt64(major) << 16 | UInt64(minor))
    }

    private static func name(_ namespace: EddystoneNamespace, _ instance: UInt64) -> BeaconName {
        BeaconName(high: namespace.high, low: UInt64(namespace.low), instance: instance)
    }
}
