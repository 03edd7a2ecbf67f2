import Foundation
import GatewayModel
import HelpLine
import ModelSamples
import SOSLocal
import Systemd
import TestSupport
import Testing

@testable import TextMessages

/// A text channel under test, with all it told.
struct RunningTexts: Sendable {
    let channel: TextMessagesChannel
    let words = Recorder<ChannelEvent>()
    let tests = Recorder<ChannelTest>()
    let notes = Recorder<TextNote>()
    let notices = Recorder<NoticeOutcome>()

    init(
        bus: BusAddress, limit: Duration = .seconds(60),
        recipients: [String] = [TextSample.anna.text, TextSample.carlo.text],
        _ change: (inout TextMessagesChannel.Settings) -> Void = { _ in }
    ) throws {
        let (words, tests, notes, notices) = (words, tests, notes, notices)
        var settings = TextMessagesChannel.Settings(
            id: ChannelID(sample: "family"), recipients: recipients, bus: bus)
        settings.attemptLimit = limit
        change(&settings)
        channel = try TextMessagesChannel(
            settings,
            reports: ChannelReports(
                about: words.add, tested: tests.add, noticed: { notices.add($1) }), onNote: notes.add)
    }

    init(
        _ rig: borrowing ModemManagerRig, limit: Duration = .seconds(60), takesReplies: Bool = false
    ) throws {
        try self.init(bus: .address(rig.address), limit: limit) { $0.takesReplies = takesReplies }
    }

    /// Runs the channel around `body`, and stops it whatever `body` does.
    func run(_ body: () async throws -> Void) async throws {
        async let running: Void = channel.run()
        do { try await body() } catch {
            channel.stop()
            try await running
            throw error
        }
        channel.stop()
        try await running
    }

    func send(_ message: HelpMessage) throws {
        channel.send(try TextSample.cleared(message))
    }

    /// Waits for `count` words.
    /// - Returns: them, without their alarm.
    func words(_ count: Int) async -> [String] {
        #expect(await words.wait(upTo: .seconds(60)) { $0.count >= count })
        return words.values.map(\.plain)
    }

    /// Of the last failure.
    var reason: String {
        for word in words.values.reversed() {
            if case .failed(_, _, let reason) = word { return reason }
            if case .retractionFailed(_, let reason) = word { return reason }
        }
        return ""
    }

    func test() async -> ChannelTest? {
        let before = tests.values.count
        channel.test()
        #expect(await tests.wait(upTo: .seconds(60)) { $0.count > before })
        return tests.values.last
    }
}

extension ChannelTest {
    var failure: String? { if case .fails(let reason) = self { reason } else { nil } }
}
