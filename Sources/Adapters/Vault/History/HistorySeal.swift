public import GatewayModel

/// Keys for reading the history, and the key for writing it.
public struct HistoryKeys: Sendable {
    let current: AES256Key
    /// Key of the rows that were written before the key was changed.
    let previous: AES256Key?

    public init(current: AES256Key, previous: AES256Key? = nil) {
        (self.current, self.previous) = (current, previous)
    }
}

/// Seals rows: AES-256-GCM with a random nonce of 96 bits for each sealing. The associated data is the table, place and
/// key number, so a row that was moved to another place does not open.
///
/// Random nonces are safe for 2^32 sealings with one key (SP 800-38D, 8.3). 30 series that are sealed each minute reach
/// that number after 270 years.
struct HistorySeal {
    /// Table of a row. Part of the associated data.
    enum Table: UInt8, CaseIterable {
        case proof = 0x6B
        case series = 0x73
        case raw = 0x72
        case minutes = 0x6D
        case hours = 0x68
        case locations = 0x6C
    }

    private static let nonceLength = 12

    private let cipher: any AuthenticatedCipher
    /// Keys by the key number in the rows.
    private let ring: [Int64: AES256Key]
    /// Number of the key for writing.
    let current: Int64

    init(_ cipher: any AuthenticatedCipher, ring: [Int64: AES256Key], current: Int64) {
        (self.cipher, self.ring, self.current) = (cipher, ring, current)
    }

    /// Whether there are older keys, with which rows may be sealed.
    var isHoldingOlder: Bool { ring.count > 1 }

    var withoutOlder: HistorySeal {
        HistorySeal(cipher, ring: ring.filter { $0.key == current }, current: current)
    }

    /// Seals `plain` with the current key.
    /// - Returns: the nonce, the ciphertext, the tag; nil if the cipher refuses.
    func seal(_ plain: [UInt8], _ table: Table, at place: Int64) -> [UInt8]? {
        guard let key = ring[current] else { return nil }
        var random = SystemRandomNumberGenerator()
        let nonce = (0..<Self.nonceLength).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return cipher.seal(
            plain, key: key, nonce: nonce, associatedData: Self.binding(table, place, current)
        ).map { nonce + $0 }
    }

    /// Returns the plain text; nil if `sealed` was not sealed at this place with that key.
    func open(_ sealed: [UInt8], _ table: Table, at place: Int64, key number: Int64) -> [UInt8]? {
        guard let key = ring[number], sealed.count >= Self.nonceLength else { return nil }
        return cipher.open(
            Array(sealed.dropFirst(Self.nonceLength)), key: key,
            nonce: Array(sealed.prefix(Self.nonceLength)),
            associatedData: Self.binding(table, place, number))
    }

    private static func binding(_ table: Table, _ place: Int64, _ key: Int64) -> [UInt8] {
        var bytes = PackedBytes()
        bytes.put(table.rawValue)
        bytes.put(fixed: UInt64(bitPattern: place))
        bytes.put(fixed: UInt64(bitPattern: key))
        return bytes.bytes
    }
}
