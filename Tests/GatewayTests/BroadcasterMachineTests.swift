import Ciphers
import Foundation
import ModelSamples
import Samples
import SettingsSamples
import TestSupport
import Testing
import Vault
import Wearables
import WireFormats
import WireSamples

@testable import Alarms
@testable import GatewayModel
@testable import HomeGateway
@testable import Hub
@testable import Readings
@testable import Settings

@Suite struct `What advertising wearables say` {
    private static let address = DeviceAddress("C0:FF:EE:00:00:05")!
    private static let key = AES128Key(hexadecimal: SealedBTHome.example)!
    private static let sealed = SealedBTHome(key: key, address: address)
    private static let id = DeviceID(sample: "button")

    /// With a button whose press calls for help.
    static func wearables(more: String = "") throws -> [GatewaySettings.Wearable] {
        var sample = SettingsSample()
        sample.more = """
            [[wearable]]
            id = "button"
            address = "\(address)"
            person = "maria"
            heard_by = "advertising"
            [wearable.signals]
            button = "sos-button"
            double_press = "cancel"
            \(more)
            """
        return try sample.load().wearables
    }

    private static func hearing(
        key: AES128Key? = key, memories: [BeaconMemory] = []
    ) throws -> BroadcasterMachine {
        let broadcaster = Broadcaster(id: id, address: address, person: Sample.maria, key: key)
        return BroadcasterMachine(
            [broadcaster], try wearables(), memories: memories, cipher: OpenSSLCipher())
    }

    private static func hear(
        _ frame: [UInt8], _ hearing: inout BroadcasterMachine, from sender: DeviceAddress = address,
        at seconds: Double = 1
    ) -> BroadcasterMachine.Outcome {
        var random = SystemRandomNumberGenerator()
        return hearing.hear(
            [0xD2, 0xFC] + frame, from: sender, at: Sample.moment(seconds), using: &random)
    }

    @Test func `is a signal with its person, device and arrival`() throws {
        var hearing = try Self.hearing()
        let outcome = Self.hear(Self.sealed.frame([0x3A, 0x01], counter: 700), &hearing)
        let signal = try #require(outcome.signals.first)
        #expect(signal.kind == .sosButton && signal.person == Sample.maria && signal.device == Self.id)
        #expect(signal.arrival == Sample.moment(1))
        #expect(outcome.memories == [BeaconMemory(device: Self.id, address: Self.address, counter: 700)])
    }

    @Test func `is not believed again after a restart`() throws {
        var before = try Self.hearing()
        let press = Self.sealed.frame([0x3A, 0x01], counter: 700)
        let kept = try #require(Self.hear(press, &before).memories)
        var after = try Self.hearing(memories: kept)
        #expect(Self.hear(press, &after).signals.isEmpty)
        #expect(Self.hear(Self.sealed.frame([0x3A, 0x01], counter: 699), &after).signals.isEmpty)
        #expect(Self.hear(Self.sealed.frame([0x3A, 0x01], counter: 701), &after).signals.count == 1)
    }

    @Test func `counts as new of another device under the same id`() throws {
        let other = BeaconMemory(device: Self.id, address: DeviceAddress("C0:FF:EE:00:00:99")!, counter: 900)
        var hearing = try Self.hearing(memories: [other])
        #expect(Self.hear(Self.sealed.frame([0x3A, 0x01], counter: 700), &hearing).signals.count == 1)
    }

    @Test func `is kept where a replay would be heard, and not for each level of a battery`() throws {
        var hearing = try Self.hearing()
        let level = Self.sealed.frame([0x01, 0x40], counter: 700)
        #expect(Self.hear(level, &hearing).memories == nil)
        // That it sends at intervals is worth it, once.
        let regular = Self.sealed.frame([0x01, 0x40], counter: 701, isTriggerBased: false)
        #expect(Self.hear(regular, &hearing).memories?.first?.sendsRegularly == true)
        let again = Self.sealed.frame([0x01, 0x40], counter: 702, isTriggerBased: false)
        #expect(Self.hear(again, &hearing).memories == nil)
        #expect(hearing.allMemories.first?.counter == 702)
    }

    @Test func `is new with each counter, where frames have no number of their own`() throws {
        var hearing = try Self.hearing()
        let presses = (700...702).map { Self.sealed.frame([0x3A, 0x01], counter: $0) }
        #expect(presses.map { Self.hear($0, &hearing).signals.count } == [1, 1, 1])
        // The same number again is the same press, sealed anew; a recording of it is not to count either.
        let numbered = (703...704).map { Self.sealed.frame([0x00, 9, 0x3A, 0x01], counter: $0) }
        let outcomes = numbered.map { Self.hear($0, &hearing) }
        #expect(outcomes.map(\.signals.count) == [1, 0])
        #expect(outcomes.map { $0.memories?.first?.counter } == [703, 704])
    }

    @Test func `is guarded against repetition over a reload that leaves it as it is`() throws {
        var hearing = try Self.hearing()
        let press = Self.sealed.frame([0x3A, 0x01], counter: 700)
        #expect(Self.hear(press, &hearing).signals.count == 1)
        let broadcaster = Broadcaster(id: Self.id, address: Self.address, person: Sample.maria, key: Self.key)
        _ = hearing.replace([broadcaster], [])
        #expect(Self.hear(press, &hearing).findings.isEmpty)
    }

