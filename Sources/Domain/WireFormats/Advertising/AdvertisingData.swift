/// Content of one advertisement, decoded and kept: for the few that somebody looks at. The many that are only
/// filtered go through `ADWalk` without becoming one of these.
public struct AdvertisingData: Hashable, Sendable {
    public struct ServiceData: Hashable, Sendable {
        public let service: BluetoothUUID
        public let bytes: [UInt8]
    }

    public struct ManufacturerData: Hashable, Sendable {
        /// Company identifier (Assigned Numbers, 7.1).
        public let company: UInt16
        public let bytes: [UInt8]
    }

    public private(set) var flags: AdvertisingFlags?
    /// Without trailing NULs; bytes that are no UTF-8 are shown as U+FFFD. A complete name replaces a
    /// shortened one.
    public private(set) var name: String?
    public private(set) var isNameComplete = false
    /// Advertised services, in order.
    public private(set) var services: [BluetoothUUID] = []
    public private(set) var serviceData: [ServiceData] = []
    public private(set) var manufacturerData: [ManufacturerData] = []
    /// dBm.
    public private(set) var txPower: Int8?
    public private(set) var appearance: UInt16?
    /// Why the data could be read only so far; the fields hold the data before it.
    public private(set) var problem: DecodeError?

    public init(_ data: Span<UInt8>) {
        var walk = ADWalk()
        do throws(DecodeError) {
            while let structure = try walk.next(in: data) {
                do throws(DecodeError) {
                    try take(structure, in: data)
                } catch {
                    // The structure's own length still tells where the next one begins.
                    problem = problem ?? error
                }
            }
        } catch {
            problem = problem ?? error
        }
    }

    private mutating func take(_ structure: ADStructure, in data: Span<UInt8>) throws(DecodeError) {
        let content = data.extracting(structure.content)
        switch structure.type {
        case .flags:
            // Flags may be longer in a later revision, and empty where all are zero.
            flags = AdvertisingFlags(rawValue: content.isEmpty ? 0 : content[0])
        case .shortenedName where !isNameComplete: name = Self.text(content)
        case .completeName:
            name = Self.text(content)
            isNameComplete = true
        case .incompleteServices16, .completeServices16: try takeServices(content, width: 2)
        case .incompleteServices32, .completeServices32: try takeServices(content, width: 4)
        case .incompleteServices128, .completeServices128: try takeServices(content, width: 16)
        case .serviceData16: try takeServiceData(content, width: 2)
        case .serviceData32: try takeServiceData(content, width: 4)
        case .serviceData128: try takeServiceData(content, width: 16)
        case .manufacturerData:
            try content.need(2, "company identifier")
            let company = content.littleUInt16(at: 0)
            manufacturerData.append(
                ManufacturerData(company: company, bytes: content.bytes(2..<content.count)))
        case .txPowerLevel:
            try content.need(1, "TX power level")
            txPower = content.sint8(at: 0)
        case .appearance:
            try content.need(2, "appearance")
            appearance = content.littleUInt16(at: 0)
        default: break
        }
    }

    private mutating func takeServices(_ content: Span<UInt8>, width: Int) throws(DecodeError) {
        var offset = 0
        while offset < content.count {
            try content.need(width, at: offset, "service UUID")
            services.append(BluetoothUUID(in: content, at: offset, width: width))
            offset += width
        }
    }

    private mutating func takeServiceData(_ content: Span<UInt8>, width: Int) throws(DecodeError) {
        try content.need(width, "service UUID")
        let service = BluetoothUUID(in: content, at: 0, width: width)
        serviceData.append(ServiceData(service: service, bytes: content.bytes(width..<content.count)))
    }

    private static func text(_ content: Span<UInt8>) -> String {
        var bytes = content.bytes(0..<content.count)
        while bytes.last == 0 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension BluetoothUUID {
    /// A UUID of 2, 4 or 16 bytes, least significant first as the air has it (Core 5.4, Vol 3, Part B,
    /// 2.5.1). The caller has checked that they are there.
    init(in bytes: Span<UInt8>, at offset: Int, width: Int) {
        var digits = ""
        for index in stride(from: offset + width - 1, through: offset, by: -1) {
            digits += (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16)
        }
        // Of the short ones: the upper 32 bits, on the Base UUID.
        if width < 16 {
            digits = String(repeating: "0", count: 8 - digits.count) + digits + "00001000800000805f9b34fb"
        }
        let characters = Array(digits)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(characters[$0]) }
        guard let uuid = BluetoothUUID(groups.joined(separator: "-")) else {
            preconditionFailure("32 hexadecimal digits are a UUID")
        }
        self = uuid
    }
}

/// Flags, AD type 0x01 (Core Specification Supplement, Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let limitedDiscoverable = AdvertisingFlags(rawValue: 1 << 0)
    public static let generalDiscoverable = AdvertisingFlags(rawValue: 1 << 1)
    public static let noClassic = AdvertisingFlags(rawValue: 1 << 2)
    public static let simultaneousController = AdvertisingFlags(rawValue: 1 << 3)
}

/// One AD structure, where it lies in the advertising data (Core 5.4, Vol 3, Part C, 11).
public struct ADStructure: Hashable, Sendable {
    public let type: ADType
    /// Its data, without length and type: offsets in the bytes that were walked.
    public let content: Range<Int>
}

/// Walks the AD structures of advertising data front to back, copying nothing.
///
///     var walk = ADWalk()
///     while let structure = try walk.next(in: data) { … data.extracting(structure.content) … }
///
/// A length of 0 ends the data early: the rest is padding.
public struct ADWalk: Sendable {
    private var position = 0

    public init() {}

    /// The next structure; nil at the end. After an error the walk has ended too: no length tells where
    /// another structure would begin.
    /// - Parameter data: the same bytes in each call.
    public mutating func next(in data: Span<UInt8>) throws(DecodeError) -> ADStructure? {
        guard position < data.count else { return nil }
        let length = Int(data[position])
        let start = position + 1
        guard length > 0 else {
            position = data.count
            return nil
        }
        guard data.count - start >= length else {
            position = data.count
            throw .truncated(field: "AD structure", needed: length, left: data.count - start)
        }
        position = start + length
        return ADStructure(type: ADType(rawValue: data[start]), content: start + 1..<position)
    }
}

/// The type of an AD structure (Assigned Numbers, 2.3 "Common Data Types"). Open: unknown codes are kept.
public struct ADType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let flags = ADType(rawValue: 0x01)
    public static let incompleteServices16 = ADType(rawValue: 0x02)
    public static let completeServices16 = ADType(rawValue: 0x03)
    public static let incompleteServices32 = ADType(rawValue: 0x04)
    public static let completeServices32 = ADType(rawValue: 0x05)
    public static let incompleteServices128 = ADType(rawValue: 0x06)
    public static let completeServices128 = ADType(rawValue: 0x07)
    public static let shortenedName = ADType(rawValue: 0x08)
    public static let completeName = ADType(rawValue: 0x09)
    public static let txPowerLevel = ADType(rawValue: 0x0A)
    public static let serviceData16 = ADType(rawValue: 0x16)
    public static let appearance = ADType(rawValue: 0x19)
    public static let serviceData32 = ADType(rawValue: 0x20)
    public static let serviceData128 = ADType(rawValue: 0x21)
    public static let manufacturerData = ADType(rawValue: 0xFF)
}
