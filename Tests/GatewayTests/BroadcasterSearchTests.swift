import Ciphers
import GatewayModel
import ModelSamples
import Samples
import Synchronization
import Testing
import Vault
import Wearables
import WireFormats
import WireSamples

@testable import Hub
@testable import Readings
@testable import Settings

/// Search of an installer for devices that only advertise, by adverts and instants.
@Suite struct `A search for broadcasters` {
    private static let address = DeviceAddress("C0:FF:EE:00:00:05")!
    private static let key = AES128Key(hexadecimal: SealedBTHome.example)!
    private static let otherKey = AES128Key(hexadecimal: "00000000000000000000000000000001")!
    private static let sealed = SealedBTHome(key: key, address: address)
    private static let forged = SealedBTHome(key: otherKey, address: address)
    private static let id = DeviceID(sample: "button")
    private static let (press, double): ([UInt8], [UInt8]) = ([0x3A, 0x01], [0x3A, 0x02])

    private var search = BroadcasterSearch()

    init() { search.begin() }

    private static func plain(_ objects: [UInt8]) -> [UInt8] { [0x44] + objects }

    private mutating func hear(
        _ frame: [UInt8], from sender: DeviceAddress = address, signal: Int? = -60, at seconds: Double = 1
    ) {
        search.record([0xD2, 0xFC] + frame, from: sender, signal: signal, at: Sample.moment(seconds).boot)
    }

    private func judge(_ key: AES128Key?, of address: DeviceAddress = address) -> BroadcasterSearch.KeyVerdict {
        search.judge(key, of: address, cipher: OpenSSLCipher())
    }

    @Test mutating func `tells the event of one that sends in the clear`() {
        hear(Self.plain([0x00, 1, 0x3A, 0x00]))
        #expect(search.found.map(\.event) == [nil])
        for (number, objects, event) in [
            (2, Self.press, SignalEvent.button), (3, Self.double, .doublePress), (4, [0x3A, 0x80], .longPress),
            (5, [0x2C, 0x01], .vibration), (6, [0x21, 0x01], .motion), (7, [0x22, 0x01], .moving),
        ] {
            hear(Self.plain([0x00, UInt8(number)] + objects), at: Double(number))
            #expect(search.found.map(\.event) == [event])
        }
        #expect(search.found.first?.isEncrypted == false && search.found.first?.signal == -60)
    }

    @Test mutating func `takes a repetition and a recording for no new press`() {
        hear(Self.sealed.frame(Self.press, counter: 700), at: 1)
        hear(Self.sealed.frame(Self.press, counter: 700), at: 2)
        hear(Self.sealed.frame(Self.press, counter: 699), at: 3)
        #expect(search.found.map(\.heardAt) == [Sample.moment(1).boot])
        hear(Self.sealed.frame(Self.press, counter: 701), at: 4)
        #expect(search.found.map(\.heardAt) == [Sample.moment(4).boot])
        let other = DeviceAddress("C0:FF:EE:00:00:06")!
        for second in 5..<9 {
            hear(Self.plain([0x00, 9] + Self.press), from: other, at: Double(second))
        }
        #expect(search.found.first { $0.address == other }?.heardAt == Sample.moment(5).boot)
    }

    @Test mutating func `accepts a key by any advert that it opens, and refuses each other one`() {
        #expect(judge(Self.key) == .notHeard && judge(nil) == .notHeard)
        hear(Self.sealed.frame(Self.press, counter: 700))
        #expect(judge(Self.key) == .fits && judge(Self.otherKey) == .wrong && judge(nil) == .missing)
        // Somebody else in the same name, with plain adverts and sealed ones.
        hear(Self.plain([0x00, 1] + Self.press))
        for counter: UInt32 in 900..<905 { hear(Self.forged.frame(Self.press, counter: counter)) }
        #expect(judge(Self.key) == .fits && judge(nil) == .missing)
        #expect(search.found.map(\.isEncrypted) == [true] && search.found.map(\.event) == [nil])
    }

    @Test mutating func `takes no key for one that sends in the clear`() {
        hear(Self.plain(Self.press))
        #expect(judge(nil) == .fits && judge(Self.key) == .unused)
        // From the first sealed advert on, a plain one proves nothing.
        hear(Self.sealed.frame(Self.press, counter: 1))
        #expect(judge(nil) == .missing && judge(Self.key) == .fits)
    }

    @Test mutating func `keeps a bounded number of devices and adverts, and the button in the hand`() {
        hear(Self.sealed.frame(Self.press, counter: 1), signal: -40)
        for number in 0..<900 {
            let address = DeviceAddress(
                "C0:00:00:00:\(String(number / 100 + 10)):\(String(number % 90 + 10))")!
            for count: UInt8 in 0..<3 {
                hear(Self.plain([0x00, count] + Self.press), from: address, signal: -70)
            }
        }
        #expect(search.found.count == BroadcasterSearch.mostDevices)
        #expect(search.found.first?.address == Self.address && judge(Self.key) == .fits)
        for counter: UInt32 in 0..<500 { hear(Self.forged.frame(Self.press, counter: counter)) }
        #expect(search.frames(of: Self.address).count == BroadcasterSearch.mostFrames)
        #expect(judge(Self.key) == .wrong)
        hear(Self.sealed.frame(Self.press, counter: 2))
        #expect(judge(Self.key) == .fits)
    }

