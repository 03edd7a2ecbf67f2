import Ciphers
import GatewayModel
import Samples
import TestSupport
import Testing
import WireSamples

@testable import WireFormats

/// Vectors: bthome.io/format and bthome.io/encryption, as used in the tests of the bthome-ble receiver.
@Suite struct `A BTHome frame` {
    private static func frame(_ bytes: String) throws -> BTHomeFrame {
        let advert = try #require(try btHome((octets("D2 FC") + octets(bytes))))
        guard case .plain(let frame) = advert.content else {
            Issue.record("encrypted")
            throw BTHomeFrame.Stop.unknownObject(id: 0)
        }
        return frame
    }

    private static func measurements(_ frame: BTHomeFrame) -> [Double] {
        frame.objects.compactMap {
            if case .measurement(let measurement) = $0 { measurement.value } else { nil }
        }
    }

    @Test func `tells temperature and humidity`() throws {
        let frame = try Self.frame("40 02 C4 09 03 BF 13")
        #expect(Self.measurements(frame) == [25.0, 50.55])
        #expect(frame.stop == nil)
    }

    @Test func `tells packet, battery and press`() throws {
        let frame = try Self.frame("44 00 2E 01 64 3A 01")
        #expect(frame.packetID == 46)
        #expect(Self.measurements(frame) == [100])
        #expect(frame.buttons == [BTHomeFrame.Button(position: 1, press: .press)])
    }

    @Test func `tells buttons apart by their position, and leaves out those not pressed`() throws {
        let frame = try Self.frame("44 3A 00 3A 04 3A 80 3A 42")
        #expect(
            frame.buttons == [
                BTHomeFrame.Button(position: 2, press: .long), BTHomeFrame.Button(position: 3, press: .hold),
                BTHomeFrame.Button(position: 4, press: .other(0x42)),
            ])
    }

    @Test(arguments: [
        ("02 CA 09", 25.06), ("02 18 FC", -10.0), ("04 13 8A 01", 1_008.83), ("45 11 01", 27.3),
        ("57 EA", -22.0),
        ("58 EA", -7.7), ("0C 02 0C", 3.074), ("63 00 00 00 80", -2_147.483648), ("41 4E 00", 7.8),
        ("3E 2A 2C 09 60", 1_611_213_866), ("42 4E 34 00", 13.39), ("5C 02 FB FF FF", -12.78),
    ]) func `scales its numbers exactly`(_ bytes: String, _ value: Double) throws {
        #expect(Self.measurements(try Self.frame("40 " + bytes)) == [value])
    }

    @Test func `tells states, dimmer, text, time and versions`() throws {
        let frame = try Self.frame(
            """
            44 15 01 21 00 22 01 2C 01 3C 02 03 50 5D 39 61 64 53 02 48 69 54 01 FF F0 01 02 F1 00 01 02 04
            F2 00 01 06
            """)
        #expect(
            frame.objects == [
                .state(.batteryLow, true), .state(.motion, false), .state(.moving, true),
                .state(.vibration, true), .dimmer(.right, steps: 3), .timestamp(1_684_093_277), .text("Hi"),
                .raw([0xFF]), .deviceType(0x0201), .firmware([4, 2, 1, 0]), .firmware([6, 1, 0]),
            ])
        #expect(frame.stop == nil)
    }

    @Test func `stops at an object it does not know, and keeps what came before`() throws {
        let frame = try Self.frame("40 01 61 E7 3A 01")
        #expect(Self.measurements(frame) == [97])
        #expect(frame.stop == .unknownObject(id: 0xE7))
        #expect(frame.buttons.isEmpty)
    }

    @Test func `cut anywhere keeps the whole objects and names the cut one`() throws {
        let whole = "40 02 C4 09 03 BF 13 3A 01 53 02 48 69"
        let bytes = octets(whole)
        let ends = [1: 0, 4: 1, 7: 2, 9: 3, 13: 4]
        for length in 1...bytes.count {
            let text = bytes.prefix(length).map { String($0, radix: 16) }.joined(separator: " ")
            let frame = try Self.frame(text)
            #expect((frame.stop == nil) == (ends[length] != nil))
            if let count = ends[length] { #expect(frame.objects.count == count) }
        }
    }

    @Test func `needs version 2, its information and its address`() throws {
        #expect(throws: DecodeError.self) { try btHome(octets("D2 FC")) }
        #expect(throws: DecodeError.self) { try btHome(octets("D2 FC 20 01 61")) }
        #expect(throws: DecodeError.self) {
            try btHome(octets("D2 FC 42 01 02 03 04 05"))
        }
        #expect(try btHome(octets("1C 18 40 01 61")) == nil)
        let advert = try #require(
            try btHome(octets("D2 FC 46 A5 80 8F E6 48 54 01 61")))
        #expect(advert.address?.description == "54:48:E6:8F:80:A5")
        #expect(advert.information.isTriggerBased)
    }
}

