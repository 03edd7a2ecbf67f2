import AmbulanceService
import Consent
import GatewayModel
import HelpLine
import ModelSamples
import SOSLocal
import TestSupport
import Testing

/// An ambulance channel under test, with all it told.
struct RunningChannel: Sendable {
    let channel: HTTPSChannel
    let words = Recorder<ChannelEvent>()
    let tests = Recorder<ChannelTest>()
    let ignored = Recorder<String>()
    let notices = Recorder<NoticeOutcome>()

    init(_ settings: HTTPSChannel.Settings) throws {
        let (words, tests, ignored, notices) = (words, tests, ignored, notices)
        channel = try HTTPSChannel(
            settings,
            reports: ChannelReports(
                about: words.add, tested: tests.add, noticed: { notices.add($1) }),
            ignored: { ignored.add($1) })
    }

    /// Runs the channel around `body`, and stops it whatever `body` does.
    func run(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await channel.run() }
            defer { channel.stop() }
            try await body()
        }
    }

    func send(_ message: HelpMessage) throws {
        channel.send(try AmbulanceSample.cleared(message))
    }

    /// Waits for `count` words.
    /// - Returns: them, without their alarm.
    func words(_ count: Int) async -> [String] {
        #expect(await words.wait { $0.count >= count })
        return words.values.map(\.plain)
    }

    /// Of the first failure.
    var reason: String {
        for case .failed(_, _, let reason) in words.values { return reason }
        return ""
    }
}

extension HTTPSChannel.Settings {
    static func rig(
        _ url: String, _ format: HTTPSChannel.Format = .cap, caFile: String? = nil,
        credential: HTTPSChannel.Credential = .none, attemptLimit: Duration = .seconds(20),
        trial: HTTPSChannel.Trial = .message
    ) -> HTTPSChannel.Settings {
        HTTPSChannel.Settings(
            id: ChannelID(sample: "ambulance"), url: url, format: format, sender: "villa-rosa",
            addresses: ["118-milano"], credential: credential, caFile: caFile, connectLimit: .seconds(20),
            attemptLimit: attemptLimit, pollInterval: .milliseconds(20), trial: trial)
    }
}
