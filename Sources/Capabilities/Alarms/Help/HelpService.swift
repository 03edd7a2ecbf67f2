package import CloudCommands
package import Consent
package import Contract
import ControlContract
package import GatewayModel
package import HelpLine
import Hub
import Logging
import MQTTBridge
package import OutboxService
import RealTime
import SOSLocal
import ServiceLifecycle
package import Settings
import Synchronization

/// Channels to help outside the house: the broker and the channels of the settings, their tests, the dispatcher, and the
/// acceptances of calls. From any thread.
package final class HelpService: Sendable {
    /// The broker as a channel; its owner reports to it which messages have left the queue.
    package let broker: MQTTChannel
    private let channels: HelpChannels
    private let channelHealth: ChannelHealth
    let dispatcher: Dispatcher
    private let acceptances: AcceptanceDoor
    private let noticeOutcomes = NoticeOutcomes()
    private let reach = Mutex(HelpReach())
    private let texts: TextArrivals
    private let inbox: SOSInbox
    private let health: HealthBoard
    private let log: Logger

    package init(_ core: GatewayCore, inbox: SOSInbox) throws {
        let (settings, health, log) = (core.settings(), core.health, core.log)
        let texts = TextArrivals(marks: core.marks)
        self.texts = texts
        channelHealth = ChannelHealth(health: health, log: log) {
            inbox.submit(.channelState($0, isLive: $1), at: Clock.boot())
        }
        let calls = CallReports(
            inbox: inbox, feed: core.feed, health: channelHealth, notices: noticeOutcomes,
            log: log)
        broker = MQTTChannel(
            queue: core.queue, topics: core.topics, reports: calls.reports(of: MQTTChannel.id))
        channels = HelpChannels(
            settings, log: log, checksDates: { health.isClockSet },
            testTexts: { texts.testTexts(of: $0) }, reports: { calls.reports(of: $0) })
        dispatcher = try Dispatcher(
            through: [broker] + channels.all, profiles: settings.persons.map(\.profile), gate: core.gate,
            reports: Dispatcher.Reports(about: calls.tell, given: calls.given, withheld: calls.withheld))
        acceptances = AcceptanceDoor(
            gateway: settings.gateway.id, takesUnsigned: settings.broker.takesUnsignedAcceptances)
        (self.inbox, self.health, self.log) = (inbox, health, log)
        watchChannels(every: settings.sos.channelTests)
        // Until it connects.
        brokerSession(isUp: false)
    }

    /// Replaces the channels and the persons, for orders from now on. Blocking I/O; one thread at a time.
    package func replace(
        channels wanted: [GatewaySettings.Channel], persons: [GatewaySettings.Person],
        testedEvery interval: Duration
    ) {
        channels.replace(with: wanted)
        watchChannels(every: interval)
        dispatcher.replace(channels: all, profiles: persons.map(\.profile))
    }

    private func watchChannels(every interval: Duration) {
        channelHealth.watch(all, unusable: Set(channels.unusable.map(\.id)), every: interval)
    }

    private var all: [any HelpChannel] { [broker] + channels.all }

    /// Channels of the settings that can be used; the broker is not among them.
    package var usableChannels: [ChannelID] { channels.all.map(\.id) }
    package var unusableChannels: [HelpChannels.Unusable] { channels.unusable }

    /// Gives a notice to a channel. It takes neither the dispatch thread nor the SOS thread.
    ///
    /// - Returns: false where there is no such channel. Else `takeNoticeOutcomes` returns the outcome later.
    package func send(_ notice: Cleared<NoticeMessage>, through id: ChannelID) -> Bool {
        guard let channel = all.first(where: { $0.id == id }) else { return false }
        channel.send(notice)
        return true
    }

    /// Returns the outcomes of notices since the last call.
    package func takeNoticeOutcomes() -> [(NoticeMessage, ChannelID, NoticeOutcome)] { noticeOutcomes.take() }

    /// Reports whether the session with the broker stands.
    package func brokerSession(isUp: Bool) {
        channelHealth.session(MQTTChannel.id, isUp: isUp)
    }

    /// Tests the channels that are due. About once a second, while anybody may be called for.
    func testChannels(at now: BootInstant) {
        channelHealth.tick(at: now)
    }

    /// Writes down when texts arrived. Blocking I/O; about once a second.
    func keepState() { texts.keep() }

    /// Raises the condition of each person without a way to help that works, and takes it back. About once a second.
    func reportReach(of persons: [HelpReach.Person]) {
        let working = channelHealth.working
        for change in reach.withLock({ $0.changes(persons) { !working.contains($0) } }) {
            health.set(change.condition, change.holds)
        }
    }

    /// Route of the acceptances that the broker sends.
    ///
    /// An acceptance may be acknowledged as soon as the inbox of the rules has it: where the gateway dies before they read
    /// it, help is called again, and the service that took the call repeats the acceptance.
    ///
    /// - Parameter issuers: returns the issuers whose signature counts, with the keys in force now.
    package func acceptanceRoute(
        _ topics: Topics, issuers: @escaping @Sendable () -> [PinnedIssuer]
    ) -> CloudSession.Route {
        CloudSession.Route(filter: topics.acceptedFilter, subject: "acceptances") { [self] message in
            guard let person = topics.personOfAcceptance(topic: message.topic) else { return false }
            receiveAcceptance(message.payload, of: person, from: issuers())
            return true
        }
    }

    /// Hands an acceptance to the rules, or refuses it. On the broker's thread.
    private func receiveAcceptance(_ payload: [UInt8], of person: PersonID, from issuers: [PinnedIssuer]) {
        switch acceptances.judge(payload, of: person, from: issuers) {
        case .success(let acceptance):
            health.set(HealthCondition(.acceptancesRefused), false)
            let word = ChannelEvent.accepted(acceptance.alarm, of: person, by: acceptance.by)
            inbox.submit(.channel(MQTTChannel.id, word), at: Clock.boot())
        case .failure(let refused):
            log.warning("acceptance refused, the alarm goes on", metadata: ["reason": "\(refused)"])
            if acceptances.isRefusing { health.set(HealthCondition(.acceptancesRefused), true) }
        }
    }

    /// The channels with their last known states, by ID.
    var channelStates: [HouseSnapshot.Channel] {
        let texting = Set(channels.texting.map { $0.id.text })
        return channelHealth.states.map { state in
            guard texting.contains(state.id), let id = ChannelID(state.id) else { return state }
            var shown = state
            shown.lastTextArrived = texts.last(of: id)?.millisecondsSince1970
            return shown
        }
    }

    /// Lines of `homegateway status`.
    var statusLines: [String] {
        let now = Clock.wall()
        return channelHealth.lines
            + channels.texting.map { texts.line(of: $0.id, hasTestRecipient: $0.hasTestRecipient, at: now) }
    }

    /// In the order of starting: the last dispatch comes before the channels end.
    var services: [any Service] {
        [channels, ThreadService(run: dispatcher.run, stop: dispatcher.stop)]
    }
}