@Suite struct `An encrypted BTHome frame` {
    private static let key = AES128Key(hexadecimal: "231d39c1d7cc1ab1aee224cd096db932")
    private static let sender = DeviceAddress("54:48:E6:8F:80:A5")
    private static let bytes = octets("D2 FC 41 A4 72 66 C9 5F 73 00 11 22 33 78 23 72 14")

    private static func envelope(_ bytes: [UInt8] = bytes) throws -> BTHomeEnvelope {
        guard case .encrypted(let envelope)? = try btHome(bytes)?.content else {
            throw DecodeError.unexpected(field: "content", expected: "encrypted")
        }
        return envelope
    }

    @Test func `opens with the key of its sender`() throws {
        let envelope = try Self.envelope()
        #expect(envelope.counter == 0x3322_1100)
        #expect(envelope.tag == octets("78 23 72 14"))
        var counters = BTHomeCounterGuard()
        let opened = try envelope.open(
            key: try #require(Self.key), sender: try #require(Self.sender), guard: &counters,
            at: Sample.moment(1).boot, cipher: OpenSSLCipher())
        #expect(opened.isProven && opened.frame == btHomeFrame(octets("02 CA 09 03 BF 13")))
        #expect(counters.last == envelope.counter)
    }

    @Test func `is opened once: again it is a repeat, later a replay`() throws {
        let key = try #require(Self.key)
        let sender = try #require(Self.sender)
        let envelope = try Self.envelope()
        var counters = BTHomeCounterGuard(BTHomeCounterGuard.State(last: 5))
        _ = try envelope.open(
            key: key, sender: sender, guard: &counters, at: Sample.moment(1).boot, cipher: OpenSSLCipher())
        #expect(throws: BTHomeEnvelope.Refusal.repeated) {
            try envelope.open(
                key: key, sender: sender, guard: &counters, at: Sample.moment(1).boot, cipher: OpenSSLCipher())
        }
        counters.accept(envelope.counter + 1, as: .fresh, at: Sample.moment(1).boot)
        #expect(
            throws: BTHomeEnvelope.Refusal.replayed(counter: envelope.counter, last: envelope.counter + 1)
        ) {
            try envelope.open(
                key: key, sender: sender, guard: &counters, at: Sample.moment(1).boot, cipher: OpenSSLCipher())
        }
    }

    @Test func `that is altered anywhere does not open, and does not move the counter`() throws {
        let key = try #require(Self.key)
        let sender = try #require(Self.sender)
        // Ciphertext, counter and tag; the sender's address and the device information are in the nonce.
        for index in 3..<Self.bytes.count {
            var altered = Self.bytes
            altered[index] ^= 0x01
            var counters = BTHomeCounterGuard(BTHomeCounterGuard.State(last: 1))
            #expect(throws: BTHomeEnvelope.Refusal.keyDoesNotFit) {
                try Self.envelope(altered).open(
                    key: key, sender: sender, guard: &counters, at: Sample.moment(1).boot,
                    cipher: OpenSSLCipher())
            }
            #expect(counters.last == 1)
        }
        var counters = BTHomeCounterGuard()
        #expect(throws: BTHomeEnvelope.Refusal.keyDoesNotFit) {
            try Self.envelope().open(
                key: key, sender: DeviceAddress(octets: sender.octets ^ 1), guard: &counters,
                at: Sample.moment(1).boot, cipher: OpenSSLCipher())
        }
    }

    @Test func `too short for a message is a fault`() {
        for length in 3..<12 {
            #expect(throws: DecodeError.self) { try Self.envelope(Array(Self.bytes.prefix(length))) }
        }
    }
}

