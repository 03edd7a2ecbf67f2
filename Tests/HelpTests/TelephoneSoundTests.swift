import Audio
import Foundation
import GatewayModel
import TestSupport
import Testing

@testable import SIP
@testable import TelephoneCalls

@Suite struct `The sound and the keys of a call` {
    /// ITU-T G.711, tables 1a, 1b, 2a and 2b: the ends of the segments, in units of 16 bits.
    @Test(
        arguments: [
            (0, 0xFF, 0xD5), (-1, 0x7F, 0x55), (32_767, 0x80, 0xAA), (-32_768, 0x00, 0x2A), (1_000, 0xCE, 0xFA),
            (-1_000, 0x4E, 0x7A),
        ] as [(Int, Int, Int)])
    func `encodes by the tables of G.711`(sample: Int, muLaw: Int, aLaw: Int) {
        #expect(Int(G711.muLaw(Int16(sample))) == muLaw, "\(String(G711.muLaw(Int16(sample)), radix: 16))")
        #expect(Int(G711.aLaw(Int16(sample))) == aLaw, "\(String(G711.aLaw(Int16(sample)), radix: 16))")
    }

    @Test func `loses no more than the steps of the code, for every sample`() {
        for sample in Int16.min...Int16.max {
            let (value, back) = (Int(sample), TelephonePeer.linear(G711.aLaw(sample)))
            // Half a step: 8 in the smallest segment, a 32nd of the value above it.
            #expect(abs(value - back) <= max(abs(value) / 32 + 1, 16), "\(value) came back as \(back)")
            if abs(value - back) > max(abs(value) / 32 + 1, 16) { return }
            let loud = Self.fromMuLaw(G711.muLaw(sample))
            #expect(abs(value - loud) <= max(abs(value) / 32 + 5, 8), "\(value) came back as \(loud)")
            if abs(value - loud) > max(abs(value) / 32 + 5, 8) { return }
        }
    }

    private static func fromMuLaw(_ code: UInt8) -> Int {
        let bits = ~code
        let magnitude = ((Int(bits & 0x0F) << 3) + 0x84) << Int(bits >> 4 & 7) - 0x84
        return bits & 0x80 != 0 ? -magnitude : magnitude
    }

    @Test func `counts a key once, whatever number of packets tell of it`() {
        var keys = PressedKeys()
        #expect(keys.received([1, 10, 0, 160], at: 800) == "1")
        #expect(keys.received([1, 10, 1, 64], at: 800) == nil)
        #expect(keys.received([1, 0x8A, 3, 32], at: 800) == nil)
        #expect(keys.received([11, 10, 0, 160], at: 9_000) == "#")
        #expect(keys.received([16, 10, 0, 160], at: 10_000) == nil, "a hook flash is no key")
        #expect(keys.received([1, 10], at: 11_000) == nil)
        #expect(keys.received([], at: 12_000) == nil)
    }

    @Test(
        arguments: [
            ("Signal=1\r\nDuration=160\r\n", "application/dtmf-relay", "1"),
            ("Duration= 100\nsignal = #", "application/dtmf-relay", "#"), ("1", "application/dtmf", "1"),
            (" 5 \r\n", "application/dtmf", "5"), ("12", "application/dtmf", nil),
            ("", "application/dtmf", nil),
            ("Signal=", "application/dtmf-relay", nil), ("=1", "application/dtmf-relay", nil),
            ("1", "text/plain", nil), ("Signal=1=1", "application/dtmf-relay", nil),
        ] as [(String, String, String?)])
    func `reads a key from SIP INFO`(body: String, type: String, key: String?) {
        #expect(PressedKeys.key(inInfo: Array(body.utf8), mediaType: type).map(String.init) == key)
    }

    @Test func `takes any bytes`() {
        var random = SystemRandomNumberGenerator()
        var keys = PressedKeys()
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = keys.received(bytes, at: .random(in: 0 ... .max, using: &random))
            _ = PressedKeys.key(inInfo: bytes, mediaType: "application/dtmf-relay")
        }
    }

    @Test func `repeats the words, and tells the end of those that are said once`() {
        let sound = PCM(samples: [Int16](repeating: 9, count: 400), rate: 8_000)
        var once = CallSound(sound, isRepeated: false)
        var samples: [Int16] = []
        while !once.isOver { samples += once.next(160) }
        #expect(samples.count { $0 == 9 } == 400)
        #expect(once.next(160).isEmpty)
        var repeated = CallSound(sound, isRepeated: true)
        samples = []
        for _ in 0..<300 { samples += repeated.next(160) }
        #expect(samples.count { $0 == 9 } >= 800 && !repeated.isOver)
    }

    @Test func `speaks at the rate of a telephone, without what it cannot carry`() throws {
        let voice = try ESpeak(speed: 140).render(Utterance(text: "Help is needed", language: .english))
        let sound = voice.forTelephone(rate: 8_000)
        #expect(sound.rate == 8_000)
        #expect(abs(sound.duration / voice.duration - 1) < 0.01)
        // 6 kHz would come back as 2 kHz; 1 kHz stays.
        func level(_ frequency: Double) -> Double {
            let tone = PCM(
                (0..<22_050).map { 0.5 * sin(Double($0) * frequency * 2 * .pi / 22_050) }, rate: 22_050)
            let silent = PCM([1] + [Double](repeating: 0, count: 99), rate: 22_050)
            let mixed = PCM(samples: silent.samples + tone.samples, rate: 22_050).forTelephone(rate: 8_000)
            let middle = mixed.samples[4_000..<5_000].map(Int.init)
            return TelephonePeer.level(middle[...])
        }
        #expect(level(6_000) < level(1_000) / 50, "\(level(6_000)) \(level(1_000))")
    }
}
