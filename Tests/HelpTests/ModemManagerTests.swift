import Foundation
import GatewayModel
import HelpLine
import Modems
import RealTime
import SOSLocal
import Systemd
import TestSupport
import Testing

@testable import TextMessages

private typealias Sample = TextSample

@Suite struct `The modem that sends` {
    private func modem(_ names: [String: String], state: Int32 = 8, canText: Bool = true) -> Modem? {
        var properties: [BusValue: BusValue] = [.string("State"): .int32(state)]
        for (key, value) in names { properties[.string(key)] = .string(value) }
        var interfaces: [BusValue: BusValue] = [.string(ModemManager.modem): .dictionary(properties)]
        if canText { interfaces[.string(ModemManager.messaging)] = .dictionary([:]) }
        return Modem(path: "/m", interfaces: .dictionary(interfaces))
    }

    @Test func `is the only one, or the one that the settings name`() throws {
        let first = try #require(modem(["EquipmentIdentifier": "867962040000000", "PrimaryPort": "ttyUSB2"]))
        let second = try #require(modem(["EquipmentIdentifier": "867962040000001", "PrimaryPort": "ttyUSB5"]))
        #expect(try Modem.choose(nil, of: [first]) == first)
        #expect(try Modem.choose("ttyUSB5", of: [first, second]) == second)
        #expect(try Modem.choose("867962040000000", of: [first, second]) == first)
        #expect(throws: Modem.Problem.self) { try Modem.choose(nil, of: [first, second]) }
        #expect(throws: Modem.Problem.self) { try Modem.choose("ttyUSB9", of: [first]) }
        #expect(throws: Modem.Problem.self) { try Modem.choose(nil, of: []) }
    }

    @Test(arguments: [
        (58, true, "registered, signal 58 %"), (0, false, "registered"), (58, false, "registered"),
    ])
    func `tells a signal that it has measured`(quality: UInt32, isRecent: Bool, words: String) throws {
        let properties: [BusValue: BusValue] = [
            .string("State"): .int32(8),
            .string("SignalQuality"): .structure([.uint32(quality), .bool(isRecent)]),
        ]
        let modem = try #require(
            Modem(
                path: "/m",
                interfaces: .dictionary([.string(ModemManager.modem): .dictionary(properties)])))
        #expect(modem.registration == words)
    }

    @Test(arguments: [
        (-1, "check its SIM card"), (2, "wants its PIN"), (7, "searching"), (42, "not known"),
    ])
    func `says by its state why it cannot`(state: Int32, words: String) throws {
        switch try #require(modem([:], state: state)).readiness(for: .texts) {
        case .never(let reason), .waiting(let reason): #expect(reason.contains(words))
        case .ready, .toBeEnabled: Issue.record("\(state) is no state to send in")
        }
    }

    @Test func `can send texts at all`() throws {
        #expect(try #require(modem([:])).readiness(for: .texts) == .ready)
        #expect(try #require(modem([:], canText: false)).readiness(for: .texts) != .ready)
        #expect(Modem(path: "/sim", interfaces: .dictionary([:])) == nil)
    }
}

/// Against the real ModemManager, its modem a virtual one: tests are told what the network would get.
@Suite(.serialized) struct `Texts through ModemManager` {
    private let anna = Sample.anna.text
    private let carlo = Sample.carlo.text

    @Test func `reach both, from a modem that was switched off, whole and in their letters`() async throws {
        let rig = try await ModemManagerRig()
        let running = try RunningTexts(rig)
        let message = HelpMessage.call(
            Sample.order(), of: Sample.profile(.italian, name: "Niccolò Šimić"))
        try await running.run {
            let first = await running.test()
            guard case .works = first else {
                Issue.record("\(first)")
                return
            }
            // The modem measures its signal after it has registered.
            #expect(await eventually { await running.test() == .works(detail: "Rig Mobile, signal 58 %") })
            #expect(rig.modem.texts.values.isEmpty, "a test costs nothing")
            try running.send(message)
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            #expect(await eventually { rig.modem.whole.count == 2 })
        }
        let text = TextWriter(zone: .system).text(message).text
        #expect(rig.modem.whole == ["\(anna): \(text)", "\(carlo): \(text)"])
        #expect(rig.modem.texts.values.allSatisfy { $0.alphabet == "UCS-2" && $0.parts <= 3 })
        #expect(!running.words.values.map(\.plain).contains { $0.hasPrefix("accepted") })
    }

    @Test func `are accepted by an answer with their code, and by no other text`() async throws {
        let rig = try await ModemManagerRig()
        let running = try RunningTexts(rig, takesReplies: true)
        try await running.run {
            try running.send(Sample.call(Sample.order(Sample.fall)))
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            #expect(await eventually { rig.modem.whole.count == 2 })
            let code = try #require(Sample.code(in: rig.modem.whole.last))
            #expect(await rig.modem.deliver(code, from: "+393339999999"))
            #expect(await rig.modem.deliver("I am going", from: anna))
            #expect(await running.notes.wait { $0.contains(.notAccepted(recipient: 1)) })
            #expect(await eventually { rig.modem.inbox == 1 })
            // As a network of the same country writes it.
            #expect(await rig.modem.deliver("ok \(code)!", from: "0\(carlo.dropFirst(3))"))
            #expect(await running.words(3).last == "accepted by the phone ending in 321")
            // The texts of the recipients are deleted, the stranger's is left to its reader.
            #expect(await eventually { rig.modem.inbox == 1 })
        }
    }

