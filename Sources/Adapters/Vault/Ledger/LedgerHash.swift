import Crypto

/// The hash that ties a line of the ledger to the one before it: SHA-256, in small hexadecimal digits.
enum LedgerHash {
    /// What the first line follows.
    static let nothing = String(repeating: "0", count: 64)

    static func of(_ line: some Collection<UInt8>) -> String {
        SHA256.hash(data: Array(line)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