@Suite struct `A BTHome counter guard` {
    private typealias Verdict = BTHomeCounterGuard.Verdict

    private static func at(_ seconds: Double) -> BootInstant { Sample.moment(seconds).boot }

    /// The verdicts on frames with these counters, one a second, each of them accepted as it was judged.
    private static func verdicts(
        on counters: [UInt32], _ guarding: inout BTHomeCounterGuard, from start: Double = 1
    ) -> [Verdict] {
        counters.enumerated().map { index, counter in
            let now = at(start + Double(index))
            let verdict = guarding.judge(counter, at: now)
            guarding.accept(counter, as: verdict, at: now)
            return verdict
        }
    }

    @Test func `takes growing counters only`() {
        var counters = BTHomeCounterGuard()
        let verdicts = Self.verdicts(on: [500, 501, 501, 500, 100, 502], &counters)
        #expect(
            verdicts == [.fresh, .fresh, .repeated, .replayed(last: 501), .replayed(last: 501), .fresh])
    }

    @Test func `proves no low counter, which a new battery and a recording both explain`() {
        var counters = BTHomeCounterGuard(BTHomeCounterGuard.State(last: 501))
        // The recordings 5, 6 and 500 after 501, as often as anybody likes.
        let verdicts = Self.verdicts(on: [5, 6, 500, 5, 6, 500, 6], &counters)
        #expect(verdicts.allSatisfy { $0 != .fresh } && verdicts.count { $0 == .unproven } == 2)
        #expect(counters.last == 501)
        #expect(BTHomeCounterGuard(BTHomeCounterGuard.State(last: .max)).judge(0, at: Self.at(1)) == .unproven)
    }

    @Test func `lets the button with a new battery call for as long as nobody confirms it`() {
        var counters = BTHomeCounterGuard(BTHomeCounterGuard.State(last: 501))
        let verdicts = Self.verdicts(on: Array(stride(from: 0, through: 490, by: 7)), &counters)
        #expect(verdicts.allSatisfy { $0 == .unproven })
        // Another one: taken out, and put in again.
        #expect(Self.verdicts(on: [1, 2, 3], &counters, from: 200) == [.unproven, .unproven, .unproven])
        // The same number begins nothing anew for an hour.
        #expect(Self.verdicts(on: [1], &counters, from: 300) == [.replayed(last: 501)])
        #expect(Self.verdicts(on: [1], &counters, from: 4_000) == [.unproven])
    }

    @Test func `counts from a confirmed battery on, and lets no recording of the earlier one jump ahead`() {
        var counters = BTHomeCounterGuard(BTHomeCounterGuard.State(last: 501))
        let isTooEarly = counters.confirmRestart()
        #expect(!isTooEarly)
        #expect(Self.verdicts(on: [7], &counters) == [.unproven])
        let isConfirmed = counters.confirmRestart()
        #expect(isConfirmed && counters.state == BTHomeCounterGuard.State(last: 7, retired: 501))
        // 500 may be a recording: a call at most, and nothing that follows it is more.
        #expect(Self.verdicts(on: [8, 500, 501], &counters, from: 10) == [.fresh, .unproven, .unproven])
        #expect(Self.verdicts(on: [9, 90, 190], &counters, from: 20) == [.fresh, .fresh, .fresh])
        // Above each counter of the earlier battery there is no recording.
        #expect(Self.verdicts(on: [502, 2_000], &counters, from: 30) == [.fresh, .fresh])
        #expect(counters.state == BTHomeCounterGuard.State(last: 2_000))
    }
}