    @Test func `leave a modem off that is only to be looked at, and find nothing wrong with it`() async throws {
        let rig = try await ModemManagerRig()
        let running = try RunningTexts(bus: .address(rig.address)) { $0.isLookOnly = true }
        try await running.run {
            let found = await running.test()
            #expect(
                found == .works(detail: "a modem that is switched off; the gateway switches it on"), "\(found)")
            // It is still off.
            #expect(await running.test() == found)
        }
    }

    @Test func `are handed over when one number is refused, who is tried again, and told of the end if told`()
        async throws
    {
        let rig = try await ModemManagerRig()
        let running = try RunningTexts(rig)
        try await running.run {
            #expect(await rig.modem.tell("refuse \(anna)"))
            try running.send(Sample.call(Sample.order(Sample.fall)))
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            #expect(await running.notes.wait { !$0.isEmpty })
            #expect(
                running.notes.values.map(\.description).first?.hasPrefix("recipient 1 was not reached") == true)
            #expect(!"\(running.notes.values)".contains("333"), "a log names no number")
            #expect(await rig.modem.tell("accept \(anna)"))
            try running.send(Sample.call(Sample.order(Sample.fall, round: 2)))
            #expect(await running.words(4).suffix(2) == ["dispatched", "handedOver"])
            #expect(await eventually { rig.modem.whole.count == 2 })
            try running.send(Sample.retraction(of: Sample.fall))
            #expect(await running.words(5).last == "retracted")
            // The record of the modem follows the gateway's.
            #expect(await eventually { rig.modem.whole.count == 4 })
        }
        let texts = rig.modem.whole.map {
            $0.prefix(while: { $0 != ":" }) + "|" + $0.drop { $0 != " " }.prefix(10)
        }
        #expect(
            texts == ["\(carlo)| HELP NEED", "\(anna)| HELP STIL", "\(anna)| CANCELLED", "\(carlo)| CANCELLED"])
    }

    @Test func `fail by the network's name for it, and are told of no end then`() async throws {
        let rig = try await ModemManagerRig()
        let running = try RunningTexts(rig)
        try await running.run {
            #expect(await rig.modem.tell("refuse \(anna)"))
            #expect(await rig.modem.tell("refuse \(carlo)"))
            // One part each: of several, the first may have left.
            let place = AlarmLocation.installed(InstalledPlace(address: "home", coordinates: nil))
            try running.send(Sample.call(Sample.order(Sample.drill, location: place)))
            #expect(await running.words(2) == ["dispatched", "failed"])
            #expect(running.reason.contains("org.freedesktop.ModemManager1.Error."), "\(running.reason)")
            try running.send(Sample.retraction(of: Sample.drill))
            #expect(await running.words(3).last == "retracted")
        }
        #expect(rig.modem.texts.values.isEmpty)
    }

    @Test func `say that there is no network, and leave when there is`() async throws {
        let rig = try await ModemManagerRig()
        #expect(await rig.modem.tell("searching"))
        let running = try RunningTexts(rig, limit: .seconds(8))
        try await running.run {
            let failure = await running.test()?.failure
            #expect(failure?.contains("given up after 8 s") == true, "\(failure ?? "")")
            #expect(await rig.modem.tell("registered"))
            try running.send(Sample.call())
            _ = await running.words(2)
            try running.send(Sample.call(Sample.order(round: 2)))
            #expect(await running.words(4).contains("handedOver"))
        }
    }

    @Test func `fail when the modem is unplugged in the middle, and in the next round too`() async throws {
        let rig = try await ModemManagerRig()
        let running = try RunningTexts(rig)
        try await running.run {
            _ = await running.test()
            #expect(await rig.modem.tell("silent"))
            try running.send(Sample.call())
            #expect(await rig.modem.texts.wait { !$0.isEmpty })
            #expect(await rig.modem.tell("gone"))
            #expect(await running.words(2) == ["dispatched", "failed"])
            try running.send(Sample.call(Sample.order(round: 2)))
            #expect(await running.words(4).suffix(2) == ["dispatched", "failed"])
        }
    }

    @Test func `fail within their limit when the bus is frozen, and the channel stops`() async throws {
        let rig = try await ModemManagerRig()
        let running = try RunningTexts(rig, limit: .seconds(2))
        rig.freezeBus()
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
            #expect(running.reason.contains("asking ModemManager"), "\(running.reason)")
        }
    }

    @Test func `fail when ModemManager is dead, and say what to do`() async throws {
        let rig = try await ModemManagerRig()
        let running = try RunningTexts(rig)
        try await running.run {
            rig.killManager()
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
            #expect(running.reason.contains("systemctl enable --now ModemManager"), "\(running.reason)")
        }
    }

    @Test func `fail where there is no bus`() async throws {
        let running = try RunningTexts(bus: .address("unix:path=/nonexistent/bus"))
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
            #expect(running.reason.contains("/nonexistent/bus"), "\(running.reason)")
        }
    }
}
