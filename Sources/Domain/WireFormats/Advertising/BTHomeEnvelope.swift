public import GatewayModel

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

    /// Decrypts, and believes the counter only of a frame whose tag fits: a forged one must not move it.
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
