import Foundation
import GatewayModel
import HelpLine
import ModelSamples
import RealTime
import SOSLocal
import TestSupport
import Testing

@testable import TextMessages

private typealias Sample = TextSample

/// Against the real gammu-smsd, its modem a virtual one.
@Suite(.serialized) struct `Texts through gammu-smsd` {
    private let anna = Sample.anna.text
    private let carlo = Sample.carlo.text

    @Test func `reach both, whole and in their letters, and leave nothing behind`() async throws {
        let rig = try await GammuRig()
        let running = try RunningTexts(rig)
        let message = HelpMessage.call(
            Sample.order(Sample.fall), of: Sample.profile(.italian, name: "Niccolò [€] Rossi"))
        try await running.run {
            #expect(await eventually { FileManager.default.fileExists(atPath: rig.pidFile) })
            #expect(await running.test()?.failure == nil)
            try running.send(message)
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            #expect(await eventually(within: .seconds(60)) { rig.modem.whole.count == 2 })
            #expect(await eventually { rig.files("sent").isEmpty && rig.files("outbox").isEmpty })
        }
        let text = TextWriter(zone: .system).text(message).text
        #expect(Set(rig.modem.whole) == ["\(anna): \(text)", "\(carlo): \(text)"])
        #expect(rig.modem.texts.values.allSatisfy { $0.alphabet == "GSM" })
    }

    @Test func `are accepted by an answer with their code`() async throws {
        let rig = try await GammuRig()
        let running = try RunningTexts(rig, takesReplies: true)
        try await running.run {
            #expect(await eventually { FileManager.default.fileExists(atPath: rig.pidFile) })
            try running.send(Sample.call(Sample.order(Sample.fall)))
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            #expect(await eventually(within: .seconds(60)) { rig.modem.whole.count == 2 })
            let code = try #require(Sample.code(in: rig.modem.whole.last))
            rig.modem.tell("deliver \(anna) \(code)")
            #expect(await running.words(3).last == "accepted by the phone ending in 567")
            #expect(await eventually { rig.files("inbox").isEmpty })
        }
    }

    /// The daemon tries a refused number for ever, and nothing else: the channel takes it back.
    @Test func `are handed over when one number is refused, and owe the end to whoever may have the call`()
        async throws
    {
        let rig = try await GammuRig()
        let running = try RunningTexts(rig, limit: .seconds(8))
        try await running.run {
            #expect(await eventually { FileManager.default.fileExists(atPath: rig.pidFile) })
            rig.modem.tell("refuse \(anna)")
            try running.send(Sample.call(Sample.order(Sample.fall)))
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            #expect(await running.notes.wait { !$0.isEmpty })
            #expect(
                running.notes.values.map(\.description).first?.hasPrefix("recipient 1 was not reached") == true)
            rig.modem.tell("accept \(anna)")
            try running.send(Sample.retraction(of: Sample.fall))
            #expect(await running.words(3).last == "retracted")
            #expect(rig.files("outbox").isEmpty)
        }
        #expect(
            rig.modem.whole.map { $0.prefix(23) }
                == [
                    "\(carlo): HELP NEED", "\(anna): CANCELLED", "\(carlo): CANCELLED",
                ].map { $0.prefix(23) })
    }

    @Test func `fail when the daemon is dead, and are not sent out of their time when it is back`() async throws
    {
        let rig = try await GammuRig()
        #expect(await eventually { FileManager.default.fileExists(atPath: rig.pidFile) })
        rig.killDaemon()
        let running = try RunningTexts(rig, limit: .seconds(2))
        try await running.run {
            let failure = await running.test()?.failure
            #expect(failure?.contains("gammu-smsd has ended") == true, "\(failure ?? "")")
            try running.send(Sample.call(Sample.order(Sample.fall)))
            #expect(await running.words(2) == ["dispatched", "failed"])
            #expect(running.reason.contains("gammu-smsd has ended"), "\(running.reason)")
            #expect(rig.files("outbox").isEmpty)
        }
    }

    @Test func `fail where there is no folder, and say what to do`() async throws {
        let running = try RunningTexts(
            .gammu(
                outbox: "/nonexistent/out", sent: "/nonexistent/sent", error: "/nonexistent/error",
                inbox: "/nonexistent/in", pidFile: "/x"))
        try await running.run {
            let failure = await running.test()?.failure
            #expect(
                failure?.contains("/nonexistent/out: No such file or directory; install gammu-smsd") == true)
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
        }
    }

    @Test func `that an earlier run left in the outbox are taken out, others' are not`() async throws {
        let rig = try await GammuRig(isRunning: false)
        let mine = "OUTA20260301_093014_07_\(anna)_hg-family-7.txt"
        let others = [
            "OUTA20260301_093014_07_\(anna)_hg-other-7.txt", "OUTC20260301_093014_07_\(anna)_sms0.txt",
        ]
        for name in [mine] + others { _ = try rig.scratch.write("x", to: "outbox/\(name)") }
        let running = try RunningTexts(rig, limit: .seconds(2))
        try await running.run {
            try running.send(Sample.call())
            _ = await running.words(2)
        }
        #expect(Set(rig.files("outbox")) == Set(others))
    }

    @Test func `have a file whose name the daemon can hold`() {
        let channel = ChannelID(sample: String(repeating: "a", count: 32))
        let file = GammuFile(
            OutgoingText(recipient: PhoneNumber("+123456789012345")!, text: "é"), number: 1_234_567,
            of: channel,
            at: Sample.moment(0).wall)
        #expect(file.name.utf8.count < 100)
        #expect(file.name.hasPrefix("OUTA20260301_083000_67_+123456789012345_hg-aaa"))
        #expect(file.bytes == [0xFE, 0xFF, 0x00, 0xE9])
    }
}
