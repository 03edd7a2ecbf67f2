import CArgon2
import Dispatch

/// Argon2id with 19 MiB, two passes and one lane (OWASP's first choice): some 40 ms of processor time.
///
/// One hash at a time in each lane of attempts: a flood of sign-ins takes one core and 19 MiB.
public final class Argon2Hasher: PasswordHasher {
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    private static let passes: UInt32 = 2
    private static let kibibytes: UInt32 = 19 * 1_024
    private static let lanes: UInt32 = 1
    private static let saltLength = 16
    private static let hashLength = 32

    private let lines = HashLines()
    /// Hash that is compared where there is no account, so that the answer takes as long.
    private let decoy: PasswordHash

    public init() throws {
        decoy = try Self.hash([0], salt: Self.salt())
    }

    public func hash(_ password: Password, in lane: AttemptLane) async throws -> PasswordHash {
        try await lines.run(in: lane) { Result { try Self.hash(password.bytes, salt: Self.salt()) } }.get()
    }

    public func verify(_ password: Password, against hash: PasswordHash?, in lane: AttemptLane) async -> Bool {
        let encoded = (hash ?? decoy).encoded
        let result = await lines.run(in: lane) {
            argon2id_verify(encoded, password.bytes, password.bytes.count)
        }
        return result == ARGON2_OK.rawValue && hash != nil
    }

    private static func salt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private static func hash(_ password: [UInt8], salt: [UInt8]) throws -> PasswordHash {
        let length = argon2_encodedlen(
            passes, kibibytes, lanes, UInt32(salt.count), UInt32(hashLength), Argon2_id)
        var encoded = [CChar](repeating: 0, count: length)
        let result = argon2id_hash_encoded(
            passes, kibibytes, lanes, password, password.count, salt, salt.count, hashLength, &encoded, length)
        guard result == ARGON2_OK.rawValue else {
            throw Fault(description: "argon2id failed with code \(result): is there too little memory?")
        }
        return PasswordHash(
            encoded: String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}

/// A line of work for each lane of attempts, outside the cooperative pool: one piece of work at a time in each, and none
/// waits for that of another lane.
package struct HashLines: Sendable {
    private let queues = Dictionary(
        uniqueKeysWithValues: AttemptLane.allCases.map {
            ($0, DispatchQueue(label: "argon2-\($0.rawValue)"))
        })

    package init() {}

    package func run<Value: Sendable>(
        in lane: AttemptLane, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        guard let queue = queues[lane] else { return body() }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
