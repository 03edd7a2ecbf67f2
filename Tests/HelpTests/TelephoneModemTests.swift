import Foundation
import HelpLine
import Modems
import SOSLocal
import Systemd
import TestSupport
import Testing

@testable import TelephoneCalls

/// Against the real ModemManager, with a virtual modem that answers as those of SIMCom.
@Suite(.serialized, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/ModemManager")))
struct `A telephone channel over a modem` {
    private let alarm = TextSample.order().alarm

    /// The sound goes into a file, as a card would play it.
    private func telephone(_ rig: ModemManagerRig, _ sound: URL) throws -> RunningTelephone {
        try RunningTelephone(
            .modemManager(
                bus: .address(rig.address), modem: nil, audio: "file:FILE=\(sound.path),FORMAT=raw")
        ) {
            $0.attemptLimit = .seconds(20)
            $0.ringLimit = .seconds(30)
        }
    }

    @Test func `speaks into the sound of the modem until a key accepts the call`() async throws {
        let rig = try await ModemManagerRig(plugin: "simtech")
        let scratch = try ScratchDirectory()
        let sound = scratch.file("sound.raw")
        let line = try telephone(rig, sound)
        try await line.run {
            let test = await line.test()
            guard case .works? = test else {
                Issue.record("\(String(describing: test))")
                return
            }
            #expect(rig.modem.dialled.values.isEmpty, "a test calls nobody")
            try line.send(TextSample.call())
            #expect(await rig.modem.dialled.wait(upTo: .seconds(40)) { $0 == [TextSample.anna.text] })
            #expect(await rig.modem.tell("ring"))
            #expect(await rig.modem.tell("answer"))
            let handedOver = ChannelEvent.handedOver(alarm, .confirmed)
            #expect(await line.wait { $0 == handedOver }, "\(line.words.values)")
            // Three seconds of 16 bits, 22,050 a second.
            #expect(
                await eventually(within: .seconds(30)) {
                    ((try? Data(contentsOf: sound))?.count ?? 0) > 3 * 44_100
                })
            let bytes = [UInt8](try Data(contentsOf: sound))
            let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
                Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
            }
            #expect(samples.count > 22_050 && TelephonePeer.level(samples.dropFirst(22_050)) > 500)
            #expect(await rig.modem.tell("key 5"))
            #expect(await rig.modem.tell("key 1"))
            #expect(await line.waitForAcceptance() == "the phone ending in 567")
            #expect(await rig.modem.hungUp.wait(upTo: .seconds(40)) { !$0.isEmpty }, "thanks, and the end")
        }
    }

    @Test func `calls the next one where the first hangs up, and nobody when the alarm is over`() async throws {
        let rig = try await ModemManagerRig(plugin: "simtech")
        let scratch = try ScratchDirectory()
        let line = try telephone(rig, scratch.file("sound.raw"))
        try await line.run {
            try line.send(TextSample.call())
            #expect(await rig.modem.dialled.wait(upTo: .seconds(40)) { $0.count == 1 })
            #expect(await rig.modem.tell("busy"))
            #expect(await rig.modem.dialled.wait(upTo: .seconds(40)) { $0.last == TextSample.carlo.text })
            try line.send(TextSample.retraction())
            let retracted = ChannelEvent.retracted(alarm)
            #expect(await line.wait { $0 == retracted }, "\(line.words.values)")
            #expect(await rig.modem.hungUp.wait(upTo: .seconds(40)) { !$0.isEmpty })
        }
        #expect(rig.modem.dialled.values.count == 2)
    }

    @Test func `says what is missing where there is no ModemManager`() async throws {
        let rig = try await ModemManagerRig(plugin: "simtech")
        rig.killManager()
        let line = try telephone(rig, try ScratchDirectory().file("sound.raw"))
        try await line.run {
            #expect(await line.test()?.failure?.contains("systemctl enable --now ModemManager") == true)
            try line.send(TextSample.call())
            #expect(await line.failure().contains("systemctl enable --now ModemManager"))
        }
    }

    @Test func `wants a modem that can call`() throws {
        func modem(_ interfaces: [String]) throws -> Modem {
            let state: BusValue = .dictionary([.string("State"): .int32(8)])
            var all: [BusValue: BusValue] = [.string(ModemManager.modem): state]
            for name in interfaces { all[.string(name)] = .dictionary([:]) }
            return try #require(Modem(path: "/modem", interfaces: .dictionary(all)))
        }
        #expect(try modem([ModemManager.voice]).readiness(for: .calls) == .ready)
        let mute = try modem([ModemManager.messaging])
        #expect(mute.readiness(for: .texts) == .ready)
        guard case .never(let reason) = mute.readiness(for: .calls) else {
            Issue.record("\(mute)")
            return
        }
        #expect(reason.contains("cannot make calls") && reason.contains("via = \"sip\""))
    }
}
