import ModelSamples
import SOSLocal
import Samples
import Testing
import Wearables
import WireFormats

@testable import GatewayModel
@testable import HomeGateway
@testable import Hub
@testable import Readings
@testable import Settings

@Suite struct `A broadcaster` {
    private static let button = DeviceAddress("C0:FF:EE:00:00:05")!
    private static let key = AES128Key([UInt8](0..<16))!

    /// Opens what was "encrypted" by writing it beside a tag of four 7s.
    private struct ScriptedCipher: AdvertisingCipher {
        func openCCM(
            key: AES128Key, nonce: [UInt8], associatedData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
        ) -> [UInt8]? { tag == [7, 7, 7, 7] ? ciphertext : nil }
        func encryptBlock(_ block: [UInt8], key: AES128Key) -> [UInt8]? { nil }
    }

    private func listener(key: AES128Key? = nil) -> BroadcasterListener {
        let broadcaster = Broadcaster(
            id: DeviceID(sample: "button"), address: Self.button, person: Sample.maria, key: key)
        return BroadcasterListener([broadcaster], cipher: ScriptedCipher())
    }

    private func messages(_ findings: [BroadcasterListener.Finding]) -> [BroadcasterMessage] {
        findings.compactMap { if case .message(let message, _) = $0 { message } else { nil } }
    }

    private func reasons(_ findings: [BroadcasterListener.Finding]) -> [String] {
        findings.compactMap { if case .refused(let reason, _) = $0 { reason } else { nil } }
    }

    private func at(_ seconds: Double) -> BootInstant { Sample.moment(seconds).boot }

    /// BTHome v2, in the clear, trigger based: packet id, then one button.
    private func press(_ packet: UInt8, _ code: UInt8 = 1) -> [UInt8] {
        [0xD2, 0xFC, 0x44, 0x00, packet, 0x3A, code]
    }

    @Test func `that repeats a frame was pressed once`() {
        var listener = listener()
        let first = listener.hear(serviceData: press(9), from: Self.button, at: at(1))
        #expect(messages(first) == [.button(.press, position: 1)])
        for tenth in 1...20 {
            let again = listener.hear(serviceData: press(9), from: Self.button, at: at(1 + Double(tenth) / 10))
            #expect(messages(again).isEmpty)
        }
        let second = listener.hear(serviceData: press(10), from: Self.button, at: at(3.5))
        #expect(messages(second) == [.button(.press, position: 1)])
    }

    @Test func `says vibration, motion and battery, and of states only what is so`() {
        var listener = listener()
        let frame: [UInt8] = [0xD2, 0xFC, 0x40, 0x01, 0x61, 0x21, 0x01, 0x22, 0x00, 0x2C, 0x01]
        let heard = messages(listener.hear(serviceData: frame, from: Self.button, at: at(1)))
        #expect(heard == [.battery(97), .motion, .vibration])
    }

    @Test func `with a key is believed only when the key opens its frame`() {
        var listener = listener(key: Self.key)
        let plain = listener.hear(serviceData: press(1), from: Self.button, at: at(1))
        #expect(reasons(plain) == ["a frame in the clear, where the settings have a key"])
        let forged: [UInt8] = [0xD2, 0xFC, 0x41, 0x3A, 0x01, 5, 0, 0, 0, 1, 2, 3, 4]
        #expect(reasons(listener.hear(serviceData: forged, from: Self.button, at: at(2))).count == 1)
        let good: [UInt8] = [0xD2, 0xFC, 0x41, 0x3A, 0x01, 5, 0, 0, 0, 7, 7, 7, 7]
        #expect(messages(listener.hear(serviceData: good, from: Self.button, at: at(3))).count == 1)
    }

    @Test func `cannot be replayed`() {
        var listener = listener(key: Self.key)
        func frame(_ counter: UInt8, _ high: UInt8) -> [UInt8] {
            [0xD2, 0xFC, 0x41, 0x3A, 0x01, counter, high, 0, 0, 7, 7, 7, 7]
        }
        #expect(messages(listener.hear(serviceData: frame(0, 2), from: Self.button, at: at(1))).count == 1)
        let replayed = listener.hear(serviceData: frame(0, 1), from: Self.button, at: at(60))
        #expect(reasons(replayed) == ["an old frame again: counter 256 after 512"])
    }

