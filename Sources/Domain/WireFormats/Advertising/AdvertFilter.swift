public import GatewayModel

/// Which advertisements are wanted. Compiled once from rules; asked of each advertisement, where it
/// allocates nothing: in a city nine adverts of ten are strangers'.
public struct AdvertFilter: Sendable {
    public enum Rule: Hashable, Sendable {
        /// Everything, for a survey of the devices nearby.
        case all
        /// All adverts of this device, with any kind of address.
        case address(DeviceAddress)
        /// Nil is any.
        case iBeacon(IBeacon.ProximityUUID, major: UInt16?, minor: UInt16?)
        /// Eddystone-UID; nil is any instance. The telemetry frames between its UID frames do not name the
        /// beacon: they are wanted by address.
        case eddystone(Eddystone.Namespace, instance: UInt64?)
        /// Every BTHome v2 device.
        case btHome
        /// Manufacturer data that begins with these.
        case manufacturer(ManufacturerPrefixes.Prefix)
        /// Every resolvable private address: only a holder of the keys can resolve it.
        case resolvablePrivate
    }

    /// Which rules an advertisement meets.
    public struct Match: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let all = Match(rawValue: 1 << 0)
        public static let address = Match(rawValue: 1 << 1)
        public static let iBeacon = Match(rawValue: 1 << 2)
        public static let eddystone = Match(rawValue: 1 << 3)
        public static let btHome = Match(rawValue: 1 << 4)
        public static let resolvablePrivate = Match(rawValue: 1 << 5)
        public static let manufacturer = Match(rawValue: 1 << 6)
    }

    /// A beacon's name, or all names that begin with it: -1 stands for any.
    private struct BeaconName: Hashable {
        let high: UInt64
        let low: UInt64
        let first: Int64
        let second: Int64
    }

    private var always = Match()
    private var takesResolvable = false
    private var takesBTHome = false
    private var addresses: Set<UInt64> = []
    private var iBeacons: Set<BeaconName> = []
    private var eddystones: Set<BeaconName> = []
    private let prefixes: ManufacturerPrefixes
    /// Whether advertising data has to be looked into at all.
    private var readsData: Bool {
        takesBTHome || !iBeacons.isEmpty || !eddystones.isEmpty || !prefixes.isEmpty
    }

    public init(_ rules: some Sequence<Rule>) {
        var prefixes: [ManufacturerPrefixes.Prefix] = []
        for rule in rules {
            switch rule {
            case .all: always = .all
            case .address(let address): addresses.insert(address.octets)
            case .iBeacon(let uuid, let major, let minor):
                iBeacons.insert(
                    BeaconName(
                        high: uuid.high, low: uuid.low, first: major.map(Int64.init) ?? -1,
                        second: minor.map(Int64.init) ?? -1))
            case .eddystone(let namespace, let instance):
                eddystones.insert(
                    BeaconName(
                        high: namespace.high, low: UInt64(namespace.low),
                        first: instance.map { Int64($0 & 0xFFFF_FFFF_FFFF) } ?? -1, second: -1))
            case .btHome: takesBTHome = true
            case .manufacturer(let prefix): prefixes.append(prefix)
            case .resolvablePrivate: takesResolvable = true
            }
        }
        self.prefixes = ManufacturerPrefixes(prefixes)
    }

    /// Empty where nobody wants it. Malformed data is judged by the structures before the fault.
    public func match(_ report: AdvertReport, in bytes: Span<UInt8>) -> Match {
        var match = always
        if !addresses.isEmpty, report.address.kind != .anonymous, addresses.contains(report.address.octets) {
            match.insert(.address)
        }
        if takesResolvable, report.address.isResolvablePrivate { match.insert(.resolvablePrivate) }
        if readsData { match.formUnion(matchData(bytes.extracting(report.data))) }
        return match
    }

    private func matchData(_ data: Span<UInt8>) -> Match {
        var match = Match()
        var walk = ADWalk()
        while let structure = try? walk.next(in: data) {
            switch structure.type {
            case .manufacturerData: match.formUnion(matchManufacturer(data.extracting(structure.content)))
            case .serviceData16: match.formUnion(matchService(data.extracting(structure.content)))
            default: break
            }
        }
        return match
    }

    private func matchManufacturer(_ content: Span<UInt8>) -> Match {
        var match = Match()
        if !iBeacons.isEmpty, let beacon = IBeacon(manufacturerData: content), wants(beacon) {
            match.insert(.iBeacon)
        }
        if !prefixes.isEmpty, prefixes.index(of: content) != nil { match.insert(.manufacturer) }
        return match
    }

    private func matchService(_ content: Span<UInt8>) -> Match {
        guard content.count >= 2 else { return [] }
        switch content.littleUInt16(at: 0) {
        case BTHomeAdvert.service where takesBTHome: return .btHome
        case Eddystone.service where !eddystones.isEmpty:
            guard let uid = Eddystone.UID(serviceData: content), wants(uid) else { return [] }
            return .eddystone
        default: return []
        }
    }

    /// By its whole name, then by the beginnings of it.
    private func wants(_ beacon: IBeacon) -> Bool {
        let major = Int64(beacon.major)
        let minor = Int64(beacon.minor)
        func has(_ first: Int64, _ second: Int64) -> Bool {
            iBeacons.contains(
                BeaconName(high: beacon.uuid.high, low: beacon.uuid.low, first: first, second: second))
        }
        return has(major, minor) || has(major, -1) || has(-1, -1) || has(-1, minor)
    }

    private func wants(_ uid: Eddystone.UID) -> Bool {
        let high = uid.namespace.high
        let low = UInt64(uid.namespace.low)
        return eddystones.contains(BeaconName(high: high, low: low, first: Int64(uid.instance), second: -1))
            || eddystones.contains(BeaconName(high: high, low: low, first: -1, second: -1))
    }
}