    private static let (press, double): ([UInt8], [UInt8]) = ([0x3A, 0x01], [0x3A, 0x02])

    private static func frames(_ counters: [UInt32], _ objects: [UInt8]) -> [[UInt8]] {
        counters.map { sealed.frame(objects, counter: $0) }
    }

    @Test func `never cancels by a recording, however often and in whatever order it is replayed`() throws {
        var hearing = try Self.hearing()
        #expect(Self.hear(Self.sealed.frame(Self.double, counter: 501), &hearing).presses.count == 1)
        let recorded = Self.frames([5, 6, 500, 5, 6, 99, 100, 199, 299, 399, 499, 500, 501], Self.double)
        var (second, restarts) = (2.0, 0)
        for _ in 0..<3 {
            for frame in recorded {
                #expect(Self.hear(frame, &hearing, at: second).presses.isEmpty)
                second += 1
            }
            // Over a restart either.
            hearing = try Self.hearing(memories: hearing.allMemories)
            restarts += 1
        }
        #expect(restarts == 3)
        #expect(Self.hear(Self.sealed.frame(Self.double, counter: 502), &hearing, at: 1_000).presses.count == 1)
    }

    @Test func `begins exercise by a press that means it, and never by a recording`() throws {
        let broadcaster = Broadcaster(id: Self.id, address: Self.address, person: Sample.maria, key: Self.key)
        var hearing = BroadcasterMachine(
            [broadcaster], try Self.wearables(more: "long_press = \"exercise\""), memories: [],
            cipher: OpenSSLCipher())
        let long: [UInt8] = [0x3A, 0x04]
        let outcome = Self.hear(Self.sealed.frame(long, counter: 501), &hearing)
        #expect(outcome.presses.map(\.means) == [.exercise] && outcome.signals.isEmpty)
        #expect(Self.hear(Self.sealed.frame(long, counter: 3), &hearing, at: 10).presses.isEmpty)
    }

    @Test func `calls with a new battery, and cancels again when a person has confirmed it`() throws {
        var hearing = try Self.hearing()
        _ = Self.hear(Self.sealed.frame(Self.press, counter: 501), &hearing)
        let isTooEarly = hearing.confirmBattery(of: Self.id) == nil
        #expect(isTooEarly)
        let call = Self.hear(Self.sealed.frame(Self.press, counter: 3), &hearing, at: 10)
        #expect(call.signals.count == 1)
        #expect(call.memories?.first?.unproven == 3)
        #expect(Self.hear(Self.sealed.frame(Self.double, counter: 4), &hearing, at: 11).presses.isEmpty)
        let confirmed = hearing.confirmBattery(of: Self.id)
        let kept = try #require(confirmed)
        #expect(
            kept == [BeaconMemory(device: Self.id, address: Self.address, counter: 4, retired: 501)])
        var after = try Self.hearing(memories: kept)
        for frame in Self.frames([500, 501], Self.double) {
            #expect(Self.hear(frame, &after, at: 12).presses.isEmpty)
        }
        #expect(Self.hear(Self.sealed.frame(Self.double, counter: 5), &after, at: 13).presses.count == 1)
    }

    @Test func `says nothing of a battery's level where it may be a recording`() throws {
        var hearing = try Self.hearing()
        _ = Self.hear(Self.sealed.frame([0x01, 0x05], counter: 501), &hearing)
        let outcome = Self.hear(Self.sealed.frame([0x01, 0x64], counter: 5), &hearing, at: 2)
        let words = outcome.findings.filter { if case .unproven = $0 { false } else { true } }
        #expect(words.isEmpty && outcome.findings.count == 1)
    }

    @Test func `is counted and nothing else of a stranger`() throws {
        var hearing = try Self.hearing()
        let stranger = DeviceAddress("C0:FF:EE:00:00:99")!
        let outcome = Self.hear([0x44, 0x00, 1, 0x3A, 0x01], &hearing, from: stranger)
        #expect(outcome.signals.isEmpty && outcome.findings.isEmpty && outcome.memories == nil)
        #expect(hearing.counts == BroadcasterMachine.Counts(known: 0, strangers: 1))
    }
}

@Suite struct `The memory of advertising wearables` {
    @Test func `comes back from the disk as it was`() async throws {
        let state = try StateRig()
        let memories = [
            BeaconMemory(
                device: DeviceID(sample: "button"), address: DeviceAddress("C0:FF:EE:00:00:05")!,
                counter: .max, unproven: 7, retired: 99),
            BeaconMemory(
                device: DeviceID(sample: "tag"), address: DeviceAddress("C0:FF:EE:00:00:06")!,
                sendsRegularly: true),
        ]
        try await state.running { writer in
            writer.keep(
                memories + [BeaconMemory(device: DeviceID(sample: "gone"), address: memories[0].address)])
            writer.keep(memories)
        }
        #expect(try state.database.rows(of: .broadcaster).compactMap(BeaconMemory.init) == memories)
    }
}
