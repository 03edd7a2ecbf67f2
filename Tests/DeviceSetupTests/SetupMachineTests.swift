import ControlContract
import GatewayModel
import Readings
import Testing
import Wearables
import WireFormats

@testable import DeviceSetup

/// Work of installers on the wearables, by events and instants.
@Suite struct `The work on wearables` {
    private typealias Action = SetupMachine.Action

    private static let strap = Verb.PairDevice(
        id: DeviceID("strap")!, address: DeviceAddress("C0:FF:EE:00:00:01")!, person: PersonID("maria")!)
    private static let button = Result {
        try Verb.AddBroadcaster(
            id: DeviceID("button")!, address: DeviceAddress("C0:FF:EE:00:00:05")!, person: PersonID("maria")!,
            key: "231d39c1d7cc1ab1aee224cd096db932", meanings: [("button", "sos-button")])
    }
    private static let scan = SetupMachine.Work.scan(.seconds(60))
    private let gino = SetupOwner(Caller("Gino"))
    private let other = SetupOwner(Caller("Pina"))
    private var machine = SetupMachine()
    private var now = BootInstant(nanoseconds: 1_000_000_000)

    private func look(_ machine: inout SetupMachine, _ owner: SetupOwner) -> DeviceSetupDocument {
        machine.look(by: owner, known: [:], at: now)
    }

    private static func device(_ last: Int, _ signal: Int?, name: String? = nil) -> NearbyDevice {
        NearbyDevice(
            address: DeviceAddress("C0:FF:EE:00:00:0\(last)")!, name: name, signal: signal,
            knownServices: [.heartRate], areServicesComplete: false, isPaired: false, isBonded: false,
            isTrusted: false, isConnected: false, battery: nil, adapter: "hci0")
    }

    @Test mutating func `is one at a time, and of the session that began it`() throws {
        #expect(try machine.begin(Self.scan, by: gino, at: now) == [.begin(Self.scan)])
        #expect(throws: ControlError.self) { try machine.begin(Self.scan, by: other, at: now) }
        #expect(throws: ControlError.self) { try machine.begin(Self.scan, by: gino, at: now) }
        _ = machine.handle(.heard([Self.device(1, -50)]), at: now)
        #expect(machine.stop(by: other) == [], "another session cannot stop it")
        #expect(look(&machine, other) == DeviceSetupDocument(phase: .scanning, isOwn: false))
        #expect(look(&machine, gino).found.count == 1)
    }

    @Test mutating func `turns from a scan to a pairing only after the scan has ended`() throws {
        _ = try machine.begin(Self.scan, by: gino, at: now)
        #expect(try machine.begin(.pair(Self.strap), by: gino, at: now) == [.cancel])
        #expect(look(&machine, gino).phase == .scanning)
        #expect(machine.handle(.ended(.scanned), at: now) == [.begin(.pair(Self.strap))])
        #expect(look(&machine, gino).device == "strap")
    }

    @Test mutating func `takes the answer of its session alone, and once`() throws {
        _ = try machine.begin(.pair(Self.strap), by: gino, at: now)
        #expect(throws: ControlError.self) { try machine.answer("123456", by: gino) }
        #expect(machine.handle(.asked(.passkey), at: now) == [])
        #expect(look(&machine, gino).question == DeviceSetupDocument.Question(.passkey))
        #expect(look(&machine, other).question == nil)
        #expect(throws: ControlError.self) { try machine.answer("123456", by: other) }
        for wrong in ["yes", "1234567"] {
            #expect(throws: ControlError.self, "\(wrong)") { try machine.answer(wrong, by: gino) }
        }
        #expect(try machine.answer("000042", by: gino) == [.answer(.passkey(42))])
        #expect(throws: ControlError.self) { try machine.answer("000042", by: gino) }
        _ = machine.handle(.asked(.isShown(passkey: "004211")), at: now)
        #expect(look(&machine, gino).question?.shown == "004211")
        #expect(try machine.answer("yes", by: gino) == [.answer(.yes)])
    }

