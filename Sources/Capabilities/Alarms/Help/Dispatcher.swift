package import Consent
package import GatewayModel
package import HelpLine
import RealTime
package import SOSLocal
import Synchronization

/// Gives the machine's calls for help and retractions to the channels, on a thread of its own.
///
/// Each message is cleared by the consent gate at the moment it is given to a channel. None of that work costs the SOS
/// thread anything.
package final class Dispatcher: Sendable {
    /// Reports about messages, besides the reports of the channels. Called on the dispatch thread; must return at once.
    package struct Reports: Sendable {
        package let about: @Sendable (ChannelID, ChannelEvent) -> Void
        package let given: @Sendable (HelpMessage, ChannelID) -> Void
        /// The consent is missing: the message goes to nobody outside, now and later.
        package let withheld: @Sendable (HelpMessage, _ reason: String) -> Void
    }

    /// Reason of a message that the consent gate does not clear.
    package static let termsMissing = "the AutomatedSOS terms are not accepted"

    private let delivery: Delivery
    private let messages: Worker<HelpMessage>

    /// - Parameter profiles: profiles of every person of the house.
    package init(
        through channels: [any HelpChannel], profiles: [PersonProfile], gate: ConsentGate, reports: Reports
    ) throws {
        let delivery = Delivery(gate: gate, reports: reports)
        delivery.replace(channels: channels, profiles: profiles)
        self.delivery = delivery
        messages = try Worker("dispatch") { messages, _ in
            for message in messages { delivery.deliver(message) }
        }
    }

    /// Replaces the channels, and adds or replaces the profiles. From any thread.
    package func replace(channels: [any HelpChannel], profiles: [PersonProfile]) {
        delivery.replace(channels: channels, profiles: profiles)
    }

    /// Sends a call for help through the channels of the order. From any thread, at once.
    package func dispatch(_ order: DispatchOrder) {
        guard let profile = delivery.profile(of: order.person) else { return }
        messages.put(.call(order, of: profile))
    }

    /// Tells the channels of the retraction that the call no longer holds. From any thread, at once.
    package func retract(_ retraction: Retraction) {
        guard let profile = delivery.profile(of: retraction.person) else { return }
        messages.put(.retraction(retraction, of: profile))
    }

    package func run() async throws {
        try await messages.run()
    }

    /// Ends the thread after the messages that were ordered before.
    package func stop() {
        messages.stop()
    }

    /// Delivery of one message to its channels, with the channels and persons as they are now.
    final class Delivery: Sendable {
        private struct Directory {
            var channels: [ChannelID: any HelpChannel] = [:]
            var profiles: [PersonID: PersonProfile] = [:]
        }

        private let directory = Mutex(Directory())
        private let gate: ConsentGate
        private let reports: Reports

        init(gate: ConsentGate, reports: Reports) {
            (self.gate, self.reports) = (gate, reports)
        }

        func replace(channels: [any HelpChannel], profiles: [PersonProfile]) {
            directory.withLock { directory in
                directory.channels = Dictionary(channels.map { ($0.id, $0) }) { first, _ in first }
                // A person who has left may still be owed the message that their alarm is over.
                directory.profiles.merge(profiles.map { ($0.id, $0) }) { _, new in new }
            }
        }

        func profile(of person: PersonID) -> PersonProfile? {
            directory.withLock { $0.profiles[person] }
        }

        func deliver(_ message: HelpMessage) {
            switch message {
            case .call(let order, _): send(message, through: order.channels)
            case .retraction(let retraction, let profile):
                // Each channel alone: the gate lets a retraction go only to channels that know of the alarm.
                for channel in retraction.channels {
                    send(.retraction(retraction.only(for: channel), of: profile), through: [channel])
                }
            }
        }

        private func send(_ message: HelpMessage, through ids: [ChannelID]) {
            let channels = directory.withLock(\.channels)
            for id in ids {
                guard let channel = channels[id] else {
                    reports.about(id, message.failed(because: "no channel of this name is set up any more"))
                    continue
                }
                let cleared = try? gate.discloseInEmergency(
                    message, message: message.alarm.message, to: id, at: Clock.wall())
                guard let cleared else {
                    reports.about(id, message.failed(because: Dispatcher.termsMissing))
                    continue
                }
                // Reported before the sending: a broker may acknowledge the message before this thread goes on.
                reports.given(message, id)
                channel.send(cleared)
            }
            // Once for all channels and once an alarm: the person's consent is missing, not a channel.
            guard case .call(let order, _) = message, order.ordered == order.firstOrdered else { return }
            if !gate.holds(.automatedSOS, for: message.profile.id) {
                reports.withheld(message, Dispatcher.termsMissing)
            }
        }
    }
}