@Suite struct `A BTHome repeat guard` {
    /// Which of the frames are new, heard at these seconds.
    private static func news(_ heard: [(second: Double, frame: BTHomeFrame)]) -> [Bool] {
        var guarding = BTHomeRepeatGuard()
        return heard.map { second, frame in
            guarding.isNew(frame, at: BootInstant(nanoseconds: Int64(second * 1e9)))
        }
    }

    private static func frame(_ packet: UInt8) -> BTHomeFrame { btHomeFrame([0x00, packet, 0x3A, 0x01]) }

    @Test func `counts one press once, however often it is advertised`() {
        let repeats = (0...20).map { (Double($0), Self.frame(7)) }
        let news = Self.news(repeats + [(21, Self.frame(8))])
        #expect(news == [true] + [Bool](repeating: false, count: 20) + [true])
    }

    @Test(arguments: [(8, true), (70, true), (71, false), (6, false), (7, false)] as [(UInt8, Bool)])
    func `takes numbers a little ahead for new`(_ next: UInt8, _ isNew: Bool) {
        #expect(Self.news([(0, Self.frame(7)), (1, Self.frame(next))]) == [true, isNew])
    }

    @Test func `counts across the wrap, and anew after a silence`() {
        let heard = [(0, 255), (1, 0), (5, 0), (9.1, 0)] as [(Double, UInt8)]
        #expect(Self.news(heard.map { ($0, Self.frame($1)) }) == [true, true, false, true])
    }

    @Test func `compares the whole frame where it has no number`() {
        let press = btHomeFrame([0x3A, 0x01])
        #expect(Self.news([(0, press), (1, press), (2, btHomeFrame([0x3A, 0x02]))]) == [true, false, true])
    }
}

@Suite struct `An identity resolver` {
    /// Sample data of Core 5.4, Vol 3, Part H, D.7 (ah).
    private static let key = AES128Key(hexadecimal: "ec0234a357c8ad05341010a60a397d9b")
    private static let sample = RadioAddress(octets: 0x7081_940D_FBAA, kind: .random)

    @Test func `finds the owner of the specification's sample address, and nobody else`() throws {
        let stranger = try #require(AES128Key([UInt8](repeating: 1, count: 16)))
        var resolver = IdentityResolver([stranger, try #require(Self.key)], cipher: OpenSSLCipher())
        let others = [
            RadioAddress(octets: 0x7081_940D_FBAB, kind: .random),
            RadioAddress(octets: 0x7081_940D_FBAA, kind: .public),
        ]
        let found = ([Self.sample] + others).map { resolver.index(of: $0) }
        #expect(found == [1, nil, nil])
    }

    @Test func `asks the cipher once for an address`() throws {
        let cipher = CountingCipher()
        var resolver = IdentityResolver([try #require(Self.key)], cipher: cipher)
        #expect(!resolver.knows(Self.sample))
        let found = (0..<5).map { _ in resolver.index(of: Self.sample) }
        #expect(found == [nil, nil, nil, nil, nil])
        #expect(resolver.knows(Self.sample))
        #expect(cipher.asked.values.count == 1)
    }
}

@Suite struct `A key` {
    @Test func `is 32 digits, and shows none of them`() throws {
        #expect(AES128Key(hexadecimal: "231d39") == nil)
        #expect(AES128Key(hexadecimal: String(repeating: "g", count: 32)) == nil)
        let key = try #require(AES128Key(hexadecimal: String(repeating: "Ab", count: 16)))
        #expect(key.bytes == [UInt8](repeating: 0xAB, count: 16))
        var shown = ""
        dump(key, to: &shown)
        #expect(!("\(key)\(String(reflecting: key))\(shown)".contains("171")))
    }
}

private struct CountingCipher: AdvertisingCipher {
    let asked = Recorder<Int>()

    func openCCM(
        key: AES128Key, nonce: [UInt8], associatedData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) -> [UInt8]? { nil }

    func encryptBlock(_ block: [UInt8], key: AES128Key) -> [UInt8]? {
        asked.add(1)
        return [UInt8](repeating: 0, count: 16)
    }
}