    @Test mutating func `shows a passkey to its session until it counts no more`() throws {
        _ = try machine.begin(.pair(Self.strap), by: gino, at: now)
        _ = machine.handle(.shown(passkey: "271828"), at: now)
        #expect(look(&machine, gino).passkey == "271828" && look(&machine, other).passkey == nil)
        _ = machine.handle(.withdrawn, at: now)
        #expect(look(&machine, gino).passkey == nil)
    }

    @Test mutating func `takes the choice on the page for the consent to a pairing without a passkey`() throws {
        _ = try machine.begin(.pair(Self.strap), by: gino, at: now)
        #expect(machine.handle(.asked(.mayPair), at: now) == [.answer(.yes)])
        #expect(look(&machine, gino).question == nil)
    }

    @Test mutating func `ends when its session asks no more, and leaves the place to others`() throws {
        _ = try machine.begin(.pair(Self.strap), by: gino, at: now)
        let begin = now
        now = begin.advanced(by: .seconds(50))
        _ = look(&machine, gino)
        #expect(machine.tick(at: begin.advanced(by: .seconds(100))) == [], "the look has renewed the lease")
        #expect(machine.tick(at: now.advanced(by: SetupMachine.leaseLimit)) == [.cancel])
        #expect(machine.tick(at: now.advanced(by: SetupMachine.leaseLimit)) == [], "asked once")
        _ = machine.handle(.ended(.failed(["stopped here: nothing was paired"])), at: now)
        #expect(try machine.begin(Self.scan, by: other, at: now) == [.begin(Self.scan)])
        #expect(look(&machine, other).outcome == nil && look(&machine, other).found.isEmpty)
    }

    @Test mutating func `ends at its bound, however often its session asks`() throws {
        _ = try machine.begin(.pair(Self.strap), by: gino, at: now)
        let end = now.advanced(by: SetupMachine.pairLimit)
        while now < end {
            _ = look(&machine, gino)
            #expect(machine.tick(at: now) == [])
            now = now.advanced(by: .seconds(5))
        }
        _ = look(&machine, gino)
        #expect(machine.tick(at: end) == [.cancel])
    }

    @Test mutating func `does not pair after a stop that came while the scan was ending`() throws {
        _ = try machine.begin(Self.scan, by: gino, at: now)
        _ = try machine.begin(.pair(Self.strap), by: gino, at: now)
        _ = machine.stop(by: gino)
        #expect(machine.handle(.ended(.scanned), at: now) == [])
        #expect(look(&machine, gino).phase == .idle)
    }

    @Test mutating func `lists the strongest first by whole bars, with names that are text alone`() throws {
        _ = try machine.begin(Self.scan, by: gino, at: now)
        let name = "\u{1B}[31m<img src=x>\u{202E}" + String(repeating: "x", count: 90)
        _ = machine.handle(
            .heard([Self.device(3, -58), Self.device(1, -59, name: name), Self.device(2, nil)]), at: now)
        let found = look(&machine, gino).found
        #expect(found.map { $0.address.suffix(1) } == ["1", "3", "2"] && found.map(\.bars) == [4, 4, 0])
        #expect(found[0].name?.hasPrefix("[31m<img src=x>xx") == true && found[0].name?.count == 40)
        let many = (0..<300).map {
            NearbyDevice(
                address: DeviceAddress(
                    "C0:FF:EE:00:0\($0 / 100):\($0 % 100 + 10 > 99 ? "09" : String($0 % 100 + 10))")!,
                name: nil, signal: -40, knownServices: [], areServicesComplete: false, isPaired: false,
                isBonded: false, isTrusted: false, isConnected: false, battery: nil, adapter: "hci0")
        }
        _ = machine.handle(.heard(many), at: now)
        #expect(look(&machine, gino).found.count == SetupMachine.mostShown)
    }

    @Test mutating func `tells its end to its session until the next begins or the session puts it away`()
        throws
    {
        _ = try machine.begin(.pair(Self.strap), by: gino, at: now)
        _ = machine.handle(.ended(.paired(Self.strap.id, lines: ["strap: watched from now on"])), at: now)
        #expect(look(&machine, gino).outcome?.device == "strap")
        #expect(look(&machine, other).outcome == nil)
        _ = machine.stop(by: gino)
        #expect(look(&machine, gino).outcome == nil)
    }