    @Test mutating func `records nothing after its end, keeps what it heard, and begins anew without it`() {
        hear(Self.plain(Self.press))
        search.end()
        hear(Self.plain(Self.press), from: DeviceAddress("C0:FF:EE:00:00:06")!)
        #expect(search.found.map(\.address) == [Self.address] && judge(nil) == .fits)
        search.begin()
        #expect(search.found.isEmpty && judge(nil) == .notHeard)
    }

    @Test mutating func `survives every length of an advert`() {
        let frame = [0xD2, 0xFC] + Self.sealed.frame(Self.press, counter: 700)
        for length in 0..<frame.count {
            search.record(
                Array(frame.prefix(length)), from: Self.address, signal: nil, at: Sample.moment(1).boot)
        }
        #expect(judge(Self.key) != .fits)
    }

    // MARK: From the search into the house

    private static func hear(
        _ frame: [UInt8], _ machine: inout BroadcasterMachine, at seconds: Double
    ) -> BroadcasterMachine.Outcome {
        var random = SystemRandomNumberGenerator()
        return machine.hear([0xD2, 0xFC] + frame, from: address, at: Sample.moment(seconds), using: &random)
    }

    @Test(arguments: [true, false])
    func `the press by which a button was found calls nobody, nor does a recording; the next one calls`(
        isEncrypted: Bool
    ) throws {
        func frame(_ number: UInt8) -> [UInt8] {
            isEncrypted
                ? Self.sealed.frame(Self.press, counter: UInt32(number))
                : Self.plain([0x00, number] + Self.press)
        }
        var machine = BroadcasterMachine([], [], memories: [], cipher: OpenSSLCipher())
        #expect(Self.hear(frame(1), &machine, at: 1).signals.isEmpty)
        #expect(machine.search.found.isEmpty, "nobody searches")
        machine.search.begin()
        for (number, second) in [(7, 2.0), (8, 3.0), (7, 3.1), (8, 3.2)] {
            #expect(Self.hear(frame(UInt8(number)), &machine, at: second).signals.isEmpty)
        }
        let key = isEncrypted ? Self.key : nil
        #expect(machine.search.judge(key, of: Self.address, cipher: OpenSSLCipher()) == .fits)
        let broadcaster = Broadcaster(id: Self.id, address: Self.address, person: Sample.maria, key: key)
        let replacement = machine.replace([broadcaster], try `What advertising wearables say`.wearables())
        #expect(replacement.heard.map(\.device) == [Self.id] && replacement.heard.first?.isTriggerBased == true)
        // Also over a restart.
        #expect(replacement.memories?.first?.counter == (isEncrypted ? 8 : nil))
        for second in [3.3, 3.5, 5] {
            #expect(Self.hear(frame(8), &machine, at: second).signals.isEmpty)
        }
        #expect(Self.hear(frame(9), &machine, at: 6).signals.map(\.kind) == [.sosButton])
        #expect(machine.search.found.isEmpty, "it is a wearable of the house")
        // A reload that leaves it as it is changes nothing.
        #expect(machine.replace([broadcaster], try `What advertising wearables say`.wearables()).heard.isEmpty)
        #expect(Self.hear(frame(9), &machine, at: 6.1).signals.isEmpty)
    }

    @Test func `a wearable of the house calls during the search as ever, and is not part of it`() throws {
        let broadcaster = Broadcaster(id: Self.id, address: Self.address, person: Sample.maria, key: Self.key)
        var machine = BroadcasterMachine(
            [broadcaster], try `What advertising wearables say`.wearables(), memories: [],
            cipher: OpenSSLCipher())
        machine.search.begin()
        #expect(Self.hear(Self.sealed.frame(Self.press, counter: 5), &machine, at: 1).signals.count == 1)
        #expect(
            machine.search.found.isEmpty
                && machine.search.judge(Self.key, of: Self.address, cipher: OpenSSLCipher()) == .notHeard)
    }
}

@Suite struct `The adverts that are listened to` {
    private final class Log: Sendable {
        let entries = Mutex<[String]>([])
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
        func take() -> [String] {
            entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
        }
    }

    private static func fallback(isNeeded: Bool, _ log: Log) -> AdvertFallback {
        AdvertFallback(isNeeded: isNeeded) {
            log.add("through bluetoothd: \($0)")
        } report: {
            log.add("less sure: \($0)")
        }
    }

    @Test func `come through bluetoothd for a search alone, and no condition says so`() {
        let log = Log()
        let fallback = Self.fallback(isNeeded: false, log)
        fallback.scanner(isDeaf: true)
        #expect(log.take().isEmpty)
        fallback.setSearching(true)
        #expect(log.take() == ["through bluetoothd: true"])
        // The button that was found is a wearable of the house now: the condition is its.
        fallback.need(true)
        #expect(log.take() == ["less sure: true"])
        fallback.setSearching(false)
        #expect(log.take().isEmpty, "the end of the search takes nothing away")
        fallback.scanner(isDeaf: false)
        #expect(log.take() == ["through bluetoothd: false", "less sure: false"])
    }

    @Test func `are let through as long as the house or a search needs them`() {
        let selection = AdvertSelection(needsBTHome: false, scanners: [])
        #expect(selection.isIdle)
        selection.setSearching(true)
        #expect(!selection.isIdle && !selection.needsBTHome)
        selection.setNeedsBTHome(true)
        selection.setSearching(false)
        #expect(!selection.isIdle)
        selection.setNeedsBTHome(false)
        #expect(selection.isIdle)
    }
}
