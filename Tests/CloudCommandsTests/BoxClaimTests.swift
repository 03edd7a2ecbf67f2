import CloudCommands
import GatewayModel
import Testing

/// The code by which an installer adds a box to a fleet.
@Suite struct `The code of a box` {
    private static let now = WallTime(millisecondsSince1970: 1_772_366_400_000)
    private static let identity = GatewayIdentity(
        gateway: GatewayID("house-12")!, seed: [UInt8](repeating: 7, count: 32))!

    private static func later(_ seconds: Int64) -> WallTime {
        WallTime(millisecondsSince1970: now.millisecondsSince1970 + seconds * 1_000)
    }

    @Test func `has the name and the key of the box, also with the line breaks of a terminal`() async throws {
        let code = try Self.identity.claim(at: Self.now)
        #expect(code.utf8.count < 500)
        let broken = " " + code.prefix(80) + "\r\n" + code.dropFirst(80) + "\n"
        for text in [code, String(broken)] {
            let claim = try await BoxClaim(text, at: Self.later(BoxClaim.life))
            #expect(claim.gateway == Self.identity.gateway && claim.jwk == Self.identity.publicJWK)
        }
    }

    @Test func `holds for an hour, by clocks that differ by a minute`() async throws {
        let code = try Self.identity.claim(at: Self.now)
        for (seconds, reason) in [(3_601, CommandRefusal.Reason.expired), (-61, .issuedInFuture)] {
            let refusal = await #expect(throws: CommandRefusal.self) {
                try await BoxClaim(code, at: Self.later(Int64(seconds)))
            }
            #expect(refusal?.reason == reason)
        }
        _ = try await BoxClaim(code, at: Self.later(-60))
    }

    @Test func `is refused after any change, and as a code for anything else`() async throws {
        let code = try Self.identity.claim(at: Self.now)
        let other = try GatewayIdentity(
            gateway: GatewayID("house-13")!, seed: [UInt8](repeating: 8, count: 32))!.claim(at: Self.now)
        let (parts, others) = (code.split(separator: "."), other.split(separator: "."))
        let receipt = String(
            decoding: try Self.identity.sign(claims: Array(#"{"iat":1772366400,"iss":"house-12"}"#.utf8)),
            as: UTF8.self)
        let hostile = [
            "", ".", "..", "ey", receipt, String(repeating: "A", count: 5_000),
            "\(parts[0]).\(others[1]).\(parts[2])", "\(others[0]).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).\(others[2])", "\(others[0]).\(parts[1]).\(others[2])",
            "\(parts[0]).\(parts[1]).", code + "A", code + ".A",
        ]
        for text in hostile {
            await #expect(throws: CommandRefusal.self, "\(text.prefix(60))") {
                try await BoxClaim(text, at: Self.now)
            }
        }
        // One character of each part and place.
        for place in stride(from: 0, to: code.utf8.count, by: 7) {
            var bytes = Array(code.utf8)
            guard bytes[place] != UInt8(ascii: ".") else { continue }
            bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let text = String(decoding: bytes, as: UTF8.self)
            await #expect(throws: CommandRefusal.self, "\(place)") { try await BoxClaim(text, at: Self.now) }
        }
    }
}
