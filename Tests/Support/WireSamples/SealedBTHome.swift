import Ciphers
public import GatewayModel
public import WireFormats

/// What a BTHome device with a bind key sends (bthome.io/encryption): AES-128-CCM (RFC 3610) put together
/// from the block cipher, in the sealing direction, which the gateway has no use for.
public struct SealedBTHome: Sendable {
    public let key: AES128Key
    public let address: DeviceAddress

    public init(key: AES128Key, address: DeviceAddress) { (self.key, self.address) = (key, address) }

    public static let example = "231d39c1d7cc1ab1aee224cd096db932"

    /// Service data after the UUID.
    public func frame(_ objects: [UInt8], counter: UInt32, isTriggerBased: Bool = true) -> [UInt8] {
        let information: UInt8 = isTriggerBased ? 0x45 : 0x41
        let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32($0 * 8)) }
        let printed = (0..<6).map { UInt8(truncatingIfNeeded: address.octets >> UInt64((5 - $0) * 8)) }
        let nonce = printed + [0xD2, 0xFC, information] + count
        let stream = (0...objects.count / 16 + 1).map { block([0x01] + nonce + [0, UInt8($0)]) }
        let sealed = zip(objects, stream.dropFirst().joined()).map { $0 ^ $1 }
        // B_0: no associated data, a tag of 4 bytes, a length of 2.
        var mac = block([0x09] + nonce + [0, UInt8(objects.count)])
        for start in stride(from: 0, to: objects.count, by: 16) {
            let piece = Array(objects[start..<min(start + 16, objects.count)])
            let padded = piece + [UInt8](repeating: 0, count: 16 - piece.count)
            mac = block(zip(mac, padded).map { $0 ^ $1 })
        }
        let tag = zip(mac.prefix(4), stream[0]).map { $0 ^ $1 }
        return [information] + sealed + count + tag
    }

    private func block(_ bytes: [UInt8]) -> [UInt8] { OpenSSLCipher().encryptBlock(bytes, key: key) ?? [] }
}
