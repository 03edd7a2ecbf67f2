public import GatewayModel

/// BTHome v2 (bthome.io/format): service data of UUID 0xFCD2, little-endian.
public struct BTHomeAdvert: Hashable, Sendable {
    public struct DeviceInformation: Hashable, Sendable {
        public let rawValue: UInt8

        public var isEncrypted: Bool { rawValue & 1 << 0 != 0 }
        public var hasAddress: Bool { rawValue & 1 << 1 != 0 }
        /// Sends when something happens, not at intervals: its silence means nothing.
        public var isTriggerBased: Bool { rawValue & 1 << 2 != 0 }
        public var version: UInt8 { rawValue >> 5 }
    }

    public enum Content: Hashable, Sendable {
        case plain(BTHomeFrame)
        case encrypted(BTHomeEnvelope)
    }

    public let information: DeviceInformation
    /// The device's own address, where it sends it along: the advertiser may be a repeater.
    public let address: DeviceAddress?
    /// A device with a known key must be believed only when `.encrypted`: anybody can send a plain frame in its
    /// name.
    public let content: Content

    public static let service: UInt16 = 0xFCD2

    /// - Parameter content: of an AD structure 0x16, from the service UUID on.
    /// - Returns: nil where it is another service's.
    public init?(serviceData content: Span<UInt8>) throws(DecodeError) {
        guard content.count >= 2, content.littleUInt16(at: 0) == Self.service else { return nil }
        try content.need(1, at: 2, "BTHome device information")
        information = DeviceInformation(rawValue: content[2])
        guard information.version == 2 else {
            throw .unexpected(field: "BTHome version", expected: "2")
        }
        var start = 3
        if information.hasAddress {
            try content.need(6, at: start, "BTHome address")
            address = RadioAddress(in: content, at: start, kind: .public).deviceAddress
            start += 6
        } else {
            address = nil
        }
        let rest = content.extracting(start..<content.count)
        self.content =
            information.isEncrypted
            ? .encrypted(try BTHomeEnvelope(rest, information: information, address: address))
            : .plain(BTHomeFrame(rest))
    }
}

/// An encrypted BTHome v2 frame (bthome.io/encryption): AES-128-CCM with a tag of 4 bytes and no associated
/// data. A counter in clear makes each nonce new.
public struct BTHomeEnvelope: Hashable, Sendable {
    public enum Refusal: Error, Hashable, Sendable {
        /// The newest frame once more: devices send each several times.
        case repeated
        /// An old frame, recorded and sent again, or very late.
        case replayed(counter: UInt32, last: UInt32)
        /// Encrypted with another key, damaged, or forged.
        case keyDoesNotFit
    }

    public let information: BTHomeAdvert.DeviceInformation
    public let address: DeviceAddress?
    public let ciphertext: [UInt8]
    public let counter: UInt32
    /// The message integrity code.
    public let tag: [UInt8]

    /// - Parameter bytes: after device information and address: ciphertext, counter (4), tag (4).
    init(
        _ bytes: Span<UInt8>, information: BTHomeAdvert.DeviceInformation, address: DeviceAddress?
    ) throws(DecodeError) {
        try bytes.need(9, "encrypted BTHome frame")
        self.information = information
        self.address = address
        ciphertext = bytes.bytes(0..<bytes.count - 8)
        counter = bytes.littleUInt32(at: bytes.count - 8)
        tag = bytes.bytes(bytes.count - 4..<bytes.count)
    }

    /// A frame that its key opens, and how far it is believed.
    public struct Opened: Hashable, Sendable {
        public let frame: BTHomeFrame
        /// False where it may be a recording: see `BTHomeCounterGuard`.
        public let isProven: Bool
    }

    /// Decrypts, and believes the counter only of a frame with a valid tag: a forged one must not move it.
    /// - Parameter sender: the advertiser; counts where the frame does not carry an address of its own.
    public func open(
        key: AES128Key, sender: DeviceAddress, guard counters: inout BTHomeCounterGuard, at now: BootInstant,
        cipher: any AdvertisingCipher
    ) throws(Refusal) -> Opened {
        let verdict = counters.judge(counter, at: now)
        switch verdict {
        case .fresh, .unproven: break
        case .repeated: throw .repeated
        case .replayed(let last): throw .replayed(counter: counter, last: last)
        }
        let nonce = nonce(sender)
        guard
            let plain = cipher.openCCM(
                key: key, nonce: nonce, associatedData: [], ciphertext: ciphertext, tag: tag)
        else { throw .keyDoesNotFit }
        counters.accept(counter, as: verdict, at: now)
        return Opened(frame: BTHomeFrame(plain.span), isProven: verdict == .fresh)
    }

    /// Address as printed, UUID, device information, counter: 13 bytes.
    private func nonce(_ sender: DeviceAddress) -> [UInt8] {
        let octets = (address ?? sender).octets
        let printed = (0..<6).map { UInt8(truncatingIfNeeded: octets >> UInt64((5 - $0) * 8)) }
        let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32($0 * 8)) }
        return printed + [0xD2, 0xFC, information.rawValue] + count
    }
}

/// The objects of one BTHome v2 frame, in order.
public struct BTHomeFrame: Hashable, Sendable {
    /// Why the objects end before the bytes do.
    public enum Stop: Error, Hashable, Sendable {
        /// An id that is not in the table. Objects carry no length, so nothing after it can be read.
        case unknownObject(id: UInt8)
        case truncatedObject(id: UInt8)
    }

    public struct Button: Hashable, Sendable {
        /// 1 for the first button object of the frame.
        public let position: Int
        public let press: ButtonPress
    }

    public private(set) var objects: [BTHomeObject] = []
    public private(set) var stop: Stop?

    public init(_ bytes: Span<UInt8>) {
        var position = 0
        do throws(Stop) {
            while position < bytes.count {
                objects.append(try BTHomeObject(in: bytes, at: &position))
            }
        } catch {
            stop = error
        }
    }

    public var packetID: UInt8? {
        objects.lazy.compactMap { if case .packetID(let id) = $0 { id } else { nil } }.first
    }

    /// The buttons that were used. A device with several sends an object for each, in order, and `.none` for
    /// those that were not.
    public var buttons: [Button] {
        let presses = objects.compactMap { if case .button(let press) = $0 { press } else { nil } }
        return presses.enumerated().compactMap { index, press in
            press == .none ? nil : Button(position: index + 1, press: press)
        }
    }
}