/// Beginnings of manufacturer data that are looked for, compiled once. Asked of each advertisement: allocates nothing.
public struct ManufacturerPrefixes: Sendable {
    public struct Prefix: Hashable, Sendable {
        /// Company identifier (Assigned Numbers, 7.1).
        public let company: UInt16
        /// The bytes that follow it.
        public let bytes: [UInt8]

        public init(company: UInt16, bytes: [UInt8]) {
            (self.company, self.bytes) = (company, bytes)
        }
    }

    private let prefixes: [Prefix]
    /// Of `bytes`, the longest first: the longer beginning says more.
    private let lengths: [Int]
    private var candidates: [UInt64: [Int]] = [:]

    public var isEmpty: Bool { prefixes.isEmpty }

    public init(_ prefixes: [Prefix]) {
        self.prefixes = prefixes
        lengths = Set(prefixes.map(\.bytes.count)).sorted(by: >)
        for (index, prefix) in prefixes.enumerated() {
            candidates[Self.hash(prefix.company, prefix.bytes.span, 0..<prefix.bytes.count), default: []]
                .append(index)
        }
    }

    /// Returns the index of the prefix that `content` begins with; nil where it begins with no prefix.
    /// - Parameter content: of an AD structure 0xFF, from the company identifier on.
    public func index(of content: Span<UInt8>) -> Int? {
        guard content.count >= 2 else { return nil }
        let company = content.littleUInt16(at: 0)
        for length in lengths where content.count >= 2 + length {
            guard let found = candidates[Self.hash(company, content, 2..<2 + length)] else { continue }
            for index in found where isPrefix(prefixes[index], of: content, company, length) { return index }
        }
        return nil
    }

    private func isPrefix(_ prefix: Prefix, of content: Span<UInt8>, _ company: UInt16, _ length: Int) -> Bool {
        guard prefix.company == company, prefix.bytes.count == length else { return false }
        for offset in 0..<length where prefix.bytes[offset] != content[2 + offset] { return false }
        return true
    }

    /// Only finds candidates, which are then compared.
    private static func hash(_ company: UInt16, _ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = FNVHash()
        hash.add(UInt8(company >> 8))
        hash.add(UInt8(company & 0xFF))
        for offset in range { hash.add(bytes[offset]) }
        return hash.value
    }
}
