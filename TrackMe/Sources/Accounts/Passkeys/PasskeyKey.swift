import Crypto
import FoundationEssentials

/// Public key of a passkey.
public enum PasskeyKey: Hashable, Sendable {
    /// ECDSA over P-256 with SHA-256. The point of X9.63: 0x04 and both coordinates.
    case es256(point: [UInt8])
    case ed25519([UInt8])

    /// Numbers of COSE (RFC 9053 sections 2.1 and 2.2), the preferred one first.
    static let algorithms: [Int64] = [-8, -7]

    private static let coordinateLength = 32

    /// Reads a key of COSE (RFC 9052 section 7).
    init(_ cose: CBORItem) throws(PasskeyFault) {
        let (type, algorithm) = (cose[.number(1)], cose[.number(3)])
        let (curve, x, y) = (cose[.number(-1)], cose[.number(-2)]?.bytes, cose[.number(-3)]?.bytes)
        switch (type, algorithm) {
        // RFC 9053 section 7.1: EC2, P-256.
        case (.number(2), .number(-7)):
            guard curve == .number(1), let x, let y, x.count == Self.coordinateLength,
                y.count == Self.coordinateLength, let key = PasskeyKey(stored: [4] + x + y)
            else { throw .malformed("a key of ES256 that is no point of P-256") }
            self = key
        // RFC 9053 section 7.2: OKP, Ed25519.
        case (.number(1), .number(-8)):
            guard curve == .number(6) else { throw .unknownAlgorithm }
            guard let x, x.count == Self.coordinateLength, let key = PasskeyKey(stored: x) else {
                throw .malformed("a key of Ed25519 without 32 bytes")
            }
            self = key
        case (.number, .number): throw .unknownAlgorithm
        default: throw .malformed("a key without type and algorithm")
        }
    }

    /// Reads the form of `stored`. Nil for bytes of another length, and for a point that is not of the curve.
    public init?(stored bytes: [UInt8]) {
        if bytes.count == Self.coordinateLength {
            self = .ed25519(bytes)
        } else if bytes.count == 1 + 2 * Self.coordinateLength,
            (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil
        {
            self = .es256(point: bytes)
        } else {
            return nil
        }
    }

    /// Bytes for the store: 65 of ES256, 32 of Ed25519.
    public var stored: [UInt8] {
        switch self {
        case .es256(let point): point
        case .ed25519(let key): key
        }
    }

    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch self {
        case .es256(let point):
            guard let key = try? P256.Signing.PublicKey(x963Representation: point),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: Data(message))
        case .ed25519(let bytes):
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
            return key.isValidSignature(signature, for: Data(message))
        }
    }
}
