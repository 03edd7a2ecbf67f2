import GatewayModel
import WireFormats

/// What a busy race start sounds like: mostly strangers' phones and gadgets, some tags and buttons of ours.
/// Always the same, from a fixed seed.
struct Traffic {
    static let tagUUID: [UInt8] = [
        0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
    ]

    private(set) var events: [[UInt8]] = []
    private(set) var reports = 0
    private(set) var ours: [DeviceAddress] = []
    private var state: UInt64 = 0x5EED

    /// - Parameter advertisers: of which every tenth is ours.
    init(advertisers: Int) {
        for number in 0..<advertisers {
            let address = random() & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000
            let data = number.isMultiple(of: 10) ? tag(number) : stranger(number)
            if number.isMultiple(of: 10) { ours.append(DeviceAddress(octets: address)) }
            let octets = (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64($0 * 8)) }
            append(octets, data, isExtended: number.isMultiple(of: 4))
        }
    }

    private mutating func random() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 16
    }

    /// Every third is an iBeacon, a BTHome button, or known only by its address.
    private mutating func tag(_ number: Int) -> [UInt8] {
        switch number / 10 % 3 {
        case 0:
            [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + Self.tagUUID
                + [0, 1, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF), 0xC5]
        case 1: [0x02, 0x01, 0x06, 0x0A, 0x16, 0xD2, 0xFC, 0x44, 0x00, 0x2E, 0x01, 0x64, 0x3A, 0x01]
        default: stranger(number)
        }
    }

    private mutating func stranger(_ number: Int) -> [UInt8] {
        switch number % 3 {
        case 0:
            [0x02, 0x01, 0x1A, 0x17, 0xFF, 0x4C, 0x00, 0x10, 0x05]
                + (0..<19).map { _ in UInt8(truncatingIfNeeded: random()) }
        case 1:
            [0x02, 0x01, 0x06, 0x05, 0x03, 0x0D, 0x18, 0x0F, 0x18, 0x0B, 0x09] + Array("Wristband7".utf8)
        default:
            [0x03, 0x03, 0xAA, 0xFE, 0x11, 0x16, 0xAA, 0xFE, 0x20, 0x00]
                + (0..<12).map { _ in UInt8(truncatingIfNeeded: random()) }
        }
    }

    private mutating func append(_ address: [UInt8], _ data: [UInt8], isExtended: Bool) {
        reports += 1
        let length = UInt8(data.count)
        if isExtended {
            let head: [UInt8] = [0x0D, 1, 0x10, 0x00, 0x01] + address
            events.append(
                head + [0x01, 0x00, 0xFF, 0x7F, 0xB9, 0, 0, 0, 0, 0, 0, 0, 0, 0, length] + data)
        } else {
            events.append([0x02, 1, 0x00, 0x01] + address + [length] + data + [0xC4])
        }
    }
}
