import GatewayModel
import Sealing

/// Seals messages as the gateway seals readings for a third party, and prints the microseconds that one takes:
/// `SealBench <public key in hex> <messages> <bytes of each>`.
@main
struct SealBench {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 3, let hex = words.first, let count = Int(words.dropFirst().first ?? ""),
            let size = Int(words.last ?? ""), count > 0, size > 0, let id = KeyID("bench"),
            let key = ThirdParty.SealingKey(id: id, bytes: bytes(hex))
        else { return print("expected: SealBench <public key in hex> <messages> <bytes of each>") }
        let sealer = HPKESealer()
        let plain = [UInt8](repeating: 0x20, count: size)
        let info = Array("trackme-sealed-v1\ntrackme/v1/house-12/parties/clinic/maria/heart-rate\nbench\n".utf8)
        var sealed = 0
        let took = ContinuousClock().measure {
            for _ in 0..<count { sealed += sealer.seal(plain, to: key, info: info)?.count ?? 0 }
        }
        guard sealed == count * (size + 48) else { return print("nothing can be sealed to this key") }
        print(Double(took.wholeNanoseconds) / 1_000 / Double(count))
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }
}