    // MARK: Devices that only advertise

    private func heard(_ last: Int, _ signal: Int?, ago: Duration = .zero) -> BroadcasterSearch.Found {
        BroadcasterSearch.Found(
            address: DeviceAddress("C0:FF:EE:00:00:0\(last)")!, signal: signal, isEncrypted: last == 5,
            event: last == 5 ? nil : .button, heardAt: now.advanced(by: .zero - ago))
    }

    @Test mutating func `searches for broadcasters from the scan until nothing follows from it`() throws {
        let add = SetupMachine.Work.add(try Self.button.get())
        #expect(machine.search == nil)
        _ = try machine.begin(Self.scan, by: gino, at: now)
        #expect(machine.search == 1)
        // The press in between is heard until the button is a wearable of the house.
        #expect(try machine.begin(add, by: gino, at: now) == [.cancel])
        #expect(machine.handle(.ended(.scanned), at: now) == [.begin(add)])
        #expect(machine.search == 1 && look(&machine, gino).phase == .adding)
        _ = machine.handle(.ended(.paired(try Self.button.get().id, lines: [])), at: now)
        #expect(machine.search == nil && look(&machine, gino).outcome?.device == "button")
        _ = try machine.begin(Self.scan, by: gino, at: now)
        #expect(machine.search == 2, "a search of its own")
        _ = try machine.begin(.pair(Self.strap), by: gino, at: now)
        _ = machine.handle(.ended(.scanned), at: now)
        #expect(machine.search == nil)
    }

    @Test mutating func `ends the search when its session asks no more, before the scan itself has ended`()
        throws
    {
        _ = try machine.begin(.scan(.seconds(120)), by: gino, at: now)
        #expect(machine.tick(at: now.advanced(by: SetupMachine.leaseLimit)) == [.cancel])
        #expect(machine.search == nil)
    }

    @Test mutating func `lists broadcasters beside the others, with the names that bluetoothd knows`() throws {
        _ = try machine.begin(Self.scan, by: gino, at: now)
        _ = machine.handle(
            .heard([Self.device(5, -50, name: "\u{202E}<b>Shelly"), Self.device(1, -65)]), at: now)
        let broadcasters = [heard(5, -80, ago: .seconds(19)), heard(6, nil)]
        let found = machine.look(by: gino, known: [:], broadcasters: broadcasters, at: now).found
        #expect(found.map { $0.address.suffix(1) } == ["1", "5", "6"])
        let five = try #require(found.first { $0.address.hasSuffix("05") })
        #expect(five.name == "<b>Shelly" && five.signalDbm == -80 && five.isOfUse)
        #expect(five.broadcast?.isEncrypted == true && five.broadcast?.event == nil)
        #expect(five.broadcast?.heardAgeMs == 10_000)
        #expect(found.last?.broadcast?.event == "button" && found.first?.broadcast == nil)
        // Nobody else sees them, and a work of another session takes them away.
        #expect(
            machine.look(by: other, known: [:], broadcasters: broadcasters, at: now).found.isEmpty)
        _ = machine.handle(.ended(.scanned), at: now)
        _ = try machine.begin(.pair(Self.strap), by: other, at: now)
        #expect(
            machine.look(by: other, known: [:], broadcasters: broadcasters, at: now).found.isEmpty)
    }

    @Test mutating func `shows a bounded number of broadcasters, which hide no other device`() throws {
        _ = try machine.begin(Self.scan, by: gino, at: now)
        _ = machine.handle(.heard([Self.device(1, -95)]), at: now)
        let many = (0..<1_000).map {
            BroadcasterSearch.Found(
                address: DeviceAddress("C0:00:00:00:\($0 / 80 + 10):\($0 % 80 + 10)")!, signal: -30,
                isEncrypted: false, event: .button, heardAt: now)
        }
        let found = machine.look(by: gino, known: [:], broadcasters: many, at: now).found
        #expect(found.count == SetupMachine.mostBroadcasters + 1 && found.last?.address.hasSuffix("01") == true)
    }
}
