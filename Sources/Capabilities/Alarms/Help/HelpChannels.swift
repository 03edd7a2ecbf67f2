import AmbulanceService
import CareCentre
package import GatewayModel
package import HelpLine
import Hub
package import Logging
import ServiceLifecycle
package import Settings
package import SettingsReading
import Synchronization
import TelephoneCalls
package import TextMessages

/// The ways to help that the settings name, besides the broker. They run, and stop, side by side: together they
/// take no longer to end than one of them may, `HelpChannelLimits.stop`.
package final class HelpChannels: Service {
    /// A channel that could not be made, and why.
    package struct Unusable: Sendable {
        package let id: ChannelID
        package let problem: SettingsProblem
    }

    private struct State {
        var held: [Held] = []
        var unusable: [Unusable] = []
        var isStopping = false
    }

    private struct Held {
        let settings: GatewaySettings.Channel
        let channel: any HelpChannel
    }

    private let state = Mutex(State())
    private let make: @Sendable (GatewaySettings.Channel) throws -> any HelpChannel
    /// Channels that are to run.
    private let added: AsyncStream<any HelpChannel>
    private let adding: AsyncStream<any HelpChannel>.Continuation

    /// Opens no connection. A channel that cannot be made (a file that is missing or does not fit) is left out, and
    /// tried again with each `replace`.
    ///
    /// - Parameter checksDates: whether the dates of certificates are checked, see `HTTPSChannel.Settings`.
    package init(
        _ settings: GatewaySettings, log: Logger, checksDates: @escaping @Sendable () -> Bool,
        testTexts: @escaping @Sendable (ChannelID) -> TextMessagesChannel.TestTexts,
        reports: @escaping @Sendable (ChannelID) -> ChannelReports
    ) {
        make = {
            try HelpChannels.make(
                $0, in: settings, log: log, checksDates: checksDates, testTexts: testTexts($0.id),
                reports: reports($0.id))
        }
        // As many as the settings name: a reload is done by a person.
        (added, adding) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        replace(with: settings.channels)
    }

    package var all: [any HelpChannel] { state.withLock { $0.held.map(\.channel) } }
    /// Channels that send texts, and whether each of them sends one in a test.
    var texting: [(id: ChannelID, hasTestRecipient: Bool)] {
        state.withLock { $0.held.map(\.settings) }.compactMap {
            settings -> (id: ChannelID, hasTestRecipient: Bool)? in
            guard case .sms(let way) = settings.way else { return nil }
            return (settings.id, way.testRecipient != nil)
        }
    }
    package var unusable: [Unusable] { state.withLock(\.unusable) }

    /// From now on these. One that is as it was goes on; one that is gone ends after what was given to it. Blocking
    /// I/O; one thread at a time.
    package func replace(with wanted: [GatewaySettings.Channel]) {
        let before = state.withLock { $0.held }
        var held: [Held] = []
        var unusable: [Unusable] = []
        for settings in wanted {
            if let same = before.first(where: { $0.settings.isSame(as: settings) }) {
                held.append(Held(settings: settings, channel: same.channel))
                continue
            }
            do {
                let channel = try make(settings)
                held.append(Held(settings: settings, channel: channel))
                adding.yield(channel)
            } catch {
                unusable.append(Unusable(id: settings.id, problem: settings.problem("\(error)")))
            }
        }
        state.withLock { ($0.held, $0.unusable) = (held, unusable) }
        for old in before where !held.contains(where: { $0.channel === old.channel }) { old.channel.stop() }
    }

    /// One alone: to see whether it can be made.
    package static func make(
        _ channel: GatewaySettings.Channel, in settings: GatewaySettings, log: Logger,
        checksDates: @escaping @Sendable () -> Bool = { true },
        testTexts: TextMessagesChannel.TestTexts = TextMessagesChannel.TestTexts(), reports: ChannelReports
    ) throws -> any HelpChannel {
        switch channel.way {
        case .https(let way):
            var own = HTTPSChannel.Settings(way, id: channel.id, sender: settings.gateway.id.text)
            own.checksDates = checksDates
            return try HTTPSChannel(
                own, reports: reports,
                ignored: { alarm, reason in
                    log.warning(
                        "an answer is not believed",
                        metadata: [
                            "channel": "\(channel.id)", "alarm": "\(alarm)", "reason": "\(reason)",
                        ])
                })
        case .scaip(let way):
            var own = SCAIPChannel.Settings(way, id: channel.id)
            own.checksDates = checksDates
            return try SCAIPChannel(
                settings: own, reports: reports,
                onNote: { note in
                    let level: Logger.Level = if case .registered = note { .info } else { .warning }
                    log.log(
                        level: level, "care centre",
                        metadata: ["channel": "\(channel.id)", "note": "\(note)"])
                })
        case .sms(let way):
            var own = TextMessagesChannel.Settings(way, id: channel.id)
            own.testTexts = testTexts
            return try TextMessagesChannel(
                own, reports: reports,
                onNote: { note in
                    log.warning(
                        "text messages",
                        metadata: [
                            "channel": "\(channel.id)", "alarm": "\(note.alarm.map { "\($0)" } ?? "none")",
                            "note": "\(note)",
                        ])
                })
        case .telephone(let way):
            var own = TelephoneChannel.Settings(way, id: channel.id, voiceSpeed: settings.house.voiceSpeed)
            own.checksDates = checksDates
            return try TelephoneChannel(
                own, reports: reports,
                onNote: { note in
                    let level: Logger.Level = if case .registered = note { .info } else { .warning }
                    log.log(
                        level: level, "telephone",
                        metadata: [
                            "channel": "\(channel.id)", "alarm": "\(note.alarm.map { "\($0)" } ?? "none")",
                            "note": "\(note)",
                        ])
                })
        }
    }

    package func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { group in
                for await channel in added {
                    group.addTask { [self] in
                        // A stop that came before it ran is not lost.
                        if state.withLock(\.isStopping) { channel.stop() }
                        try await channel.run()
                    }
                }
            }
        } onCancelOrGracefulShutdown: { [self] in
            let channels = state.withLock { state in
                state.isStopping = true
                return state.held.map(\.channel)
            }
            adding.finish()
            for channel in channels { channel.stop() }
        }
    }
}
