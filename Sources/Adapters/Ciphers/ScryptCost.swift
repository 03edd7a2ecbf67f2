import COpenSSL

/// Bytes derived from words by scrypt (RFC 7914), in OpenSSL's implementation.
package struct ScryptCost: Hashable, Sendable {
    /// Memory and time: a power of two.
    package let n: UInt64
    package let r: UInt64
    package let p: UInt64

    /// Bytes that one derivation takes.
    package var memory: UInt64 { 128 * n * r }

    /// Memory in bytes that one derivation may take: a file that asks for more is refused.
    private static let mostMemory: UInt64 = 1 << 30

    /// 128 MiB and about half a second on a small box: the value that OWASP's Password Storage Cheat Sheet recommends.
    package static let standard = ScryptCost(checked: 1 << 17, 8, 1)

    /// Nil for values that scrypt does not have, or that take more than 1 GiB.
    package init?(n: UInt64, r: UInt64, p: UInt64) {
        guard n > 1, n & (n - 1) == 0, (1...32).contains(r), (1...16).contains(p), n <= 1 << 24,
            128 * n * r <= Self.mostMemory
        else { return nil }
        (self.n, self.r, self.p) = (n, r, p)
    }

    private init(checked n: UInt64, _ r: UInt64, _ p: UInt64) {
        (self.n, self.r, self.p) = (n, r, p)
    }

    /// Derives bytes. Blocks for about a second; nil where there is no memory.
    package func derive(from words: [UInt8], salt: [UInt8], count: Int) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: count)
        let isDone = words.withUnsafeBytes { raw in
            EVP_PBE_scrypt(
                raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count, salt, salt.count, n, r, p,
                Self.mostMemory + 1 << 26, &result, count)
        }
        return isDone == 1 ? result : nil
    }
}
