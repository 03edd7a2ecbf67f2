import Consent
import Contract
import ContractSamples
import Crypto
import Foundation
import GatewayModel
import Samples
import TestSupport
import Testing

@testable import Sealing

/// Checked against RFC 9180's own vector, and against the program in docs/integrator/sealing.md, which uses another
/// library.
@Suite struct `A sealed message` {
    private struct Line: Encodable {
        var topic: String
        var payload: String
        var keys: [String: String]
        /// Null for a message that must not open.
        var plain: String?

        enum CodingKeys: CodingKey { case topic, payload, keys, plain }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(topic, forKey: .topic)
            try container.encode(payload, forKey: .payload)
            try container.encode(keys, forKey: .keys)
            try container.encode(plain, forKey: .plain)
        }
    }

    private let key = Curve25519.KeyAgreement.PrivateKey()
    private var keys: [String: String] { ["2026-a": key.rawRepresentation.hex] }
    private var plain: Envelope { .sample(Sample.reading(1), topics: Sample.topics) }

    private func publicKey(_ name: String) throws -> ThirdParty.SealingKey {
        let id = try #require(KeyID(name))
        return try #require(ThirdParty.SealingKey(id: id, bytes: Array(key.publicKey.rawRepresentation)))
    }

    private func sealed(_ envelope: Envelope) throws -> Line {
        let sealed = try #require(
            envelope.sealed(to: try publicKey("2026-a"), by: HPKESealer()))
        return Line(
            topic: sealed.topic, payload: String(decoding: sealed.payload, as: UTF8.self), keys: keys,
            plain: String(decoding: envelope.payload, as: UTF8.self))
    }

    private func check(_ lines: [Line]) async throws -> ContractCheck.Answer {
        let scratch = try ScratchDirectory()
        let text = try lines.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let file = try scratch.write(text.joined(separator: "\n"), to: "sealed.jsonl")
        return try await ContractCheck.run("sealed", file.path)
    }

    @Test func `is opened by the program of the documentation`() async throws {
        let messages = ContractMessages.all.filter { $0.retention == .sample }
        #expect(messages.count > 50)
        let answer = try await check(try messages.map(sealed))
        #expect(answer.code == 0 && answer.problems.isEmpty, "\(answer)")
    }

    @Test func `does not open where anything about it was changed`() async throws {
        let good = try sealed(plain)
        func changed(_ change: (inout Line) throws -> Void) rethrows -> Line {
            var line = good
            line.plain = nil
            try change(&line)
            return line
        }
        let body = try #require(
            JSONSerialization.jsonObject(with: Data(good.payload.utf8)) as? [String: String])
        let bytes = try #require(body["sealed"].flatMap(Self.bytes))
        func with(_ change: (inout [UInt8]) -> Void) throws -> Line {
            var bytes = bytes
            change(&bytes)
            let other = body.merging(["sealed": Self.text(bytes)]) { $1 }
            return try changed { line in
                line.payload = String(
                    decoding: try JSONSerialization.data(withJSONObject: other), as: UTF8.self)
            }
        }
        var wrong = [
            changed { $0.topic = $0.topic.replacing("house-12", with: "house-13") },
            changed { $0.topic = $0.topic.replacing("heart-rate", with: "glucose") },
            changed { $0.payload = $0.payload.replacing("\(Sample.id(1))", with: "\(Sample.id(2))") },
            // Labelled with another key of the same party, and with one of the same name.
            changed {
                $0.payload = $0.payload.replacing("2026-a", with: "2026-b")
                $0.keys["2026-b"] = key.rawRepresentation.hex
            },
            changed { $0.keys = ["2026-a": Curve25519.KeyAgreement.PrivateKey().rawRepresentation.hex] },
        ]
        // A bit of the encapsulated key, of the text, of the tag. The highest bit of the key does not count (RFC 7748,
        // section 5), but the secret is derived from it too.
        for place in [0, 31, 32, bytes.count - 17, bytes.count - 16, bytes.count - 1] {
            wrong.append(try with { $0[place] ^= 0x01 })
        }
        wrong.append(try with { $0[31] ^= 0x80 })
        for length in [48, bytes.count - 16, bytes.count - 1] {
            wrong.append(try with { $0.removeLast($0.count - length) })
        }
        wrong.append(try with { $0.append(0) })
        #expect(
            wrong.allSatisfy { $0.payload != good.payload || $0.topic != good.topic || $0.keys != good.keys })
        let answer = try await check(wrong)
        #expect(answer.code == 0 && answer.problems.isEmpty, "\(answer)")
        // Check of the check: it finds a good message among them.
        var opened = good
        opened.plain = nil
        #expect(try await check([opened]).problems.count == 1)
    }

    @Test func `shows its id and its key's name, and nothing of what it tells`() throws {
        let line = try sealed(plain)
        let body = try #require(
            JSONSerialization.jsonObject(with: Data(line.payload.utf8)) as? [String: String])
        #expect(body.keys.sorted() == ["id", "kid", "sealed"])
        #expect(body["id"] == "\(Sample.id(1))" && body["kid"] == "2026-a")
        let shown = String(decoding: try #require(body["sealed"].flatMap(Self.bytes)), as: UTF8.self)
        for word in ["strap", "heart", "72"] { #expect(!shown.contains(word)) }
        // Each ciphertext differs, or equal readings would be visible.
        #expect(try sealed(plain).payload != line.payload)
    }

    @Test func `goes where the message went, and gives away no more`() throws {
        let sealed = try #require(
            plain.sealed(to: try publicKey("k"), by: HPKESealer()))
        #expect((sealed.id, sealed.topic, sealed.disclosure) == (plain.id, plain.topic, plain.disclosure))
        #expect((sealed.lane, sealed.retention) == (plain.lane, plain.retention))
    }

    @Test func `is none where the key is one that everybody has the secret of`() throws {
        // The point at zero, and one of order 8 (RFC 7748, section 6.1, and https://cr.yp.to/ecdh.html#validate).
        let order8: [UInt8] = Self.bytes(
            hex: "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")
        let id = try #require(KeyID("k"))
        for bytes in [[UInt8](repeating: 0, count: 32), order8] {
            let key = try #require(ThirdParty.SealingKey(id: id, bytes: bytes))
            #expect(plain.sealed(to: key, by: HPKESealer()) == nil)
        }
    }

    @Test func `is of the suite of RFC 9180, appendix A.2.1`() throws {
        let secret = Self.bytes(hex: "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb")
        let encapsulated = Self.bytes(hex: "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a")
        let info = Self.bytes(hex: "4f6465206f6e2061204772656369616e2055726e")
        let text = "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"
        let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret)
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: HPKESealer.suite, info: Data(info),
            encapsulatedKey: Data(encapsulated))
        let opened = try recipient.open(Self.bytes(hex: text), authenticating: Array("Count-0".utf8))
        #expect(String(decoding: opened, as: UTF8.self) == "Beauty is truth, truth beauty")
    }

    // MARK: Bytes and text

    private static func bytes(hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: standard + padding).map(Array.init)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}

extension Data {
    fileprivate var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