    @Test func `that is encrypted without a key in the settings says what is missing`() {
        var listener = listener()
        let frame: [UInt8] = [0xD2, 0xFC, 0x41, 0x3A, 0x01, 5, 0, 0, 0, 7, 7, 7, 7]
        let refused = reasons(listener.hear(serviceData: frame, from: Self.button, at: at(1)))
        #expect(refused == ["an encrypted frame, and the settings have no key_file"])
    }

    @Test func `of nobody, and other services' data, say nothing`() {
        var listener = listener()
        let stranger = DeviceAddress("C0:FF:EE:00:00:99")!
        #expect(listener.hear(serviceData: press(1), from: stranger, at: at(1)).isEmpty)
        #expect(listener.hear(serviceData: [0x0F, 0x18, 0x64], from: Self.button, at: at(1)).isEmpty)
    }

    @Test func `that is cut off or garbled never traps`() {
        var random = SystemRandomNumberGenerator()
        var listener = listener()
        for length in 0..<40 {
            for _ in 0..<200 {
                var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes.replaceSubrange(0..<min(2, length), with: [0xD2, 0xFC].prefix(length))
                _ = listener.hear(serviceData: bytes, from: Self.button, at: at(1))
            }
        }
    }
}

@Suite struct `The meaning of a wearable's words` {
    private func policy(_ signals: GatewaySettings.Signals) -> SignalPolicy {
        SignalPolicy([
            GatewaySettings.Wearable(
                id: DeviceID(sample: "button"), address: DeviceAddress("C0:FF:EE:00:00:05")!,
                person: Sample.maria, heardBy: .advertising, off: [], sosFor: [], signals: signals,
                keyFile: nil, silence: nil,
                alarmAlert: .high, place: GatewaySettings.Place(file: "f", line: 1))
        ])
    }

    private let device = DeviceID(sample: "button")

    @Test func `is what the settings say, and nothing without them`() {
        var meaning = policy(
            GatewaySettings.Signals(button: .sosButton, vibration: nil, motion: .fall, moving: nil))
        let now = Sample.moment(1).boot
        #expect(meaning.meaning(of: .button(.press, position: 1), from: device, at: now) == .sosButton)
        #expect(meaning.meaning(of: .button(.holdRelease, position: 1), from: device, at: now) == nil)
        #expect(meaning.meaning(of: .motion, from: device, at: now) == .fall)
        #expect(meaning.meaning(of: .vibration, from: device, at: now) == nil)
        #expect(meaning.meaning(of: .button(.press, position: 1), from: DeviceID(sample: "x"), at: now) == nil)
    }

    @Test func `is of a double and a long press what is said of them, else what is said of a press`() {
        let device = device
        let now = Sample.moment(1).boot
        func meanings(_ signals: GatewaySettings.Signals) -> [ButtonMeaning?] {
            var policy = policy(signals)
            return [ButtonPress.press, .double, .long, .hold, .triple].map {
                policy.meaning(of: .button($0, position: 1), from: device, at: now)
            }
        }
        #expect(
            meanings(
                GatewaySettings.Signals(
                    button: .sosButton, doublePress: .cancel, vibration: nil, motion: nil, moving: nil))
                == [.sosButton, .cancel, .sosButton, .sosButton, .sosButton])
        #expect(
            meanings(
                GatewaySettings.Signals(
                    button: nil, longPress: .cancel, vibration: nil, motion: nil, moving: nil))
                == [nil, nil, .cancel, .cancel, nil])
    }

    @Test func `is shaking only when it goes on`() {
        var meaning = policy(
            GatewaySettings.Signals(button: nil, vibration: .shaking, motion: nil, moving: nil))
        let heard = (0..<10).map {
            meaning.meaning(of: .vibration, from: device, at: Sample.moment(Double($0)).boot)
        }
        #expect(heard.compactMap(\.self) == [.shaking])
    }
}
